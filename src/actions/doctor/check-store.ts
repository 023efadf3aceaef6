/** The store: whether it keeps what it was given, is whole, and belongs to this version and this clock. */

import { isKashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { say, type Text } from '../../base/values/say.js';
import { MIGRATIONS } from '../../store/migrate.js';
import type { Db } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import { tryToWrite } from '../upkeep/prove-writes.js';
import { type Finding, fail, ok } from './check.js';

/** Clocks of machines that share a store may differ a little. */
const CLOCK_TOLERANCE_MS = 120_000;
/** Before Kashbox was made: a machine whose battery is dead starts here or earlier. */
const EARLIEST_NOW = Date.UTC(2026, 0, 1);

export async function checkStore(core: Core): Promise<Finding[]> {
  const durable = core.store.engine === 'sqlite' ? sqliteChecks : postgresChecks;
  const writing = await checkWriting(core);
  return core.store.read(async (db) => [
    ...(await durable(db, core.store.server() ?? '')),
    writing,
    await checkVersion(db),
    await checkClock(db, core.clock.now()),
  ]);
}

/** By writing a row of its own: nothing else can tell. */
async function checkWriting(core: Core): Promise<Finding> {
  try {
    await tryToWrite(core);
    return ok('writing', say`the store takes writes`);
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    return fail('writing', error.message, error.hint);
  }
}

async function pragma(db: Db, name: string): Promise<string> {
  const [row] = await db.execute<Record<string, unknown>>(`PRAGMA ${name}`, []);
  return String(Object.values(row ?? {})[0]);
}

async function sqliteChecks(db: Db): Promise<Finding[]> {
  const journal = await pragma(db, 'journal_mode');
  const whole = await pragma(db, 'quick_check(1)');
  return [
    journal === 'wal'
      ? ok('store', say`SQLite with a write-ahead log: what is answered is on the disk`)
      : fail(
          'store',
          say`SQLite runs with journal_mode=${journal}`,
          say`Keep the store on a local disk, not on a network folder.`,
        ),
    whole === 'ok'
      ? ok('integrity', say`the file is whole`)
      : fail('integrity', say`the file is damaged: ${whole}`, say`Stop the daemon and put back a backup.`),
  ];
}

async function postgresChecks(db: Db, server: string): Promise<Finding[]> {
  const version = await setting(db, 'server_version');
  const unsafe: string[] = [];
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if ((await setting(db, name)) === 'off') unsafe.push(`${name}=off`);
  }
  return [
    unsafe.length === 0
      ? ok('store', say`PostgreSQL ${version} at ${server}, commits are durable`)
      : fail(
          'store',
          say`PostgreSQL ${version} at ${server} runs with ${unsafe.join(', ')}: a power cut loses payments`,
          say`Switch these settings on in postgresql.conf.`,
        ),
  ];
}

async function setting(db: Db, name: string): Promise<string> {
  const [row] = await db.execute<{ setting: string }>('SELECT setting FROM pg_settings WHERE name = $1', [
    name,
  ]);
  return row?.setting ?? 'unknown';
}

async function checkVersion(db: Db): Promise<Finding> {
  const [row] = await db.execute<{ version: number }>(
    'SELECT max(version) AS version FROM schema_versions',
    [],
  );
  const version = row?.version ?? 0;
  return version === MIGRATIONS.length
    ? ok('tables', say`version ${version}`)
    : fail(
        'tables',
        say`version ${version}, this Kashbox has ${MIGRATIONS.length}`,
        say`Run one Kashbox version only.`,
      );
}

/** Rows of the future mean that the clock was set back since, and then sessions live too long. */
async function checkClock(db: Db, now: number): Promise<Finding> {
  const [row] = await db.execute<{ newest: number | null }>(
    'SELECT max(at) AS newest FROM (SELECT max(stored_at) AS at FROM sms UNION ALL SELECT max(created_at) FROM sessions) AS times',
    [],
  );
  const newest = row?.newest ?? 0;
  const shown = say`${dhakaText(now)} Bangladesh time`;
  if (now >= EARLIEST_NOW && newest <= now + CLOCK_TOLERANCE_MS) return ok('clock', shown);
  const why: Text = newest > now ? say`, but the store has rows of ${dhakaText(newest)}` : '';
  return fail(
    'clock',
    say`it says ${shown}${why}`,
    say`Set the clock, and let NTP keep it: timedatectl set-ntp true`,
  );
}
