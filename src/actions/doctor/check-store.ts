/**
 * Checks the store: durable commits, an intact file, the right version, clock and key; for PostgreSQL also
 * whether its clock agrees, and whether a failover keeps acknowledged commits.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { keyFingerprint } from '../../base/io/secret.js';
import { dhakaText } from '../../base/values/clock.js';
import { msg, type Text } from '../../base/values/msg.js';
import { postgresAddresses } from '../../config/postgres-url.js';
import { MIGRATIONS } from '../../store/migrate.js';
import type { Db } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import { tryToWrite } from '../upkeep/prove-writes.js';
import { type Finding, fail, ok, warn } from './check.js';

/** Clocks of machines that share a store may differ a little. */
const CLOCK_TOLERANCE_MS = 120_000;
/** Earliest plausible time, before the first release: an empty clock battery sets this or less. */
const EARLIEST_NOW = Date.UTC(2026, 0, 1);

export async function checkStore(core: Core): Promise<Finding[]> {
  const store = await checkEngine(core);
  return [...store, checkKey(core), ...(await checkServerClock(core)), ...(await checkStandbys(core))];
}

async function checkEngine(core: Core): Promise<Finding[]> {
  const durable = core.store.engine === 'sqlite' ? sqliteChecks : postgresChecks;
  const writing = await checkWriting(core);
  return core.store.read(async (db) => [
    ...(await durable(db, core.store.server() ?? '')),
    writing,
    await checkVersion(db),
    await checkClock(db, core.clock.now()),
  ]);
}

/** Checks that the store is writable. Writes a row of its own, because there is no other way to know. */
async function checkWriting(core: Core): Promise<Finding> {
  try {
    await tryToWrite(core);
    return ok('writing', msg`the store is writable`);
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
      ? ok('store', msg`SQLite in WAL mode, commits are durable`)
      : fail(
          'store',
          msg`SQLite runs with journal_mode=${journal}`,
          msg`Keep the store on a local disk, not on a network folder.`,
        ),
    whole === 'ok'
      ? ok('integrity', msg`check passed`)
      : fail('integrity', msg`check failed: ${whole}`, msg`Stop the daemon and restore a backup.`),
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
      ? ok('store', msg`PostgreSQL ${version} at ${server}, commits are durable`)
      : fail(
          'store',
          msg`PostgreSQL ${version} at ${server} runs with ${unsafe.join(', ')}: a power cut loses payments`,
          msg`Turn these settings on in postgresql.conf.`,
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
    ? ok('tables', msg`version ${version}`)
    : fail(
        'tables',
        msg`version ${version}, this Kashbox has ${MIGRATIONS.length}`,
        msg`Run one Kashbox version only.`,
      );
}

/** Rows of the future mean that the clock was set back since, and then sessions live too long. */
async function checkClock(db: Db, now: number): Promise<Finding> {
  const [row] = await db.execute<{ newest: number | null }>(
    'SELECT max(at) AS newest FROM (SELECT max(stored_at) AS at FROM sms UNION ALL SELECT max(created_at) FROM sessions) AS times',
    [],
  );
  const newest = row?.newest ?? 0;
  const shown = msg`${dhakaText(now)} Bangladesh time`;
  if (now >= EARLIEST_NOW && newest <= now + CLOCK_TOLERANCE_MS) return ok('clock', shown);
  const why: Text = newest > now ? msg`, but the store has rows dated ${dhakaText(newest)}` : '';
  return fail(
    'clock',
    msg`this machine says ${shown}${why}`,
    msg`Set the clock and enable NTP: timedatectl set-ntp true`,
  );
}

function checkKey({ keyProblem, secrets }: Core): Finding {
  if (keyProblem !== null) return fail('secret key', keyProblem.message, keyProblem.hint);
  return ok('secret key', msg`matches this store, fingerprint ${keyFingerprint(secrets)}`);
}

const SERVER_CLOCK = 'clock of PostgreSQL';
const SERVER_TOLERANCE_MS = 5_000;

/** @returns nothing for SQLite, which has this machine's clock. @throws KashboxError `store_unreachable` */
export async function checkServerClock(core: Core): Promise<Finding[]> {
  if (core.store.engine === 'sqlite') return [];
  const before = core.clock.now();
  const [row] = await core.store.read((db) =>
    db.execute<{ now: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      [],
    ),
  );
  if (row === undefined) throw new TypeError('the server returned no time');
  const apartMs = apart(row.now, before, core.clock.now());
  if (Math.abs(apartMs) <= SERVER_TOLERANCE_MS)
    return [ok(SERVER_CLOCK, msg`matches the clock of this machine`)];
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  return [
    warn(
      SERVER_CLOCK,
      apartMs > 0
        ? msg`the clock of this machine is ${seconds} s ahead of the server`
        : msg`the clock of this machine is ${seconds} s behind the server`,
      msg`Enable NTP on both, and on every machine with a daemon: timedatectl set-ntp true`,
    ),
  ];
}

/** @returns the clock difference, ms. A difference that the duration of the query can explain counts as 0. */
function apart(theirs: number, before: number, after: number): number {
  if (theirs < before) return before - theirs;
  return theirs > after ? after - theirs : 0;
}

const STANDBYS = 'standbys';
const NO_STANDBY = msg`no standby is connected: this server has the only copy`;
const START_ONE = msg`Start a standby. If there should be none, drop the replication slots and name only this server in KASHBOX_DATABASE_URL.`;

interface Replication {
  readonly standbys: number;
  /** Places in the log that are kept for standbys which are not connected. */
  readonly missing: number;
  readonly names: string;
  readonly waits: string;
}

/** A backup that is being taken is a connection of the same kind. */
const ASK = `SELECT
  (SELECT count(*) FROM pg_stat_replication WHERE application_name <> 'pg_basebackup') AS standbys,
  (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT active) AS missing,
  current_setting('synchronous_standby_names') AS names,
  current_setting('synchronous_commit') AS waits`;

/** @returns nothing for SQLite, and for a server that is meant to be alone. */
export async function checkStandbys({
  store,
  settings,
}: Pick<Core, 'store' | 'settings'>): Promise<Finding[]> {
  if (store.engine === 'sqlite') return [];
  let row: Replication | undefined;
  try {
    [row] = await store.read((db) => db.execute<Replication>(ASK, []));
  } catch {
    // Engines that speak its protocol have other names for it.
    return [ok(STANDBYS, msg`this database user cannot see whether standbys are connected`)];
  }
  if (row === undefined) return [];
  if (row.standbys === 0) {
    const isAlone =
      row.missing === 0 && row.names === '' && postgresAddresses(settings.databaseUrl).length === 1;
    return isAlone ? [] : [warn(STANDBYS, NO_STANDBY, START_ONE)];
  }
  const count =
    row.standbys === 1 ? msg`1 standby is connected` : msg`${row.standbys} standbys are connected`;
  if (row.names !== '' && row.waits !== 'local')
    return [ok(STANDBYS, msg`${count}, commits wait for ${row.names}`)];
  const setting =
    row.names === '' ? msg`synchronous_standby_names is empty` : msg`synchronous_commit is local`;
  return [
    warn(
      STANDBYS,
      msg`${count}, but ${setting}: a failover now would lose acknowledged payments`,
      msg`On the primary: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', synchronous_commit on, and reload it. Under Patroni: synchronous_mode: true; after a switchover wait a moment.`,
    ),
  ];
}
