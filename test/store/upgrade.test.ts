/** Stores of before keep what they know: what a migration does to rows that are there. */
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { dbOver } from '../../src/store/dialect.js';
import { MIGRATIONS, migrate } from '../../src/store/migrate.js';
import type { Db, Engine } from '../../src/store/schema/index.js';
import { cachedExecute } from '../../src/store/sqlite.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { engines, temporaryFolder } from '../helpers/stores/engines.js';
import { freshDatabase } from '../helpers/stores/postgres.js';

/** An empty database without any of our stores around it. */
async function bareDatabase(t: ExecutionContext<unknown>, engine: Engine): Promise<Db> {
  if (engine === 'sqlite') {
    const raw = new SqliteFile(join(await temporaryFolder(t), 'old.db'));
    t.teardown(() => raw.close());
    return dbOver('sqlite', cachedExecute(raw));
  }
  const client = new pg.Client({ connectionString: await freshDatabase(t) });
  await client.connect();
  t.teardown(() => client.end());
  return dbOver('postgres', async <Row>(text: string, parameters: readonly unknown[]) => {
    const { rows, rowCount } = await client.query(text, [...parameters]);
    return { rows: rows as Row[], changed: rowCount ?? 0 };
  });
}

const OLD_ROWS = [
  `INSERT INTO merchants VALUES ('mer_1', 'Alo Store', 'ACTIVE', '', '', '', '[]', 1)`,
  `INSERT INTO brands (id, merchant_id, name, mobile, whatsapp, email, webhook_secret, session_minutes,
    proof_window_hours, created_at) VALUES ('brd_1', 'mer_1', 'Alo Store', '', '', '', 'x', 60, 24, 1)`,
  `INSERT INTO accounts (id, brand_id, channel, type, number, active, created_at)
    VALUES ('acc_1', 'brd_1', 'bep20', 'transfer', '0xA', 1, 1)`,
  ...['wallet', 'unknown', 'bank'].flatMap((name) => [
    `INSERT INTO sessions (id, brand_id, gateway_reference, flow, status, reason, cus_name, cus_email,
      amount_paisa, misses, created_at, expires_at)
      VALUES ('${name}', 'brd_1', 'GW${name}', 'headless', 'COMPLETED', 'credited', '', '', 1, 0, 1, 2)`,
  ]),
  ...[
    ['wallet', 'mfs_a', 'DHL60302ZX', "'01711000001'"],
    ['unknown', 'mfs_c', '6868000001', 'NULL'],
    ['bank', 'bank', 'FT-26 11.IO#7', 'NULL'],
  ].flatMap(([name, channel, reference, recipient]) => [
    `INSERT INTO proofs (id, merchant_id, channel, reference, recipient, kind, settle, at, source_id,
      created_at) VALUES ('prf_${name}', 'mer_1', '${channel}', '${reference}', ${recipient}, 'received',
      'auto', 1, 's_${name}', 1)`,
    `INSERT INTO transactions (id, session_id, brand_id, proof_id, channel, reference, amount_paisa,
      credited_at, credited_by) VALUES ('trx_${name}', '${name}', 'brd_1', 'prf_${name}', '${channel}',
      '${reference}', 1, 1, 'rule')`,
  ]),
  `INSERT INTO quotes (session_id, channel, account_id, receiver, rate, amount, held_until)
    VALUES ('wallet', 'bep20', 'acc_1', '0xA', 1, 100, 99)`,
];

for (const engine of engines) {
  test(`${engine}: money of before is spent by its receiving number, and held by its merchant`, async (t) => {
    const db = await bareDatabase(t, engine);
    const run = <T>(work: (one: Db) => Promise<T>) => work(db);
    await migrate(run, 1, MIGRATIONS.slice(0, 5));
    for (const statement of OLD_ROWS) await db.execute(statement, []);
    await migrate(run, 2);
    const spent = await db.query
      .selectFrom('transactions')
      .orderBy('session_id')
      .select(['session_id', 'scope', 'folded'])
      .execute();
    t.deepEqual(spent, [
      { session_id: 'bank', scope: '', folded: 'FT2611107' },
      { session_id: 'unknown', scope: '', folded: null },
      { session_id: 'wallet', scope: '01711000001', folded: null },
    ]);
    t.deepEqual(await db.query.selectFrom('quotes').select(['merchant_id', 'receiver']).execute(), [
      { merchant_id: 'mer_1', receiver: '0xA' },
    ]);
    const hold = (merchant: string) =>
      db.execute(
        `INSERT INTO quotes (session_id, channel, account_id, receiver, rate, amount, held_until, merchant_id)
         VALUES ('bank', '${merchant}', 'acc_1', '0xA', 1, 100, 99, '${merchant}')`,
        [],
      );
    await t.notThrowsAsync(hold('mer_2'));
    await t.throwsAsync(hold('mer_1'), { any: true });
  });
}
