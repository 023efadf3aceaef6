/** Makes a Brand Key. */

import { hashKey, keyHint } from '../../base/io/secret.js';
import { newBrandKey, newRowId } from '../../base/values/ids.js';

import type { BrandKeyTable } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';

/** Makes key row and key of a brand. The key itself is in no row. */
export function newKeyOf(core: Core, brandId: string): { readonly row: BrandKeyTable; readonly key: string } {
  const key = newBrandKey(core.random);
  const row = {
    id: newRowId(core.random, core.clock.now(), 'key'),
    brand_id: brandId,
    hash: hashKey(key),
    hint: keyHint(key),
    created_at: core.clock.now(),
    dies_at: null,
  };
  return { row, key };
}
