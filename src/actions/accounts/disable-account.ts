/** Takes an account out of use: from the next request on no new payment is offered or matched on it. */
import { newRowId } from '../../base/values/ids.js';
import { disableAccountRow, renewAccountsVersion } from '../../store/tables/accounts.js';
import { audit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { requireAccount } from '../input/require-row.js';
import { type AccountView, accountView } from './account-view.js';

/**
 * An account that is disabled already stays so, without an audit row.
 * @throws KashboxError `not_found`
 */
export async function disableAccount(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<AccountView> {
  return core.store.write(async (db) => {
    const row = await requireAccount(db, input.id);
    if (row.active === 0) return accountView(row);
    const now = core.clock.now();
    await disableAccountRow(db, row.id, now);
    await renewAccountsVersion(db, row.brand_id, newRowId(core.random, now, 'account'));
    await audit(core, db, input.who, 'account.disable', row.id, {
      before: { active: true },
      after: { active: false },
    });
    return accountView({ ...row, active: 0, disabled_at: now });
  });
}
