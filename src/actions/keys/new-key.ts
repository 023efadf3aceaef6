/** Makes a Brand Key. */

import { hashKey, keyHint } from '../../base/io/secret.js';
import { newBrandKey, newRowId, newTestBrandKey } from '../../base/values/ids.js';

import type { BrandKeyTable } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';

/** Makes key row and key of a brand. The key itself is in no row, and says whether the brand is for tests. */
export function newKeyOf(
  core: Core,
  brand: { readonly id: string; readonly test_of: string | null },
): { readonly row: BrandKeyTable; readonly key: string } {
  const key = brand.test_of === null ? newBrandKey(core.random) : newTestBrandKey(core.random);
  const row = {
    id: newRowId(core.random, core.clock.now(), 'key'),
    brand_id: brand.id,
    hash: hashKey(key),
    hint: keyHint(key),
    created_at: core.clock.now(),
    dies_at: null,
  };
  return { row, key };
}
