/** Hot queries: the text that is prepared once, and what is bound to it for each run. */
import test from 'ava';
import { dbOver } from '../../src/store/dialect.js';
import { hot } from '../../src/store/hot.js';
import { engines } from '../helpers/engines.js';

const waiting = hot<{ merchant: string; limit: number }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('merchant_id', '=', value.merchant)
    .where('state', '=', 'WAITING')
    .where('session_id', 'in', (sub) =>
      sub.selectFrom('sessions').where('misses', '<', 3).limit(value.limit).select('id'),
    )
    .limit(1)
    .select('reference'),
);

for (const engine of engines) {
  const mark = (n: number) => (engine === 'sqlite' ? '?' : `$${n}`);

  test(`${engine}: only what differs between runs is bound, and SQLite's planner sees no limit that is`, async (t) => {
    const ran: [string, readonly unknown[]][] = [];
    const db = dbOver(engine, (sql, parameters) => {
      ran.push([sql, parameters]);
      return { rows: [], changed: 0 };
    });
    await waiting.all(db, { merchant: "o'm", limit: 5 });
    t.is(await waiting.first(db, { merchant: 'm2', limit: 6 }), undefined);
    const text =
      `select "reference" from "claims" where "merchant_id" = ${mark(1)} and "state" = 'WAITING' ` +
      `and "session_id" in (select "id" from "sessions" where "misses" < 3 limit ${mark(2)} + 0) limit 1`;
    t.deepEqual(ran, [
      [text, ["o'm", 5]],
      [text, ['m2', 6]],
    ]);
  });
}
