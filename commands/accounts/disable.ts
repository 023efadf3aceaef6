/** `kashbox accounts disable` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Take accounts out of use.',
  description:
    'They are offered to no customer from now on. Payments that are open by then may still be paid there; for all ' +
    'others, money that arrives there settles nothing by itself.',
  examples: ['$ acc_0123456789abcdef01234567', 'kashbox accounts list --brand "Amar Dokan" --ndjson | $ -'],
  args: { accounts: manyIds('accounts') },
  async work({ core, who }) {
    const { disableAccount } = await import('../../src/actions/accounts/set-account.js');
    const { accountSheet } = await import('../../src/cli/text/sheets.js');
    return { one: (id: string) => disableAccount(core, { id, who }), lines: accountSheet };
  },
});
