/** How an account looks from outside, and lists of them. No credential ever gets into it. */
import { readDetails } from '../../domain/accounts/account-details.js';
import type { AccountTable } from '../../store/schema/index.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import type { Core } from '../core/core.js';
import { idOfBrand } from '../input/require-row.js';
import { viewOf } from '../input/view.js';

export type AccountView = ReturnType<typeof accountView>;

export const accountView = viewOf<AccountTable & { readonly brand: string }>()(({ same, times }) => ({
  ...same('id', 'brand_id', 'brand', 'channel', 'type', 'number'),
  /** What customers see beside the number: a bank's name and holder, the text of a QR code. */
  details: (row) => readDetails(row.details),
  active: (row) => row.active === 1,
  ...times('created_at', 'disabled_at'),
}));

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
    const rows = await listedAccounts(db, await idOfBrand(db, input.brand), input.disabledToo);
    return rows.map((row) => accountView(row));
  });
}
