/** What only the embedded engine has: durable settings on every opening, shared commits, other processes. */
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { systemTimers } from '../../src/base/values/timers.js';
import { createDb } from '../../src/store/dialect.js';
import { FileWatch, LockWatch, LogRepair } from '../../src/store/file-watch.js';
import { GroupCommit } from '../../src/store/group-commit.js';
import type { Db } from '../../src/store/schema/index.js';
import { cachedExecute, openSqlite } from '../../src/store/sqlite.js';
import { machineDisk, SqliteFile } from '../../src/store/sqlite-driver.js';
import { WriteHealth } from '../../src/store/write-health.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';

const pragma = (db: Db, name: string) => db.execute<Record<string, unknown>>(`PRAGMA ${name}`, []);

test('every connection of every opening syncs each commit, runs WAL and has foreign keys', async (t) => {
  const file = join(await temporaryFolder(t), 'store.db');
  for (const opening of [1, 2, 3]) {
    const store = await openSqlite(file, { now: 1 });
    for (const through of ['read', 'write'] as const) {
      const [mode, synchronous, keys] = await store[through]((db) =>
        Promise.all([pragma(db, 'journal_mode'), pragma(db, 'synchronous'), pragma(db, 'foreign_keys')]),
      );
      t.deepEqual(mode, [{ journal_mode: 'wal' }], `opening ${opening}, ${through}`);
      t.deepEqual(synchronous, [{ synchronous: 2 }], 'FULL');
      t.deepEqual(keys, [{ foreign_keys: 1 }]);
    }
    await store.close();
  }
});

const modesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
const PRIVATE = { 'store.db': '600', 'store.db-shm': '600', 'store.db-wal': '600' };

test.serial(
  'a new store and its companions are readable by their owner alone, whatever the umask',
  async (t) => {
    const folder = await temporaryFolder(t);
    const umask = process.umask(0);
    t.teardown(() => process.umask(umask));
    const store = await openSqlite(join(folder, 'store.db'), { now: 1 });
    t.deepEqual(modesIn(folder), PRIVATE);
    await store.close();
  },
);

test.serial(
  'a store that others could read is made private when opened, even if another process has it open',
  async (t) => {
    const folder = await temporaryFolder(t);
    const umask = process.umask(0o022);
    t.teardown(() => process.umask(umask));
    const file = join(folder, 'store.db');
    const old = new SqliteFile(file);
    old.exec('PRAGMA journal_mode = WAL');
    old.exec('CREATE TABLE people (name TEXT)');
    t.deepEqual(modesIn(folder), { 'store.db': '644', 'store.db-shm': '644', 'store.db-wal': '644' });
    const store = await openSqlite(file, { now: 1 });
    t.deepEqual(modesIn(folder), PRIVATE);
    old.close();
    await store.close();
  },
);

const MIB = 1_048_576;

test('a write-ahead log that a long reader has let grow is small again soon after it has gone', async (t) => {
  const file = join(await temporaryFolder(t), 'store.db');
  const store = await openSqlite(file, { now: 1 });
  t.teardown(() => store.close());
  const logBytes = () => statSync(`${file}-wal`).size;
  const write = (sql: string) => store.write((db) => db.execute(sql, []));
  await write('CREATE TABLE big (x BLOB)');
  const reader = new SqliteFile(file, { readOnly: true });
  t.teardown(() => reader.close());
  reader.exec('BEGIN; SELECT count(*) FROM big');
  for (let mib = 0; mib < 40; mib += 1) await write(`INSERT INTO big VALUES (zeroblob(${MIB}))`);
  t.true(logBytes() > 40 * MIB);
  reader.exec('COMMIT');
  // The first brings the pages of the log into the file, the second begins the log again from its front.
  for (const row of [1, 2]) await write(`INSERT INTO big VALUES (${row})`);
  t.true(logBytes() <= 32 * MIB, `${logBytes()} bytes`);
});

/** @returns path of a store as a kill leaves it: what was written last is in its log alone. */
async function killedStore(t: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const folder = await temporaryFolder(t);
  const [live, file] = [join(folder, 'live.db'), join(folder, 'store.db')];
  const store = await openSqlite(live, { now: 1 });
  await store.write((db) => db.execute('CREATE TABLE numbers (n INTEGER PRIMARY KEY)', []));
  for (const end of ['', '-wal']) copyFileSync(`${live}${end}`, `${file}${end}`);
  await store.close();
  return file;
}

for (const [what, begin] of [
  ['reads', 'BEGIN; SELECT count(*) FROM numbers'],
  ['writes', 'BEGIN IMMEDIATE; INSERT INTO numbers VALUES (1)'],
] as const) {
  test.serial(
    `the store of a daemon is held while another process ${what} a log left by a kill`,
    async (t) => {
      const file = await killedStore(t);
      const other = new SqliteFile(file);
      t.teardown(() => other.close());
      other.exec(begin);
      const store = await openSqlite(file, { now: 1, onDamage: () => t.fail() });
      t.teardown(() => store.close());
      const insert = () => store.write(insertNumber(7));
      t.true(isKashboxError(await t.throwsAsync(insert, { any: true }), 'store_busy'));
      t.true(isKashboxError(store.writing.held, 'store_busy'));
      t.true(statSync(`${file}-wal`).size > 0);
      other.exec('COMMIT');
      await until(() => store.writing.held === null);
      t.is(statSync(`${file}-wal`).size, 0, 'all of it is in the file');
      await insert();
      other.exec('BEGIN; SELECT count(*) FROM numbers');
      await store.write(insertNumber(8));
      t.pass('whoever reads later is in nobody’s way');
    },
  );
}

test.serial('a command does not wait for another process that reads a log left by a kill', async (t) => {
  const file = await killedStore(t);
  const other = new SqliteFile(file);
  t.teardown(() => other.close());
  other.exec('BEGIN; SELECT count(*) FROM numbers');
  const store = await openSqlite(file, { now: 1 });
  t.teardown(() => store.close());
  await store.write(insertNumber(7));
  t.is(store.writing.held, null);
});

test('the reading connection cannot write', async (t) => {
  const store = await openSqlite(join(await temporaryFolder(t), 'store.db'), { now: 1 });
  t.teardown(() => store.close());
  await t.throwsAsync(
    store.read((db) => db.execute('DELETE FROM merchants', [])),
    { any: true },
  );
});

/** A group committer over a table of numbers that counts its commits. */
async function countingGroup(t: Parameters<typeof temporaryFolder>[0]) {
  const raw = new SqliteFile(join(await temporaryFolder(t), 'group.db'), { timeout: 5 });
  raw.exec('PRAGMA journal_mode = WAL');
  raw.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
  const changes = { happened: false };
  const damages: unknown[] = [];
  const onDamage = (error: unknown) => void damages.push(error);
  const means = { disk: machineDisk, health: new WriteHealth(), timers: systemTimers, onDamage };
  const repair = new LogRepair(raw, means);
  const watch = new FileWatch(raw, means);
  const locks = new LockWatch(raw);
  const parts = { ...means, changes, repair, watch, locks };
  const group = new GroupCommit(raw, createDb('sqlite', cachedExecute(raw, changes)), parts);
  t.teardown(() => raw.close());
  const count = () => raw.prepare('SELECT count(*) AS n FROM numbers').get() as { n: number };
  return { raw, group, damages, count: () => count().n };
}

const insertNumber = (n: number) => (db: Db) => db.execute('INSERT INTO numbers VALUES (?)', [n]);

test('units of one turn share a commit, and none is answered before it', async (t) => {
  const { raw, group } = await countingGroup(t);
  const other = new SqliteFile(raw.file, { readOnly: true });
  t.teardown(() => other.close());
  const seen = () => (other.prepare('SELECT count(*) AS n FROM numbers').get() as { n: number }).n;
  const answered: number[] = [];
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => group.add(insertNumber(n)).then(() => answered.push(seen()))),
  );
  t.deepEqual(
    answered,
    Array.from({ length: 50 }, () => 50),
    'whoever is answered first already sees all fifty from outside',
  );
});

test('a failed unit is undone alone and its error is its own', async (t) => {
  const { group, count } = await countingGroup(t);
  const results = await Promise.allSettled([
    group.add(insertNumber(1)),
    group.add(insertNumber(1)),
    group.add(insertNumber(2)),
  ]);
  t.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.is(count(), 2);
});

test('a unit runs once, and again if another of its group fails; its writes are stored once', async (t) => {
  const { group, count } = await countingGroup(t);
  const runs: number[] = [];
  const noted = (n: number) => async (db: Db) => {
    runs.push(n);
    return insertNumber(n)(db);
  };
  await Promise.all([group.add(noted(1)), group.add(noted(2))]);
  t.deepEqual(runs, [1, 2]);
  const first = group.add(noted(3));
  const failing = group.add(async (db) => {
    await insertNumber(9)(db);
    throw new RangeError('not this one');
  });
  await Promise.all([first, t.throwsAsync(failing, { message: 'not this one' })]);
  t.deepEqual(runs, [1, 2, 3, 3]);
  t.is(count(), 3);
  await t.throwsAsync(group.add(insertNumber(3)), { any: true }, 'alone, too, a failure is told');
  t.is(count(), 3);
});

test('when the disk is full no lost write of the group is reported as stored', async (t) => {
  const { raw, group, count } = await countingGroup(t);
  raw.exec('CREATE TABLE big (x BLOB)');
  const pages = raw.pragma('page_count') as number;
  raw.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const results = await Promise.allSettled([
    group.add(insertNumber(1)),
    group.add((db) => db.execute('INSERT INTO big VALUES (zeroblob(100000))', [])),
    group.add(insertNumber(2)),
  ]);
  for (const result of results.filter((item) => item.status === 'rejected')) {
    t.true(isKashboxError(result.reason, 'store_full'));
  }
  t.is(count(), results.filter((item, index) => index !== 1 && item.status === 'fulfilled').length);
  t.is(results[1]?.status, 'rejected');
  raw.exec(`PRAGMA max_page_count = ${pages + 1000}`);
  await group.add(insertNumber(3));
  t.pass('and once there is room again, work goes on');
});

test('a group whose savepoint is lost fails whole and leaves the connection free for the next', async (t) => {
  const { raw, group, damages, count } = await countingGroup(t);
  const refused = group.add(async (db) => {
    await insertNumber(1)(db);
    // The unit ends the group's transaction behind its back: its savepoint is gone, and so is the commit.
    await db.execute('COMMIT', []);
    await db.execute('BEGIN IMMEDIATE', []);
    throw new RangeError('and fails');
  });
  await t.throwsAsync(refused, { any: true });
  t.false(raw.isTransaction, 'whatever went wrong, the next group finds the connection free');
  await group.add(insertNumber(2));
  t.is(count(), 2);
  t.deepEqual(damages, []);
});

test('a write waits for another process that holds the lock, and the event loop does not', async (t) => {
  const { raw, group } = await countingGroup(t);
  const other = new SqliteFile(raw.file, { timeout: 0 });
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  let answered = false;
  const pending = group.add(insertNumber(7)).then(() => {
    answered = true;
  });
  // A wait that blocked the loop would have used up its own deadline before these turns are over.
  for (let turn = 0; turn < 150; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  t.false(answered);
  other.exec('COMMIT');
  await pending;
  t.is((other.prepare('SELECT n FROM numbers').get() as { n: number }).n, 7);
});
