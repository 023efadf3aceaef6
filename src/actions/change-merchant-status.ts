/**
 * Shuts a merchant out, or lets it in again. It holds from the next request on, because requests ask the
 * store.
 */
import type { MerchantTable } from '../store/schema.js';
import { writeAudit } from '../store/tables/audit.js';
import { changeMerchant } from '../store/tables/merchants.js';
import type { Core } from './core.js';
import { requireMerchant } from './required.js';
import { type MerchantView, merchantView } from './views.js';

const ACTIONS: Readonly<Record<MerchantTable['status'], string>> = {
  ACTIVE: 'merchant.activate',
  SUSPENDED: 'merchant.suspend',
};

/**
 * A merchant that is in that state already stays so, without an audit row.
 * @param input.merchant identifier or name.
 * @throws KashboxError `not_found`
 */
export async function changeMerchantStatus(
  core: Core,
  input: { readonly merchant: string; readonly status: MerchantTable['status']; readonly who: string },
): Promise<MerchantView> {
  const { status, who } = input;
  return core.store.write(async (db) => {
    const row = await requireMerchant(db, input.merchant);
    if (row.status === status) return merchantView(row);
    await changeMerchant(db, row.id, { status });
    await writeAudit(db, core.random, {
      at: core.clock.now(),
      who,
      action: ACTIONS[status],
      subject: row.id,
      before: { status: row.status },
      after: { status },
    });
    return merchantView({ ...row, status });
  });
}
