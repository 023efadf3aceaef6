/** What is in the store for phones that listen. Knows no stream. */
import type { PhoneCalls } from '../../domain/devices/waking.js';
import { hotIn } from '../compiled-query.js';
import type { Db } from '../schema/index.js';

const rows = hotIn<Record<never, never>>()((db, _value, ids) =>
  db.query
    .selectFrom('devices as d')
    .where('d.id', 'in', [...ids])
    .select((select) => [
      'd.id',
      'd.key_hash',
      'd.revoked_at',
      'd.resend_since',
      // One step in an index for each phone, however much waits.
      select
        .selectFrom('dispatches as q')
        .whereRef('q.device_id', '=', 'd.id')
        .where('q.state', '=', 'QUEUED')
        .select((of) => of.fn.max('q.id').as('newest'))
        .as('newest'),
    ]),
);

/** @param ids of phones, at least one. @returns what is there for each that there is. */
export async function callsFor(db: Db, ids: readonly string[]): Promise<Map<string, PhoneCalls>> {
  const found = await rows(db, {}, ids);
  return new Map(
    found.map((row) => [
      row.id,
      {
        keyHash: row.key_hash,
        isRevoked: row.revoked_at !== null,
        resendSince: row.resend_since,
        newestQueued: row.newest,
      },
    ]),
  );
}
