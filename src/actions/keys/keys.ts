/** Brand Keys: created, listed, rotated and revoked. Views contain neither the key nor its hash. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey, keyHint } from '../../base/io/secret.js';
import { dhakaIso, minute } from '../../base/values/clock.js';
import { newBrandKey, newRowId, newTestBrandKey } from '../../base/values/ids.js';
import type { BrandKeyTable } from '../../store/schema/index.js';
import { endKey, endKeys, insertKey, listedKeys } from '../../store/tables/access.js';
import { writeAudit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { idOfBrand, requireBrand, requireKey } from '../input/require-row.js';
import { defineView } from '../input/view.js';

/** Makes key row and key of a brand. The key itself is in no row, and says whether the brand is for tests. */
export function issueBrandKey(
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
    expires_at: null,
  };
  return { row, key };
}

/** `EXPIRING`: replaced, and good for a while yet. */
type KeyState = 'ACTIVE' | 'EXPIRING' | 'REVOKED';

export type KeyView = ReturnType<typeof keyView>;

/** @param diesAt milliseconds since the epoch, null for never. */
function keyState(diesAt: number | null, now: number): KeyState {
  if (diesAt === null) return 'ACTIVE';
  return diesAt > now ? 'EXPIRING' : 'REVOKED';
}

type KeyRow = Awaited<ReturnType<typeof listedKeys>>[number];

/** View of a key. The second argument is the current time, milliseconds since the epoch. */
export const keyView = defineView<KeyRow, number>()(({ same, times }) => ({
  ...same('id', 'brand_id', 'brand', 'hint'),
  state: (row, now) => keyState(row.expires_at, now),
  ...times('created_at', 'expires_at'),
}));

export const keySheet = keyView.sheet({
  hint: 'Key',
  id: 'Id',
  brand: 'Brand',
  brand_id: null,
  state: 'State',
  created_at: ['Since', ({ created_at }) => minute(created_at)],
  expires_at: ['Dies', ({ expires_at }) => minute(expires_at)],
});

/**
 * @param input.brand identifier or name; absent for all.
 * @returns the oldest first, including expired and revoked ones.
 * @throws KashboxError `not_found`
 */
export async function listKeys(
  core: Core,
  input: { readonly brand?: string | undefined },
): Promise<KeyView[]> {
  return core.store.read(async (db) => {
    const rows = await listedKeys(db, await idOfBrand(db, input.brand));
    return rows.map((row) => keyView(row, core.clock.now()));
  });
}

interface RotatedKey {
  readonly brand: { readonly id: string; readonly name: string };
  readonly key: { readonly id: string; readonly hint: string };
  /** New key, shown only once. */
  readonly brand_key: string;
  readonly old_keys: { readonly ids: readonly string[]; readonly expires_at: string };
}

/** Maximum overlap; a longer one would not be a rotation but two keys. */
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
    const { row, key } = issueBrandKey(core, brand);
    await insertKey(db, row);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'key.rotate',
      subject: brand.id,
      before: { keys: ended },
      after: { key: row.id, hint: row.hint, old_keys_expire_at: diesAt },
    });
    return {
      brand: { id: brand.id, name: brand.name },
      key: { id: row.id, hint: row.hint },
      brand_key: key,
      old_keys: { ids: ended, expires_at: dhakaIso(diesAt) },
    };
  });
}

/**
 * Revokes a key. A key that has already expired or been revoked stays unchanged, without an audit row.
 * @throws KashboxError `not_found`
 */
export async function revokeKey(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<KeyView> {
  return core.store.write(async (db) => {
    const row = await requireKey(db, input.id);
    const now = core.clock.now();
    if (row.expires_at !== null && row.expires_at <= now) return keyView(row, now);
    await endKey(db, row.id, now);
    await writeAudit(db, core.random, {
      at: now,
      who: input.who,
      action: 'key.revoke',
      subject: row.id,
      before: { brand: row.brand_id, expires_at: row.expires_at },
      after: { brand: row.brand_id, expires_at: now },
    });
    return keyView({ ...row, expires_at: now }, now);
  });
}
