/** Brands of one merchant or of all. */
import { listedBrands } from '../../store/tables/brands.js';
import type { Core } from '../core/core.js';
import { requireMerchant } from '../input/require-row.js';
import { type BrandView, brandView } from './brand-view.js';

/**
 * @param input.merchant identifier or name; absent for all.
 * @returns the oldest first.
 * @throws KashboxError `not_found`
 */
export async function listBrands(
  core: Core,
  input: { readonly merchant?: string | undefined },
): Promise<BrandView[]> {
  return core.store.read(async (db) => {
    const merchant = input.merchant === undefined ? null : await requireMerchant(db, input.merchant);
    const rows = await listedBrands(db, merchant?.id ?? null);
    return rows.map((row) => brandView(row, core.clock.now()));
  });
}
