import test, { type ExecutionContext } from 'ava';
import type { SqliteConnection, SqliteValue } from '../../../src/store/sqlite-driver.js';
import { Chance } from '../machine/chance.js';
import { Disk } from './disk.js';
import { openSimulated } from './driver.js';
import { Process } from './process.js';
import { capi, memoryInUse } from './wasm.js';

const chanceOf = (seed: number) => new Chance(String(seed)).part;

const FILE = 'kashbox.db';

function refused(t: ExecutionContext, work: () => unknown, errcode: number): void {
  const error = t.throws(work, { code: 'ERR_SQLITE_ERROR' });
  t.is(Number(Reflect.get(error ?? {}, 'errcode')), errcode);
}

function open(disk: Disk, process = new Process()) {
  const raw = openSimulated(disk, process, FILE);
  raw.exec('PRAGMA journal_mode = WAL');
  raw.exec('PRAGMA synchronous = FULL');
  return raw;
}

function diskWithTable(): Disk {
  const disk = new Disk(chanceOf(1));
  const raw = open(disk);
  raw.exec('CREATE TABLE pairs (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID');
  raw.close();
  return disk;
}

const INSERT = 'INSERT INTO pairs VALUES (?, ?)';
const first = (raw: SqliteConnection, sql: string, ...values: SqliteValue[]) =>
  Object.values(raw.prepare(sql).get(...values) ?? {})[0];
const count = (raw: SqliteConnection) => first(raw, 'SELECT count(*) FROM pairs');

test('values come back as they went in', (t) => {
  const raw = open(diskWithTable());
  const insert = raw.prepare(INSERT);
  const select = raw.prepare('SELECT value FROM pairs WHERE name = ?');
  const valueAt = (name: string) => (select.get(name) as { value: unknown } | undefined)?.value;
  const texts = ['', 'plain', 'x'.repeat(200_000), 'é', 'আমার সোনার বাংলা', '😀 and more', 'a\0b'];
  const numbers = [0, 1, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.25];
  const values = [...texts, ...numbers, null, Uint8Array.of(1, 0, 255), new Uint8Array()];
  for (const [index, value] of values.entries()) {
    t.is(insert.run(`v${index}`, value).changes, 1);
    t.deepEqual(valueAt(`v${index}`), value);
  }
  insert.run('big', 12n);
  t.is(valueAt('big'), 12);
  insert.run('unsafe', 2n ** 53n + 2n);
  t.throws(() => valueAt('unsafe'), { instanceOf: RangeError });
  t.is(valueAt('none'), undefined);
  insert.run('few');
  t.is(valueAt('few'), null);
  t.throws(() => insert.run('many', 1, 2), { code: 'ERR_SQLITE_ERROR' });
});

test("statements have the forms of Node's SQLite", (t) => {
  const raw = open(diskWithTable());
  t.is(raw.file, FILE);
  t.is(raw.pragma('page_size'), 4096);
  t.is(raw.pragma('foreign_keys'), 1);
  t.is(raw.pragma('journal_mode'), 'wal');
  t.is(first(raw, 'SELECT typeof(?)', 1), 'real');
  const insert = raw.prepare(INSERT);
  t.deepEqual(insert.columns(), []);
  insert.run('a', 1);
  const all = raw.prepare('SELECT name, value FROM pairs');
  t.deepEqual(all.columns() as unknown, [{ name: 'name' }, { name: 'value' }]);
  t.deepEqual(all.all(), [{ name: 'a', value: 1 }]);
  all.setReturnArrays(true);
  t.deepEqual(all.all(), [['a', 1]]);
  t.is(raw.prepare('UPDATE pairs SET value = 2 WHERE name = ?').run('b').changes, 0);
  const returning = raw.prepare('UPDATE pairs SET value = 2 RETURNING value');
  t.deepEqual(returning.get(), { value: 2 });
  t.throws(() => raw.prepare('SELEC'), { message: /syntax error/ });
  refused(t, () => insert.run('a', 1), capi.SQLITE_CONSTRAINT_PRIMARYKEY);
  const star = raw.prepare('SELECT * FROM pairs');
  t.deepEqual(star.get(), { name: 'a', value: 2 });
  raw.exec('ALTER TABLE pairs ADD COLUMN more TEXT');
  t.deepEqual(star.get(), { name: 'a', value: 2, more: null });
  raw.close();
  t.throws(() => count(raw), { message: 'database is not open' });
  t.throws(() => star.get(), { message: 'database is not open' });
});

test('two writers: the second gets busy at once, readers continue', (t) => {
  const disk = diskWithTable();
  const [one, other] = [open(disk), open(disk)];
  const version = () => other.pragma('data_version');
  const before = version();
  one.exec('BEGIN IMMEDIATE');
  t.true(one.isTransaction);
  refused(t, () => other.exec('BEGIN IMMEDIATE'), capi.SQLITE_BUSY);
  one.prepare(INSERT).run('a', 1);
  t.is(count(other), 0);
  other.exec('BEGIN');
  count(other);
  one.exec('COMMIT');
  refused(t, () => other.prepare(INSERT).run('b', 1), capi.SQLITE_BUSY_SNAPSHOT);
  other.exec('ROLLBACK');
  t.is(count(other), 1);
  t.not(version(), before);
});

test('locks of a rollback journal exclude each other', (t) => {
  const disk = new Disk(chanceOf(1));
  const [one, other] = [0, 1].map(() => openSimulated(disk, new Process(), FILE)) as [
    ReturnType<typeof open>,
    ReturnType<typeof open>,
  ];
  one.exec('CREATE TABLE rows (id INTEGER)');
  other.exec('BEGIN; SELECT * FROM rows');
  one.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (1)');
  refused(t, () => other.exec('INSERT INTO rows VALUES (2)'), capi.SQLITE_BUSY);
  refused(t, () => one.exec('COMMIT'), capi.SQLITE_BUSY);
  refused(t, () => openSimulated(disk, new Process(), FILE).exec('SELECT * FROM rows'), capi.SQLITE_BUSY);
  other.exec('COMMIT');
  one.exec('COMMIT');
  t.is(first(other, 'SELECT count(*) FROM rows'), 1);
});

test('a process that is killed in a transaction leaves its lock, and no harm when it is freed', (t) => {
  const disk = diskWithTable();
  const [dying, living] = [new Process(), new Process()];
  const [dead, raw] = [open(disk, dying), open(disk, living)];
  // Pages go into the log before the commit, and the shared memory tells where they stand.
  raw.prepare(INSERT).run('first', 1);
  dead.exec('PRAGMA cache_size = 5');
  dead.exec('BEGIN IMMEDIATE');
  const insert = dead.prepare(INSERT);
  for (let row = 0; row < 200; row += 1) insert.run(`dead ${row}`, 'x'.repeat(500));
  refused(t, () => raw.exec('BEGIN IMMEDIATE'), capi.SQLITE_BUSY);
  dying.kill();
  refused(t, () => insert.run('late', 1), capi.SQLITE_IOERR);
  refused(t, () => dead.exec('COMMIT'), capi.SQLITE_IOERR);
  raw.exec('PRAGMA cache_size = 5');
  raw.exec('BEGIN IMMEDIATE');
  const own = raw.prepare(INSERT);
  for (let row = 0; row < 200; row += 1) own.run(`own ${row}`, 'y'.repeat(500));
  dying.dispose();
  raw.exec('COMMIT');
  t.is(count(raw), 201);
  t.is(raw.pragma('integrity_check'), 'ok');
  living.kill();
  const after = open(disk);
  t.is(count(after), 201);
  living.dispose();
  after.prepare(INSERT).run('after', 1);
  t.is(count(after), 202);
});

test('faults of the disk have the codes of SQLite', (t) => {
  const disk = diskWithTable();
  const raw = open(disk);
  const insert = raw.prepare(INSERT);
  insert.run('a', 1);
  disk.fault = (operation) => (operation === 'write' ? 'full' : 'none');
  refused(t, () => insert.run('b', 1), capi.SQLITE_FULL);
  disk.fault = (operation) => (operation === 'write' ? 'error' : 'none');
  refused(t, () => insert.run('b', 1), capi.SQLITE_IOERR_WRITE);
  disk.fault = (operation) => (operation === 'sync' ? 'error' : 'none');
  refused(t, () => raw.pragma('wal_checkpoint(PASSIVE)'), capi.SQLITE_IOERR_FSYNC);
  refused(t, () => insert.run('b', 1), capi.SQLITE_IOERR_FSYNC);
  disk.fault = (operation) => (operation === 'read' ? 'error' : 'none');
  refused(t, () => count(open(disk)), capi.SQLITE_IOERR_READ);
  disk.fault = () => 'none';
  t.is(count(raw), 1);
  insert.run('b', 1);
  t.is(raw.pragma('integrity_check'), 'ok');
});

test('three hundred stores that are opened and thrown away take no memory', (t) => {
  const image = diskWithTable().image();
  const once = () => {
    const disk = Disk.of(image, chanceOf(1));
    const process = new Process();
    const [writer, reader] = [open(disk, process), open(disk, process)];
    writer.exec('BEGIN IMMEDIATE');
    writer.prepare(INSERT).run('a', 'x'.repeat(10_000));
    t.is(count(reader), 0);
    process.dispose();
    t.is(process.handles.size, 0);
  };
  for (let warm = 0; warm < 5; warm += 1) once();
  const before = memoryInUse();
  for (let time = 0; time < 300; time += 1) once();
  t.is(memoryInUse(), before);
});
