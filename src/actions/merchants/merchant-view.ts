/** How a merchant looks from outside, and all of them. */
import type { MerchantTable } from '../../store/schema/index.js';
import { allMerchants } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { viewOf } from '../input/view.js';

export type MerchantView = ReturnType<typeof merchantView>;

export const merchantView = viewOf<MerchantTable>()(({ same, times }) => ({
  ...same('id', 'name', 'status', 'mobile', 'whatsapp', 'email'),
  /** Empty means any address. */
  allow_ips: (row) => JSON.parse(row.allow_ips) as readonly string[],
  ...times('created_at'),
}));

/** @returns the oldest first. */
export async function listMerchants(core: Core): Promise<MerchantView[]> {
  const rows = await core.store.read(allMerchants);
  return rows.map((row) => merchantView(row));
}
