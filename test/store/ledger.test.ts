/** A ledger whose tables can be filled in their order, that is copied while it is written, and compared. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  checkedWriter,
  type LedgerFacts,
  type LedgerTarget,
  ledgerTables,
} from '../../src/store/backup/ledger.js';
import { openPostgresSnapshot } from '../../src/store/backup/postgres-ledger.js';
import { copySqlite, fillSqlite, openSqliteCopy } from '../../src/store/backup/sqlite-ledger.js';
import { MIGRATIONS } from '../../src/store/migrate.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { openShop } from '../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';
import { multiply } from '../helpers/stores/many-rows.js';

for (const { version } of MIGRATIONS) {
  test(`after migration ${version} no table is left out, and none refers to one behind it`, async (t) => {
    const file = join(await temporaryFolder(t), 'kashbox.db');
    await (await fillSqlite(file, version, 1)).close();
    const store = new SqliteFile(file, { readOnly: true });
    t.teardown(() => store.close());
    const made = store.column("SELECT name FROM sqlite_master WHERE type = 'table'") as string[];
    const tables = ledgerTables(version);
    t.deepEqual([...tables].sort(), made.sort());
    for (const [at, table] of tables.entries()) {
      const before = [...tables.slice(0, at), table];
      const named = store.prepare(`PRAGMA foreign_key_list(${table})`).all() as unknown as {
        readonly table: string;
      }[];
      t.deepEqual(
        named.map((one) => one.table).filter((name) => !before.includes(name)),
        [],
        table,
      );
    }
  });
}

// What arrives in another store is compared row by row before it is kept.

const FACTS: LedgerFacts = { schemaVersion: MIGRATIONS.length, payments: 0, merchants: 0, phones: 0 };
const ROWS = ['{"id":"a","at":1}', '{"id":"b","at":2}', '{"id":"b","at":2}'];

/** A store that keeps rows as they come, and gives them back as `back` makes them. */
function storeThat(back: (rows: readonly string[]) => readonly string[], facts = FACTS) {
  const tables = new Map<string, string[]>();
  const done = { isCommitted: false, isClosed: false };
  const target: LedgerTarget = {
    schemaVersion: MIGRATIONS.length,
    insert: async (table, rows) => void tables.set(table, [...(tables.get(table) ?? []), ...rows]),
    facts: async () => facts,
    rows: async function* (table) {
      const rows = back(tables.get(table) ?? []);
      if (rows.length > 0) yield rows;
    },
    commit: async () => {
      done.isCommitted = true;
    },
    close: async () => {
      done.isClosed = true;
    },
  };
  return { target, done };
}

async function kept(back: (rows: readonly string[]) => readonly string[], facts = FACTS): Promise<string> {
  const { target, done } = storeThat(back, facts);
  const writer = checkedWriter(target);
  for (const row of ROWS) await writer.add('audit', [row]);
  const result = await writer.keep(FACTS).then(
    () => 'kept',
    ({ code, cause }: { code: string; cause: Error }) => `${code} ${cause.message}`,
  );
  return `${result}${done.isCommitted ? ', committed' : ''}`;
}

test('rows and columns may come back in any order', async (t) => {
  t.is(await kept((rows) => rows), 'kept, committed');
  t.is(await kept((rows) => rows.toReversed()), 'kept, committed');
  t.is(
    await kept((rows) => rows.map((row) => row.replace(/"id":"(.)","at":(.)/, '"at": $2, "id":"$1"'))),
    'kept, committed',
  );
});

test('a copy with missing, duplicate or changed rows is not kept, and its table is named', async (t) => {
  const faults: readonly ((rows: readonly string[]) => readonly string[])[] = [
    (rows) => rows.slice(1),
    (rows) => [...rows, ...rows],
    (rows) => (rows.length === 0 ? rows : [...rows, '{"id":"c","at":3}']),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":3')),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":"2"')),
    (rows) => rows.map((row) => row.replace('"at":2', '"at":null')),
    (rows) => [rows[0] ?? '', rows[0] ?? '', rows[1] ?? ''].slice(0, rows.length),
  ];
  for (const fault of faults) t.is(await kept(fault), 'backup_damaged table audit', String(fault));
});

test('rows in a table that nothing was written to, and other totals, are noticed', async (t) => {
  const other = (rows: readonly string[]) => (rows.length === 0 ? ['{"id":"x"}'] : rows);
  t.is(await kept(other), `backup_damaged table ${ledgerTables(MIGRATIONS.length)[0]}`);
  t.is(await kept((rows) => rows, { ...FACTS, payments: 1 }), 'backup_damaged table sessions');
});

// A ledger is copied as it was when the copy began, whatever is written while it is made.

/** Several steps of a copy. */
const PAYMENTS = 10_000;

test('SQLite: others write between the steps of a copy, and it neither has their rows nor begins again', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const shop = await openShop(core);
  await shop.order(50_000);
  await multiply(core, 'sessions', PAYMENTS);
  const other = new SqliteFile(core.home.storeFile);
  t.teardown(() => other.close());
  const add = other.prepare("INSERT INTO installation VALUES ('test' || random(), '')");
  const target = join(await temporaryFolder(t), 'copy.db');
  const done: number[] = [];
  const facts = await copySqlite(core.home.storeFile, target, {
    signal: new AbortController().signal,
    onBytes: (bytes) => {
      done.push(bytes);
      // Not for ever: a copy that begins again would never end.
      if (done.length < 20) add.run();
    },
  });
  t.true(done.length > 2, 'so that something was written between');
  t.deepEqual(
    done,
    done.toSorted((one, next) => one - next),
  );
  t.is(facts.payments, PAYMENTS);
  const copy = new SqliteFile(target, { readOnly: true });
  t.is(copy.column("SELECT count(*) FROM installation WHERE name LIKE 'test%'")[0], 0);
  copy.close();
  t.is(statSync(target).mode & 0o777, 0o600);
  t.deepEqual(readdirSync(join(target, '..')), ['copy.db']);
});

test('SQLite: a copy that is damaged, or another than the manifest says, is refused', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const target = join(await temporaryFolder(t), 'copy.db');
  const signal = new AbortController().signal;
  const facts = await copySqlite(core.home.storeFile, target, { signal, onBytes: () => {} });
  await openSqliteCopy(target, facts).close();
  t.throws(() => openSqliteCopy(target, { ...facts, phones: 1 }), { code: 'backup_damaged' });
  const raw = new SqliteFile(target);
  raw.enableDefensive(false);
  raw.exec('PRAGMA writable_schema = ON');
  raw.exec("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'audit'");
  raw.close();
  t.throws(() => openSqliteCopy(target, facts), { code: 'backup_damaged' });
});

test('PostgreSQL: all tables are read as of one moment', async (t) => {
  const core = await openTestCore(t, 'postgres');
  const shop = await openShop(core);
  await shop.order(50_000);
  const snapshot = await openPostgresSnapshot(core.settings.databaseUrl);
  t.teardown(() => snapshot.close());
  await shop.order(60_000);
  const rows: string[] = [];
  for await (const some of snapshot.rows('sessions')) rows.push(...some);
  t.is(rows.length, 1);
  t.is(snapshot.facts.payments, 1);
  t.is((JSON.parse(rows[0] ?? '') as { readonly amount_paisa: number }).amount_paisa, 50_000);
});
