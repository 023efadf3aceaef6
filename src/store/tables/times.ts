/** Resets times that a fast clock has set in the future, so that work that depends on them continues. */
import type { Db } from '../schema/index.js';

/** Milliseconds since the epoch: a time after `ahead` is reset to `now`. */
interface Now {
  readonly now: number;
  readonly ahead: number;
}

/** Resets the lookup times of claims. @param input.dueAfter latest time that a lookup may be postponed to. */
export async function resetClaimTimes(
  db: Db,
  { now, dueAfter }: { readonly now: number; readonly dueAfter: number },
): Promise<void> {
  await db.query
    .updateTable('claims')
    .set({ next_at: now })
    .where('state', '=', 'WAITING')
    .where('next_at', '>', dueAfter)
    .execute();
}

/** A phone that was seen in the future would pass for one that is online until then. */
export async function resetCallTimes(db: Db, { now, ahead }: Now): Promise<void> {
  await db.query
    .updateTable('devices')
    .set({ last_seen_at: now })
    .where('last_seen_at', '>', ahead)
    .execute();
}

/** Shortens leases of dispatches. @param endsBy latest time at which a lease may end. */
export async function shortenLeases(db: Db, endsBy: number): Promise<void> {
  await db.query
    .updateTable('dispatches')
    .set({ lease_ends_at: endsBy })
    .where('state', '=', 'LEASED')
    .where('lease_ends_at', '>', endsBy)
    .execute();
}

/** Resets the scan position of the gap check, and the step times of open gaps. */
export async function resetGapTimes(
  db: Db,
  { now, ahead, lookFrom }: Now & { readonly lookFrom: number },
): Promise<void> {
  await db.query
    .updateTable('gap_looks')
    .set({ stored_at: lookFrom, sms_id: '' })
    .where('stored_at', '>', ahead)
    .execute();
  for (const column of ['found_at', 'asked_at', 'answered_at'] as const) {
    await db.query
      .updateTable('sms_gaps')
      .set({ [column]: now, look_at: now })
      .where('closed_at', 'is', null)
      .where(column, '>', ahead)
      .execute();
  }
}
