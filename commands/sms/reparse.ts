/** `kashbox sms reparse` */
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class SmsReparse extends BaseCommand {
  static override summary = 'Read stored SMS again with the formats of today.';
  static override description =
    'After a format was added, texts that could not be read may turn out to be money and settle payments that wait ' +
    'for it. What has counted once is never taken back.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    const { flags } = await this.parse(SmsReparse);
    const { reparseSms } = await import('../../src/actions/sms/reparse-sms.js');
    const result = await reparseSms(await this.core(), { who: this.who });
    this.show(result, flags, ({ read, changed, settled }) => [
      `${read} SMS read, ${changed} of them differently than before.`,
      ...settled.map((id) => `Payment ${id} is completed by it.`),
    ]);
  }
}
