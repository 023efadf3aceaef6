/** `kashbox payments show` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class PaymentsShow extends BaseCommand {
  static override summary = 'Show payments with what customers have claimed.';
  static override description = 'A payment is named by its id or by its reference of 12 letters and digits.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> K7Q2M9XW4TZB',
    '<%= config.bin %> payments list --status PENDING --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { payments: manyIds('payments') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PaymentsShow);
    const { showPayment } = await import('../../src/actions/sessions/list-payments.js');
    const { paymentSheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    await this.each([args.payments].flat(), flags, (named) => showPayment(core, named), paymentSheet);
  }
}
