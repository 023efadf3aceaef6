/** Every merchant of the installation. */
import { allMerchants } from '../../store/tables/merchants.js';
import type { Core } from '../core/core.js';
import { type MerchantView, merchantView } from './merchant-view.js';

/** @returns the oldest first. */
export async function listMerchants(core: Core): Promise<MerchantView[]> {
  const rows = await core.store.read(allMerchants);
  return rows.map(merchantView);
}
