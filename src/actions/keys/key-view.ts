/**
 * How a Brand Key looks from outside: what the command line prints as JSON. Neither key nor hash gets into
 * it.
 */
import { dhakaIso } from '../../base/values/clock.js';

/** `ENDING`: replaced, and good for a while yet. */
export type KeyState = 'ACTIVE' | 'ENDING' | 'DEAD';

export interface KeyView {
  readonly id: string;
  readonly brand_id: string;
  readonly brand: string;
  readonly hint: string;
  readonly state: KeyState;
  readonly created_at: string;
  readonly dies_at: string | null;
}

export interface KeyRow {
  readonly id: string;
  readonly brand_id: string;
  readonly brand: string;
  readonly hint: string;
  readonly created_at: number;
  readonly dies_at: number | null;
}

/** @param diesAt milliseconds since the epoch, null for never. */
function keyState(diesAt: number | null, now: number): KeyState {
  if (diesAt === null) return 'ACTIVE';
  return diesAt > now ? 'ENDING' : 'DEAD';
}

export function keyView(row: KeyRow, now: number): KeyView {
  return {
    id: row.id,
    brand_id: row.brand_id,
    brand: row.brand,
    hint: row.hint,
    state: keyState(row.dies_at, now),
    created_at: dhakaIso(row.created_at),
    dies_at: row.dies_at === null ? null : dhakaIso(row.dies_at),
  };
}
