/**
 * Shuts a merchant out, or lets them in again. It holds from the next request on, because requests ask the
 * store. What was kept while they were suspended settles when they are let in.
 */
import type { MerchantTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { changeTestSides, testSidesOf } from '../../store/tables/brands.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { changeMerchant } from '../../store/tables/merchants.js';
import { settleSuspended } from '../claims/settle-suspended.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { type MerchantView, merchantView } from './merchant-view.js';

const ACTIONS: Readonly<Record<MerchantTable['status'], string>> = {
  ACTIVE: 'merchant.activate',
  SUSPENDED: 'merchant.suspend',
};

/**
 * A merchant that is in that state already stays so, without an audit row; what is kept for an active one is
 * settled all the same, so that an operator who was interrupted asks again.
 * @param input.merchant identifier or name.
 * @throws KashboxError `not_found`
 */
export async function changeMerchantStatus(
  core: Core,
  input: { readonly merchant: string; readonly status: MerchantTable['status']; readonly who: string },
): Promise<MerchantView> {
  const { status, who } = input;
  const changed = await core.store.write(async (db) => {
    const row = await requireMerchant(db, input.merchant);
    if (row.status === status) return merchantView(row);
    // Money and claims that are being stored have read the status of before.
    for (const one of [row.id, ...(await testSidesOf(db, row.id))]) await lockMerchant(db, one);
    await changeMerchant(db, row.id, { status });
    await changeTestSides(db, row.id, { status });
    await audit(core, db, who, ACTIONS[status], row.id, {
      before: { status: row.status },
      after: { status },
    });
    return merchantView({ ...row, status });
  });
  if (status === 'ACTIVE') {
    const sides = await core.store.read((db) => testSidesOf(db, changed.id));
    for (const merchant of [changed.id, ...sides]) await settleSuspended(core, merchant);
  }
  return changed;
}
