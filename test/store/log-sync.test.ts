/** Commits of SQLite that come onto the disk beside other work. Power cuts: test/e2e/power-cut.test.ts. */
import { closeSync, openSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { LogSync } from '../../src/store/log-sync.js';
import { openSqlite } from '../../src/store/sqlite.js';
import { machineDisk } from '../../src/store/sqlite-disk.js';
import { openSqliteFile, type SqliteFile } from '../../src/store/sqlite-driver.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

function connect(t: ExecutionContext, file: string): SqliteFile {
  const connection = openSqliteFile(file);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  t.teardown(() => connection.close());
  return connection;
}

/** Milliseconds that a sync takes, by the clock of the log. */
const DISKS = [
  { disk: 'quick', ms: 1 },
  { disk: 'slow', ms: 1_000 },
];

/**
 * @param disk.ms what a sync takes, by the clock of the log; may be changed
 * @param options.isClosed the test itself closes the log
 */
async function openNumbers(t: ExecutionContext, disk: { ms: number }, { isClosed = false } = {}) {
  const file = join(await temporaryFolder(t), 'numbers.db');
  const [writer, reader] = [connect(t, file), connect(t, file)];
  writer.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY, more BLOB)');
  let now = 0;
  const log = new LogSync(writer, reader, machineDisk, () => {
    now += disk.ms;
    return now;
  });
  if (!isClosed) t.teardown(() => log.close());
  const insert = writer.prepare('INSERT INTO numbers (n) VALUES (?)');
  const seen = reader.prepare('SELECT count(*) FROM numbers').pluck();
  const add = (n: number) => {
    writer.exec('BEGIN IMMEDIATE');
    insert.run(n);
    return log.commit();
  };
  return { file, writer, log, add, seen: () => seen.get() as number };
}

test('on a slow disk readers see a commit once it is on the disk, and all before it meanwhile', async (t) => {
  const { add, seen } = await openNumbers(t, { ms: 1_000 });
  await add(1);
  for (const n of [2, 3, 4]) {
    const synced = add(n);
    t.is(seen(), n - 1, 'still on its way');
    await synced;
    t.is(seen(), n);
  }
});

test('a disk is waited for while it is quick, and again once it is', async (t) => {
  const disk = { ms: 1 };
  const { add, seen } = await openNumbers(t, disk);
  let n = 0;
  const isWaitedFor = async () => {
    n += 1;
    const synced = add(n);
    const isThere = seen() === n;
    await synced;
    return isThere;
  };
  for (const _ of [1, 2, 3]) t.true(await isWaitedFor());
  disk.ms = 10;
  let waits = 0;
  while (await isWaitedFor()) waits += 1;
  t.true(waits > 1 && waits < 10, `one slow sync does not make a slow disk: ${waits}`);
  let inThread = 1;
  while (!(await isWaitedFor())) inThread += 1;
  t.is(inThread, 512);
  t.false(await isWaitedFor(), 'it is still slow');
  disk.ms = 1;
  while (!(await isWaitedFor()));
  t.true(await isWaitedFor());
});

for (const { disk, ms } of DISKS) {
  test(`on a ${disk} disk a commit that fails lets readers and the next one go on`, async (t) => {
    const { writer, log, add, seen } = await openNumbers(t, { ms });
    await t.throwsAsync(log.commit(), { any: true }, 'there is no transaction');
    writer.prepare('INSERT INTO numbers (n) VALUES (1)').run();
    t.is(seen(), 1);
    await add(2);
    t.is(seen(), 2);
  });

  test(`on a ${disk} disk commits of other processes are brought onto it once, own ones are there`, async (t) => {
    const { file, log, add } = await openNumbers(t, { ms });
    await log.confirm();
    t.is(log.confirm(), null);
    await add(1);
    t.is(log.confirm(), null);
    const other = connect(t, file);
    other.prepare('INSERT INTO numbers (n) VALUES (2)').run();
    const confirmed = log.confirm();
    t.not(confirmed, null);
    await confirmed;
    t.is(log.confirm(), null);
    other.prepare('INSERT INTO numbers (n) VALUES (3)').run();
    await add(4);
    t.is(log.confirm(), null, 'a commit brings all before it');
  });

  test(`on a ${disk} disk nothing is told or committed any more after a sync that failed`, async (t) => {
    const { writer, log, add } = await openNumbers(t, { ms }, { isClosed: true });
    await log.confirm();
    // A file that is closed cannot be synced.
    log.close();
    await t.throwsAsync(add(1), { code: 'store_damaged' });
    await t.throwsAsync(async () => log.confirm(), { code: 'store_damaged' });
    await t.throwsAsync(add(2), { code: 'store_damaged' });
    t.true(writer.inTransaction, 'it was not committed');
  });
}

test('closed twice, it leaves the file alone that has got its number', async (t) => {
  const { file, log } = await openNumbers(t, { ms: 1 }, { isClosed: true });
  log.close();
  const other = openSync(file, 'r');
  log.close();
  t.notThrows(() => closeSync(other));
});

const MIB = 1 << 20;

test('the log is used again from its start, however much is written', async (t) => {
  const { file, writer, log } = await openNumbers(t, { ms: 1_000 });
  const insert = writer.prepare('INSERT INTO numbers (more) VALUES (zeroblob(?))');
  let longest = 0;
  for (let n = 0; n < 120; n += 1) {
    writer.exec('BEGIN IMMEDIATE');
    insert.run(MIB);
    await log.commit();
    longest = Math.max(longest, statSync(`${file}-wal`).size);
  }
  t.true(longest > 20 * MIB, 'it is not copied for every commit');
  t.true(longest < 40 * MIB, `${longest} bytes`);
});

test('the log of a store that is named by a symbolic link is found', async (t) => {
  const folder = await temporaryFolder(t);
  const real = await openSqlite(join(folder, 'real.db'), { now: 1 });
  await real.close();
  symlinkSync(join(folder, 'real.db'), join(folder, 'link.db'));
  const store = await openSqlite(join(folder, 'link.db'), { now: 1 });
  t.teardown(() => store.close());
  await store.write((db) => db.execute('CREATE TABLE things (n INTEGER)', []));
  t.deepEqual(await store.read((db) => db.execute('SELECT n FROM things', [])), []);
});

test('a log that could not be renewed for want of space is renewed before the next transaction', async (t) => {
  const { writer, log, add } = await openNumbers(t, { ms: 1 });
  const waiting = () => {
    const row = writer.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
    return row.log - row.checkpointed;
  };
  await add(1);
  log.renewWhereOwed();
  t.true(waiting() > 0, 'nothing is owed');
  log.oweRenewal();
  log.renewWhereOwed();
  t.is(waiting(), 0);
  await add(2);
  log.renewWhereOwed();
  t.true(waiting() > 0, 'it is owed once');
});

test('a log that is renewed is in the file whole, and the next commit begins it from the front', async (t) => {
  const { writer, log, add } = await openNumbers(t, { ms: 1 });
  const pages = () =>
    writer.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
  for (let n = 1; n <= 20; n += 1) await add(n);
  const before = pages();
  t.true(before.log > before.checkpointed);
  const other = openSqliteFile(writer.name);
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  other.exec('INSERT INTO numbers (n) VALUES (100)');
  t.false(log.renew(), 'another process writes');
  other.exec('COMMIT');
  t.true(log.renew());
  const { log: all, checkpointed } = pages();
  t.is(checkpointed, all);
  await add(21);
  t.true(pages().log < before.log, 'it began from the front');
});
