/** `kashbox merchants activate` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Let suspended merchants in again.',
  description:
    'Their keys and phones work again from the next request on. What customers gave on the checkout page meanwhile, and what banks told, is settled; run it again if it was interrupted.',
  examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
  args: { merchants: manyIds('merchants') },
  async work({ core, who }) {
    const { changeMerchantStatus } = await import('../../src/actions/merchants/change-merchant-status.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    return {
      one: (merchant: string) => changeMerchantStatus(core, { merchant, status: 'ACTIVE', who }),
      lines: merchantSheet,
    };
  },
});
