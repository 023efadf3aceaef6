/** `kashbox merchants suspend` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class MerchantsSuspend extends BaseCommand {
  static override summary = 'Shut merchants out.';
  static override description =
    'From the next request on all their keys are answered "account suspended", and their phones too. What customers give on an open checkout page is kept, and settles nothing. Nothing is deleted; "kashbox merchants activate" lets them in again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan"',
    '<%= config.bin %> merchants list --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { merchants: manyIds('merchants') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MerchantsSuspend);
    const { changeMerchantStatus } = await import('../../src/actions/merchants/change-merchant-status.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    const suspend = (merchant: string) =>
      changeMerchantStatus(core, { merchant, status: 'SUSPENDED', who: this.who });
    await this.each([args.merchants].flat(), flags, suspend, merchantSheet);
  }
}
