/** `kashbox brands show` */
import type { BrandInFull } from '../../src/actions/brands/brand-view.js';
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show brands with their accounts and keys.',
  examples: ['$ "Amar Dokan"', 'kashbox brands list --ndjson | $ - --ndjson'],
  args: { brands: manyIds('brands') },
  async work({ core }) {
    const { findBrandInFull } = await import('../../src/actions/brands/brand-view.js');
    const { brandSheet } = await import('../../src/cli/text/sheets.js');
    const { sheet } = await import('../../src/cli/text/table.js');
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
    return { one: (named) => findBrandInFull(core, named), lines };
  },
});
