/** Limits that all daemons on one store keep together: which of them has taken how much of whose minute. */
import { hash } from 'node:crypto';
import type { Store } from '../../store/store.js';
import { forgetWindows, takePlaces, type Used, usedPlaces } from '../../store/tables/limits.js';

export interface RateWindows {
  /**
   * Takes so many places of a caller's window, which begins now where none is open.
   * @param limit names what is limited, such as `requests`.
   * @param lengthMs of a window.
   * @returns what all daemons have taken of it, these places included
   * @throws KashboxError `store_unreachable` and others of the store
   */
  take(limit: string, caller: string, places: number, lengthMs: number): Promise<Used>;
  /** @returns what was taken of a window that is open, undefined where none is. @throws as `take`. */
  look(limit: string, caller: string, lengthMs: number): Promise<Used | undefined>;
}

/** Windows that are over are deleted after so many takes of this process. */
const TAKES_UNTIL_CLEARED = 1_000;

/** @returns null where the store has no table for it, because one daemon is all there is. */
export function openRateWindows(store: Store): RateWindows | null {
  if (store.engine === 'sqlite') return null;
  let takes = 0;
  return {
    async take(limit, caller, places, length) {
      takes += 1;
      if (takes % TAKES_UNTIL_CLEARED === 0) await store.write(forgetWindows).catch(() => {});
      return store.write((db) => takePlaces(db, { caller: nameOf(limit, caller), length }, places));
    },
    look: (limit, caller, length) =>
      store.read((db) => usedPlaces(db, { caller: nameOf(limit, caller), length })),
  };
}

/** Short, and without the address of anybody. */
const nameOf = (limit: string, caller: string) =>
  hash('sha256', `${limit} ${caller}`, 'base64url').slice(0, 22);
