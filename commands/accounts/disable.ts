/** `kashbox accounts disable` */
import { accountSheet } from '../../src/actions/accounts/account-view.js';
import { disableAccount } from '../../src/actions/accounts/set-account.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default bulkCommand({
  summary: 'Disable receiving accounts.',
  description:
    'Customers can no longer choose them. Payments that are open now may still be paid there; later money ' +
    'to that number settles nothing automatically.',
  examples: ['$ acc_0123456789abcdef01234567', 'kashbox accounts list --brand "Amar Dokan" --ndjson | $ -'],
  args: { accounts: many('IDs or names of accounts') },
  one: ({ core, who }, id) => disableAccount(core, { id, who }),
  lines: (view) => formatKeyValues(accountSheet(view)),
});
