/** One brand with the accounts that it is paid on and the keys that open it. */
import { listedKeys } from '../../store/tables/access.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { type AccountView, accountView } from '../accounts/account-view.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { type KeyView, keyView } from '../keys/key-view.js';
import { type BrandView, brandView } from './brand-view.js';

export interface BrandInFull extends BrandView {
  /** Active ones only. */
  readonly accounts: readonly AccountView[];
  /** Living ones only. */
  readonly keys: readonly KeyView[];
}

/**
 * @param named identifier or name.
 * @throws KashboxError `not_found`
 */
export async function findBrandInFull(core: Core, named: string): Promise<BrandInFull> {
  return core.store.read(async (db) => {
    const row = await requireBrand(db, named);
    const accounts = await listedAccounts(db, row.id, false);
    const keys = (await listedKeys(db, row.id)).map((key) => keyView(key, core.clock.now()));
    return {
      ...brandView(row, core.clock.now()),
      accounts: accounts.map((account) => accountView(account)),
      keys: keys.filter((key) => key.state !== 'DEAD'),
    };
  });
}
