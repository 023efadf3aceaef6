/** QR codes of sessions, under names that nobody can guess. */
import { hot } from '../compiled-query.js';
import { inserter } from '../compiled-rows.js';

export const insertCode = inserter('codes');

export const codeByToken = hot<{ token: string }>()((db, value) =>
  db.query.selectFrom('codes').where('token', '=', value('token')).select('payload'),
);

export const codeOfSession = hot<{ session: string }>()((db, value) =>
  db.query.selectFrom('codes').where('session_id', '=', value('session')).select(['token', 'payload']),
);
