/** Hot queries: the text that is prepared once, and what is bound to it for each run. */
import test from 'ava';
import { prepared, preparedIn } from '../../src/store/compiled-query.js';
import { createDb } from '../../src/store/dialect.js';
import { engines } from '../helpers/stores/engines.js';

const waiting = prepared<{ merchant: string; limit: number }>()((db, value) =>
  db.query
    .selectFrom('claims')
    .where('merchant_id', '=', value('merchant'))
    .where('state', '=', 'WAITING')
    .where('session_id', 'in', (sub) =>
      sub.selectFrom('sessions').where('misses', '<', 3).limit(value('limit')).select('id'),
    )
    .limit(1)
    .select('reference'),
);

const putQueued = prepared<{ id: string }>()((db, value) =>
  db.query.insertInto('claims').values({ id: value('id'), state: 'WAITING', tries: 0 } as never),
);

const among = preparedIn<{ merchant: string }>()((db, value, ids) =>
  db.query
    .selectFrom('claims')
    .where('merchant_id', '=', value('merchant'))
    .where('state', 'in', ['WAITING', 'REVIEW'])
    .where('id', 'in', ids)
    .select('reference'),
);

for (const engine of engines) {
  const mark = (n: number) => (engine === 'sqlite' ? '?' : `$${n}`);

  test(`${engine}: only what differs between runs is bound`, async (t) => {
    const ran: [string, readonly unknown[]][] = [];
    const db = createDb(engine, (sql, parameters) => {
      ran.push([sql, parameters]);
      return { rows: [], changed: 0 };
    });
    await waiting.all(db, { merchant: "o'm", limit: 5 });
    t.is(await waiting.first(db, { merchant: 'm2', limit: 6 }), undefined);
    const text =
      `select "reference" from "claims" where "merchant_id" = ${mark(1)} and "state" = 'WAITING' ` +
      `and "session_id" in (select "id" from "sessions" where "misses" < 3 limit ${mark(2)}) limit 1`;
    t.deepEqual(ran, [
      [text, ["o'm", 5]],
      [text, ['m2', 6]],
    ]);
  });

  test(`${engine}: constants of a list are in the text, its values are bound, padded to a power of two`, async (t) => {
    const ran: [string, readonly unknown[]][] = [];
    const db = createDb(engine, (sql, parameters) => {
      ran.push([sql, parameters]);
      return { rows: [], changed: 0 };
    });
    await putQueued.all(db, { id: 'c1' });
    await among(db, { merchant: 'm1' }, ['a', 'b', 'c']);
    await among(db, { merchant: 'm1' }, ['a']);
    const text =
      `select "reference" from "claims" where "merchant_id" = ${mark(1)} ` +
      `and "state" in ('WAITING', 'REVIEW') and "id" `;
    t.deepEqual(ran, [
      [`insert into "claims" ("id", "state", "tries") values (${mark(1)}, 'WAITING', 0)`, ['c1']],
      [`${text}in (${[2, 3, 4, 5].map(mark).join(', ')})`, ['m1', 'a', 'b', 'c', 'c']],
      [`${text}in (${mark(2)})`, ['m1', 'a']],
    ]);
  });
}
