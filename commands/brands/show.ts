/** `kashbox brands show` */
import type { BrandInFull } from '../../src/actions/brands/find-brand.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class BrandsShow extends BaseCommand {
  static override summary = 'Show brands with their accounts and keys.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Amar Dokan"',
    '<%= config.bin %> brands list --ndjson | <%= config.bin %> <%= command.id %> - --ndjson',
  ];
  static override args = { brands: manyIds('brands') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BrandsShow);
    const { findBrandInFull } = await import('../../src/actions/brands/find-brand.js');
    const { brandSheet } = await import('../../src/cli/text/sheets.js');
    const { sheet } = await import('../../src/cli/text/table.js');
    const core = await this.core();
    const lines = (view: BrandInFull) => [
      ...brandSheet(view),
      '',
      ...sheet([
        ...view.accounts.map(
          ({ channel, type, number }) => ['Account', `${channel} ${type} ${number}`] as const,
        ),
        ...view.keys.map(({ hint, state, id }) => ['Key', `${hint} ${state} (${id})`] as const),
      ]),
    ];
    await this.each([args.brands].flat(), flags, (named) => findBrandInFull(core, named), lines);
  }
}
