/** How a Brand Key looks from outside, and lists of them. Neither key nor hash gets into it. */
import { listedKeys } from '../../store/tables/access.js';
import type { Core } from '../core/core.js';
import { idOfBrand } from '../input/require-row.js';
import { viewOf } from '../input/view.js';

/** `ENDING`: replaced, and good for a while yet. */
type KeyState = 'ACTIVE' | 'ENDING' | 'DEAD';

export type KeyView = ReturnType<typeof keyView>;

/** @param diesAt milliseconds since the epoch, null for never. */
function keyState(diesAt: number | null, now: number): KeyState {
  if (diesAt === null) return 'ACTIVE';
  return diesAt > now ? 'ENDING' : 'DEAD';
}

type KeyRow = Awaited<ReturnType<typeof listedKeys>>[number];

/** Given the time now in milliseconds. */
export const keyView = viewOf<KeyRow, number>()(({ same, times }) => ({
  ...same('id', 'brand_id', 'brand', 'hint'),
  state: (row, now) => keyState(row.dies_at, now),
  ...times('created_at', 'dies_at'),
}));

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
    const rows = await listedKeys(db, await idOfBrand(db, input.brand));
    return rows.map((row) => keyView(row, core.clock.now()));
  });
}
