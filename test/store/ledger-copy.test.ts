/** A ledger is copied as it was when the copy began, whatever is written while it is made. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openPostgresSnapshot } from '../../src/store/backup/postgres-ledger.js';
import { copySqlite, openSqliteCopy } from '../../src/store/backup/sqlite-ledger.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { openShop } from '../helpers/shop/shop.js';
import { openTestCore, temporaryFolder } from '../helpers/stores/engines.js';
import { multiply } from '../helpers/stores/many-rows.js';

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
