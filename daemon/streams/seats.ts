/**
 * Who waits for what: several under one id, in the order in which they came. Knows neither streams nor what
 * they wait for.
 */

export interface Seats<Seat> {
  readonly taken: () => number;
  readonly ids: () => string[];
  /** Those who are told may leave meanwhile. */
  readonly of: (id: string) => Iterable<Seat>;
  /** Everybody; the same holds. */
  readonly all: () => Iterable<Seat>;
  /** @param listen called for the first one of an id; what it returns, after the last one has left. */
  readonly take: (id: string, seat: Seat, listen: () => () => void) => void;
  /** @returns false for who has left before. */
  readonly leave: (id: string, seat: Seat) => boolean;
}

export function openSeats<Seat>(): Seats<Seat> {
  const entries = new Map<string, { readonly seats: Set<Seat>; readonly deaf: () => void }>();
  let taken = 0;
  return {
    taken: () => taken,
    ids: () => [...entries.keys()],
    // No copies: thousands who wait are gone through twice a second.
    of: (id) => entries.get(id)?.seats ?? [],
    *all() {
      for (const { seats } of entries.values()) yield* seats;
    },
    take(id, seat, listen) {
      const entry = entries.get(id) ?? { seats: new Set(), deaf: listen() };
      entries.set(id, entry);
      entry.seats.add(seat);
      taken += 1;
    },
    leave(id, seat) {
      const entry = entries.get(id);
      if (entry === undefined || !entry.seats.delete(seat)) return false;
      taken -= 1;
      if (entry.seats.size === 0) {
        entry.deaf();
        entries.delete(id);
      }
      return true;
    },
  };
}
