/** Times that a clock which was ahead has left in the future, brought back to where work goes on by them. */
import type { Db } from '../schema/index.js';

/** Milliseconds since the epoch: what is later than `ahead` is brought back to `now`. */
interface Now {
  readonly now: number;
  readonly ahead: number;
}

/** Claims that are asked for outside. @param input.dueAfter none is put off further than that. */
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

/** How long a phone may be silent about what it took. @param endsBy no lease lasts longer than that. */
export async function shortenLeases(db: Db, endsBy: number): Promise<void> {
  await db.query
    .updateTable('dispatches')
    .set({ lease_ends_at: endsBy })
    .where('state', '=', 'LEASED')
    .where('lease_ends_at', '>', endsBy)
    .execute();
}

/** From where on SMS are looked at for gaps, and when what is done about open gaps began. */
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
