/** The keys under which shops repeat a create, each with what was answered the first time. */
import { hot } from '../compiled-query.js';

/**
 * Takes a key, also one whose time is over; of several who take it at once one gets it, and the others wait
 * until that one is written.
 * @returns nothing where it is taken.
 */
export const takeKey = hot<{ key: string; request: string; now: number; over: number }>()((db, value) =>
  db.query
    .insertInto('idempotency_keys')
    .values({ key_hash: value('key'), request_hash: value('request'), answer: '', created_at: value('now') })
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet({ request_hash: value('request'), answer: '', created_at: value('now') })
        .where('idempotency_keys.created_at', '<=', value('over')),
    )
    .returning('key_hash'),
);

export const answerOfKey = hot<{ key: string }>()((db, value) =>
  db.query
    .selectFrom('idempotency_keys')
    .where('key_hash', '=', value('key'))
    .select(['request_hash', 'answer']),
);

/** Writes what is answered under a key that was taken in the same unit of work. */
export const keepAnswer = hot<{ key: string; answer: string }>()((db, value) =>
  db.query
    .updateTable('idempotency_keys')
    .set({ answer: value('answer') })
    .where('key_hash', '=', value('key')),
);
