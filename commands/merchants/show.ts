/** `kashbox merchants show` */
import type { MerchantInFull } from '../../src/actions/merchants/find-merchant.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class MerchantsShow extends BaseCommand {
  static override summary = 'Show merchants with their brands and phones.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan"',
    '<%= config.bin %> merchants list --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { merchants: manyIds('merchants') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MerchantsShow);
    const { findMerchantInFull } = await import('../../src/actions/merchants/find-merchant.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    const { sheet } = await import('../../src/cli/text/table.js');
    const core = await this.core();
    const lines = (view: MerchantInFull) => [
      ...merchantSheet(view),
      '',
      ...sheet([
        ...view.brands.map((brand) => ['Brand', `${brand.name}  (${brand.id})`] as const),
        ...view.devices.map((device) => ['Device', `${device.name}  (${device.id})`] as const),
      ]),
    ];
    await this.each([args.merchants].flat(), flags, (named) => findMerchantInFull(core, named), lines);
  }
}
