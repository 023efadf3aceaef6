/** The accounts on which brands are paid. */
import { listedAccounts } from '../../store/tables/accounts.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { type AccountView, accountView } from './account-view.js';

/**
 * @param input.brand identifier or name; absent for all.
 * @param input.disabledToo also those that are out of use.
 * @throws KashboxError `not_found`
 */
export async function listAccounts(
  core: Core,
  input: { readonly brand?: string | undefined; readonly disabledToo: boolean },
): Promise<AccountView[]> {
  return core.store.read(async (db) => {
    const brand = input.brand === undefined ? null : await requireBrand(db, input.brand);
    const rows = await listedAccounts(db, brand?.id ?? null, input.disabledToo);
    return rows.map(accountView);
  });
}
