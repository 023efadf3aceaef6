import test from 'ava';
import { Chance } from '../machine/chance.js';
import { Disk } from './disk.js';
import { openSimulated } from './driver.js';
import { Process } from './process.js';
import { memoryInUse } from './wasm.js';

const chanceOf = (seed: number) => new Chance(String(seed)).part;

const FILE = 'kashbox.db';

function open(disk: Disk, process = new Process()) {
  const raw = openSimulated(disk, process, FILE);
  raw.pragma('journal_mode = WAL');
  raw.pragma('synchronous = FULL');
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
const COUNT = 'SELECT count(*) FROM pairs';

test('values come back as they went in', (t) => {
  const raw = open(diskWithTable());
  const insert = raw.prepare(INSERT);
  const select = raw.prepare('SELECT value FROM pairs WHERE name = ?').pluck();
  const texts = ['', 'plain', 'x'.repeat(200_000), 'é', 'আমার সোনার বাংলা', '😀 and more', 'a\0b'];
  const numbers = [0, 1, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0.25];
  const values = [...texts, ...numbers, null, Buffer.from([1, 0, 255]), Buffer.alloc(0)];
  for (const [index, value] of values.entries()) {
    t.is(insert.run(`v${index}`, value).changes, 1);
    t.deepEqual(select.get(`v${index}`), value);
  }
  insert.run(['big', 12n]);
  t.is(select.get(['big']), 12);
  insert.run('unsafe', 2n ** 53n + 2n);
  t.throws(() => select.get('unsafe'), { instanceOf: RangeError });
  t.is(select.get('none'), undefined);
  t.throws(() => insert.run('flag', true), { instanceOf: TypeError });
  t.throws(() => insert.run('few'), { message: 'Too few parameter values were provided' });
});

test('statements have the forms of better-sqlite3', (t) => {
  const raw = open(diskWithTable());
  t.is(raw.name, FILE);
  t.is(raw.pragma('page_size', { simple: true }), 4096);
  t.deepEqual(raw.pragma('foreign_keys'), [{ foreign_keys: 1 }]);
  t.is(raw.pragma('journal_mode', { simple: true }), 'wal');
  t.is(raw.prepare('SELECT typeof(?)').pluck().get(1), 'real');
  const insert = raw.prepare(INSERT);
  t.false(insert.reader || insert.readonly);
  insert.run('a', 1);
  const all = raw.prepare('SELECT name, value FROM pairs');
  t.true(all.reader && all.readonly);
  t.deepEqual(all.columns() as unknown, [{ name: 'name' }, { name: 'value' }]);
  t.deepEqual(all.all(), [{ name: 'a', value: 1 }]);
  t.deepEqual(all.raw().all(), [['a', 1]]);
  t.is(raw.prepare('UPDATE pairs SET value = 2 WHERE name = ?').run('b').changes, 0);
  const returning = raw.prepare('UPDATE pairs SET value = 2 RETURNING value');
  t.deepEqual(returning.get(), { value: 2 });
  t.throws(() => all.run(), { instanceOf: TypeError });
  t.throws(() => insert.all('a', 1), { instanceOf: TypeError });
  t.throws(() => raw.prepare('SELECT 1; SELECT 2'), { message: /more than one statement/ });
  t.throws(() => raw.prepare('SELEC'), { code: 'SQLITE_ERROR', message: /syntax error/ });
  t.throws(() => insert.run('a', 1), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  const star = raw.prepare('SELECT * FROM pairs');
  t.deepEqual(star.get(), { name: 'a', value: 2 });
  raw.exec('ALTER TABLE pairs ADD COLUMN more TEXT');
  t.deepEqual(star.get(), { name: 'a', value: 2, more: null });
  raw.close();
  t.throws(() => raw.prepare(COUNT), { message: 'The database connection is not open' });
  t.throws(() => star.get(), { message: 'The database connection is not open' });
});

test('two writers: the second is told at once that it is busy, readers go on', (t) => {
  const disk = diskWithTable();
  const [one, other] = [open(disk), open(disk)];
  const version = () => other.pragma('data_version', { simple: true });
  const before = version();
  one.exec('BEGIN IMMEDIATE');
  t.true(one.inTransaction);
  t.throws(() => other.exec('BEGIN IMMEDIATE'), { code: 'SQLITE_BUSY' });
  one.prepare(INSERT).run('a', 1);
  t.is(other.prepare(COUNT).pluck().get(), 0);
  other.exec('BEGIN');
  other.prepare(COUNT).get();
  one.exec('COMMIT');
  t.throws(() => other.prepare(INSERT).run('b', 1), { code: 'SQLITE_BUSY_SNAPSHOT' });
  other.exec('ROLLBACK');
  t.is(other.prepare(COUNT).pluck().get(), 1);
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
  t.throws(() => other.exec('INSERT INTO rows VALUES (2)'), { code: 'SQLITE_BUSY' });
  t.throws(() => one.exec('COMMIT'), { code: 'SQLITE_BUSY' });
  t.throws(() => openSimulated(disk, new Process(), FILE).exec('SELECT * FROM rows'), {
    code: 'SQLITE_BUSY',
  });
  other.exec('COMMIT');
  one.exec('COMMIT');
  t.is(other.prepare('SELECT count(*) FROM rows').pluck().get(), 1);
});

test('a process that is killed in a transaction leaves its lock, and no harm when it is freed', (t) => {
  const disk = diskWithTable();
  const [dying, living] = [new Process(), new Process()];
  const [dead, raw] = [open(disk, dying), open(disk, living)];
  // Pages go into the log before the commit, and the shared memory tells where they stand.
  raw.prepare(INSERT).run('first', 1);
  dead.pragma('cache_size = 5');
  dead.exec('BEGIN IMMEDIATE');
  const insert = dead.prepare(INSERT);
  for (let row = 0; row < 200; row += 1) insert.run(`dead ${row}`, 'x'.repeat(500));
  t.throws(() => raw.exec('BEGIN IMMEDIATE'), { code: 'SQLITE_BUSY' });
  dying.kill();
  t.throws(() => insert.run('late', 1), { code: 'SQLITE_IOERR' });
  t.throws(() => dead.exec('COMMIT'), { code: 'SQLITE_IOERR' });
  raw.pragma('cache_size = 5');
  raw.exec('BEGIN IMMEDIATE');
  const own = raw.prepare(INSERT);
  for (let row = 0; row < 200; row += 1) own.run(`own ${row}`, 'y'.repeat(500));
  dying.dispose();
  raw.exec('COMMIT');
  t.is(raw.prepare(COUNT).pluck().get(), 201);
  t.is(raw.pragma('integrity_check', { simple: true }), 'ok');
  living.kill();
  const after = open(disk);
  t.is(after.prepare(COUNT).pluck().get(), 201);
  living.dispose();
  after.prepare(INSERT).run('after', 1);
  t.is(after.prepare(COUNT).pluck().get(), 202);
});

test('faults of the disk have the codes of SQLite', (t) => {
  const disk = diskWithTable();
  const raw = open(disk);
  const insert = raw.prepare(INSERT);
  insert.run('a', 1);
  disk.fault = (operation) => (operation === 'write' ? 'full' : 'none');
  t.throws(() => insert.run('b', 1), { code: 'SQLITE_FULL' });
  disk.fault = (operation) => (operation === 'write' ? 'error' : 'none');
  t.throws(() => insert.run('b', 1), { code: 'SQLITE_IOERR_WRITE' });
  disk.fault = (operation) => (operation === 'sync' ? 'error' : 'none');
  t.throws(() => raw.pragma('wal_checkpoint(PASSIVE)'), { code: 'SQLITE_IOERR_FSYNC' });
  t.throws(() => insert.run('b', 1), { code: 'SQLITE_IOERR_FSYNC' });
  disk.fault = (operation) => (operation === 'read' ? 'error' : 'none');
  t.throws(() => open(disk).prepare(COUNT).get(), { code: 'SQLITE_IOERR_READ' });
  disk.fault = () => 'none';
  t.is(raw.prepare(COUNT).pluck().get(), 1);
  insert.run('b', 1);
  t.is(raw.pragma('integrity_check', { simple: true }), 'ok');
});

test('three hundred stores that are opened and thrown away take no memory', (t) => {
  const image = diskWithTable().image();
  const once = () => {
    const disk = Disk.of(image, chanceOf(1));
    const process = new Process();
    const [writer, reader] = [open(disk, process), open(disk, process)];
    writer.exec('BEGIN IMMEDIATE');
    writer.prepare(INSERT).run('a', 'x'.repeat(10_000));
    t.is(reader.prepare(COUNT).pluck().get(), 0);
    process.dispose();
    t.is(process.handles.size, 0);
  };
  for (let warm = 0; warm < 5; warm += 1) once();
  const before = memoryInUse();
  for (let time = 0; time < 300; time += 1) once();
  t.is(memoryInUse(), before);
});
