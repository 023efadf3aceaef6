/** `kashbox merchants show` */
import type { MerchantInFull } from '../../src/actions/merchants/merchant-view.js';
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Show merchants with their brands and phones.',
  examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
  args: { merchants: manyIds('merchants') },
  async work({ core }) {
    const { findMerchantInFull } = await import('../../src/actions/merchants/merchant-view.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    const { sheet } = await import('../../src/cli/text/table.js');
    const lines = (view: MerchantInFull) => [
      ...merchantSheet(view),
      '',
      ...sheet([
        ...view.brands.map((brand) => ['Brand', `${brand.name}  (${brand.id})`] as const),
        ...view.devices.map((device) => ['Device', `${device.name}  (${device.id})`] as const),
      ]),
    ];
    return { one: (named) => findMerchantInFull(core, named), lines };
  },
});
