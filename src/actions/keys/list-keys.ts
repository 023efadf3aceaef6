/** Brand Keys by their hints; the keys themselves are not kept. */
import { listedKeys } from '../../store/tables/keys.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { type KeyView, keyView } from './key-view.js';

/**
 * @param input.brand identifier or name; absent for all.
 * @returns the oldest first, dead ones too.
 * @throws KashboxError `not_found`
 */
export async function listKeys(
  core: Core,
  input: { readonly brand?: string | undefined },
): Promise<KeyView[]> {
  return core.store.read(async (db) => {
    const brand = input.brand === undefined ? null : await requireBrand(db, input.brand);
    const rows = await listedKeys(db, brand?.id ?? null);
    return rows.map((row) => keyView(row, core.clock.now()));
  });
}
