/** Gives a brand a new key and ends the old ones, at once or after an overlap. */

import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { writeAudit } from '../../store/tables/audit.js';
import { endKeys, insertKey } from '../../store/tables/keys.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { requireBrand } from '../input/require-row.js';
import { newKeyOf } from './new-key.js';

interface RotatedKey {
  readonly brand: { readonly id: string; readonly name: string };
  readonly key: { readonly id: string; readonly hint: string };
  /** Shown once and never again. */
  readonly brand_key: string;
  readonly old_keys: { readonly ids: readonly string[]; readonly die_at: string };
}

/** Longer than this is no rotation but two keys. */
const MAX_OVERLAP_MS = 30 * 86_400_000;

/**
 * @param input.brand identifier or name.
 * @param input.overlapMs how long the old keys still work; 0 ends them with this call.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function rotateKey(
  core: Core,
  input: { readonly brand: string; readonly overlapMs: number; readonly who: string },
): Promise<RotatedKey> {
  if (input.overlapMs < 0 || input.overlapMs > MAX_OVERLAP_MS) {
    throw new KashboxError('invalid_input', {
      message: 'overlap may be at most 30 days',
      hint: 'Give a shorter time such as 1h, or leave it out to end the old key now.',
    });
  }
  return core.store.write(async (db) => {
    const brand = await requireBrand(db, input.brand);
    // Of two rotations at once the second must also end the key that the first has made.
    await lockMerchant(db, brand.merchant_id);
    const now = core.clock.now();
    const diesAt = now + input.overlapMs;
    const ended = await endKeys(db, brand.id, diesAt);
    const { row, key } = newKeyOf(core, brand);
    await insertKey(db, row);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'key.rotate',
      subject: brand.id,
      before: { keys: ended },
      after: { key: row.id, hint: row.hint, old_keys_die_at: diesAt },
    });
    return {
      brand: { id: brand.id, name: brand.name },
      key: { id: row.id, hint: row.hint },
      brand_key: key,
      old_keys: { ids: ended, die_at: dhakaIso(diesAt) },
    };
  });
}
