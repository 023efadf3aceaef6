/** Limits that all daemons on one store keep together: which of them has taken how much of whose minute. */
import { hash } from 'node:crypto';
import type { Store } from '../../store/store.js';
import { forgetWindows, takePlaces, usedPlaces, type WindowUsage } from '../../store/tables/limits.js';

export interface RateWindows {
  /**
   * Takes a number of places in a caller's window, which begins now if none is open.
   * @param limit name of the limit, such as `requests`.
   * @param lengthMs length of a window.
   * @returns the usage of the window by all daemons, including these places
   * @throws KashboxError `store_unreachable` and other errors of the store
   */
  take(limit: string, caller: string, places: number, lengthMs: number): Promise<WindowUsage>;
  /** @returns the usage of the open window; undefined if there is none. @throws as `take`. */
  look(limit: string, caller: string, lengthMs: number): Promise<WindowUsage | undefined>;
}

/** Number of takes in this process after which expired windows are deleted. */
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
