/** SQLite itself over power cuts: what is acknowledged is there afterwards, and the file is intact. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { amount } from '../../helpers/tiers.js';
import { Chance } from '../machine/chance.js';
import { Disk, type Image } from './disk.js';
import { openSimulated } from './driver.js';
import { Process } from './process.js';
import { seedSqlite } from './vfs.js';

const chanceOf = (seed: number) => new Chance(String(seed)).part;

const FILE = 'kashbox.db';
const CUTS = amount(40, 200);
/** Of these operations of the disk after its start, one is the last before the power is cut. */
const OPERATIONS = 250;
const CHECKPOINT_PAGES = 40;

function openWal(disk: Disk, process: Process) {
  const raw = openSimulated(disk, process, FILE);
  raw.exec('PRAGMA journal_mode = WAL');
  raw.exec('PRAGMA synchronous = FULL');
  raw.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return raw;
}

function emptyStore(): Image {
  const disk = new Disk(chanceOf(1));
  const raw = openWal(disk, new Process());
  raw.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  raw.exec('CREATE INDEX texts ON rows (text)');
  raw.close();
  disk.syncFolder();
  return disk.image();
}

/** Cuts the power at a chance moment, also in the middle of SQLite's writing. */
function armCut(disk: Disk, process: Process, chance: () => number): void {
  let left = 1 + Math.floor(chance() * OPERATIONS);
  disk.fault = (operation) => {
    if (operation === 'read') return 'none';
    left -= 1;
    if (left > 0) return 'none';
    disk.fault = () => 'none';
    process.kill();
    disk.cutPower();
    return 'error';
  };
}

/** Inserts rows from `next` on until the power is cut. @returns the first that is not acknowledged */
function insertUntilCut(disk: Disk, process: Process, next: number): number {
  let id = next;
  try {
    const raw = openWal(disk, process);
    const [begin, commit] = [raw.prepare('BEGIN IMMEDIATE'), raw.prepare('COMMIT')];
    const insert = raw.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?)');
    for (; ; id += 1) {
      begin.run();
      insert.run(id, `${(id * 7_919) % 1_009}`.repeat(1 + (id % 40)));
      commit.run();
      if (process.isDead) return id;
    }
  } catch (error) {
    if (process.isDead) return id;
    throw error;
  }
}

interface Outcome {
  /** Of a cut: the rows that are acknowledged and missing. */
  readonly lost: number;
  readonly isWhole: boolean;
}

function lookAfter(disk: Disk, acknowledged: number): Outcome {
  const process = new Process();
  try {
    const raw = openWal(disk, process);
    const isWhole = raw.pragma('integrity_check') === 'ok';
    const found = (
      raw.prepare('SELECT count(*) AS n FROM rows WHERE id < ?').get(acknowledged) as { n: number }
    ).n;
    return { lost: acknowledged - Number(found), isWhole };
  } catch {
    return { lost: 0, isWhole: false };
  } finally {
    process.dispose();
  }
}

/** @returns what each cut has left, and a hash of all that was on the disk in between. */
function cutAgainAndAgain(seed: number, cuts: number, isSyncIgnored: boolean) {
  seedSqlite(seed);
  const chance = chanceOf(seed);
  const disk = Disk.of(emptyStore(), chance);
  disk.isSyncIgnored = isSyncIgnored;
  const trace = createHash('sha256');
  const outcomes: Outcome[] = [];
  let acknowledged = 0;
  for (let cut = 0; cut < cuts; cut += 1) {
    const process = new Process();
    armCut(disk, process, chance);
    acknowledged = insertUntilCut(disk, process, acknowledged);
    process.dispose();
    for (const [name, bytes] of disk.image()) trace.update(`${name} ${bytes.length} `).update(bytes);
    const outcome = lookAfter(disk, acknowledged);
    outcomes.push(outcome);
    if (outcome.lost > 0 || !outcome.isWhole) break;
  }
  return { outcomes, acknowledged, trace: trace.digest('hex') };
}

test('no row that is acknowledged is lost over many power cuts, and the file stays whole', (t) => {
  const { outcomes, acknowledged } = cutAgainAndAgain(7, CUTS, false);
  t.is(outcomes.length, CUTS);
  for (const outcome of outcomes) t.deepEqual(outcome, { lost: 0, isWhole: true });
  t.true(acknowledged > 10 * CUTS, `${acknowledged}`);
});

test('where syncs do nothing, rows are lost', (t) => {
  const ends = [1, 2, 3, 4, 5].map((seed) => cutAgainAndAgain(seed, 20, true).outcomes.at(-1));
  t.true(ends.some((end) => end !== undefined && (end.lost > 0 || !end.isWhole)));
  t.true(ends.some((end) => end !== undefined && end.lost > 0));
});

test('the same seed gives the same bytes, another one gives others', (t) => {
  const [one, again, other] = [11, 11, 12].map((seed) => cutAgainAndAgain(seed, 15, false));
  t.deepEqual(one, again);
  t.not(one?.trace, other?.trace);
});
