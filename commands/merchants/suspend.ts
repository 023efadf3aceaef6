/** `kashbox merchants suspend` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Shut merchants out.',
  description:
    'From the next request on all their keys are answered "account suspended", and their phones too. What customers give on an open checkout page is kept, and settles nothing. Nothing is deleted; "kashbox merchants activate" lets them in again.',
  examples: ['$ "Amar Dokan"', 'kashbox merchants list --ndjson | $ - --json'],
  args: { merchants: manyIds('merchants') },
  async work({ core, who }) {
    const { changeMerchantStatus } = await import('../../src/actions/merchants/change-merchant-status.js');
    const { merchantSheet } = await import('../../src/cli/text/sheets.js');
    return {
      one: (merchant: string) => changeMerchantStatus(core, { merchant, status: 'SUSPENDED', who }),
      lines: merchantSheet,
    };
  },
});
