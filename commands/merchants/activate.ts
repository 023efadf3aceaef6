/** `kashbox merchants activate` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class MerchantsActivate extends BaseCommand {
  static override summary = 'Let suspended merchants in again.';
  static override description =
    'Their keys and phones work again from the next request on. What customers gave on the checkout page meanwhile, and what banks told, is settled; run it again if it was interrupted.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan"',
    '<%= config.bin %> merchants list --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { merchants: manyIds('merchants') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MerchantsActivate);
    const { changeMerchantStatus } = await import('../../src/actions/merchants/change-merchant-status.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    const activate = (merchant: string) =>
      changeMerchantStatus(core, { merchant, status: 'ACTIVE', who: this.who });
    await this.each([args.merchants].flat(), flags, activate, merchantSheet);
  }
}
