/** QR codes of sessions, under names that nobody can guess. */
import { hot } from '../compiled-query.js';
import type { CodeTable } from '../schema/index.js';

export const insertCode = hot<{ [Column in keyof CodeTable]: CodeTable[Column] }>()((db, value) =>
  db.query.insertInto('codes').values({
    token: value.token,
    session_id: value.session_id,
    payload: value.payload,
    created_at: value.created_at,
  }),
);

export const codeByToken = hot<{ token: string }>()((db, value) =>
  db.query.selectFrom('codes').where('token', '=', value.token).select('payload'),
);

export const codeOfSession = hot<{ session: string }>()((db, value) =>
  db.query.selectFrom('codes').where('session_id', '=', value.session).select(['token', 'payload']),
);
