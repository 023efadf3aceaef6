/** The accounts on which brands are paid. */
import { listedAccounts } from '../store/tables/accounts.js';
import type { Core } from './core.js';
import { requireBrand } from './required.js';
import { type AccountView, accountView } from './views.js';

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
