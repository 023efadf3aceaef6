/**
 * The store of operators who run several daemons: PostgreSQL through a pool, one transaction for each
 * unit of work, run again where the server asks for it (40001, 40P01). The SQL keeps to what engines that
 * speak its protocol accept as well: no advisory locks, no sequences, no LISTEN for anything that matters.
 */
import type pg from 'pg';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { dbOver, type Execute } from './dialect.js';
import { namePostgresError, RetryableConflict } from './driver-errors.js';
import { migrate } from './migrate.js';
import { isUnexpected } from './postgres-expected.js';
import { createHints } from './postgres-hints.js';
import { assertDurable, PostgresHosts, serverOf } from './postgres-hosts.js';
import { StatementNames } from './postgres-statements.js';
import { LoneStatement, PostgresUnit } from './postgres-unit.js';
import type { Db } from './schema/index.js';
import type { Opening, Store } from './store.js';
import { READ_ONLY, refuseWhileHeld, STANDBY, WriteHealth } from './write-health.js';

const NOTIFY = 'SELECT pg_notify($1, $2)';
/** Errors of a server that another one may have taken over from. */
const AWAY = ['store_unreachable', 'store_read_only'] as const;
const TRIES = 8;
const RETRY_MS = 5;

/** Queries that are built each time: each on a connection of its own. */
function executeOn(hosts: PostgresHosts, names: StatementNames): Execute {
  return (sql, parameters) => {
    const unit = new LoneStatement(hosts.current, names);
    return ending(unit, unit.ask(sql, parameters, false));
  };
}

/** @returns what the work returns, once the unit has given back its connection. */
async function ending<T>(unit: PostgresUnit, work: Promise<T>): Promise<T> {
  const value = await work.catch(async (error: unknown) => {
    await unit.end(error);
    throw error;
  });
  await unit.end();
  return value;
}

/** In a database of somebody else a command that reads must neither make tables nor tell of an empty shop. */
async function requireTables(pool: pg.Pool): Promise<void> {
  // The information schema hides tables that the user may not use.
  const { rows } = await pool.query("SELECT to_regclass('schema_versions') IS NOT NULL AS found");
  if (rows[0]?.found === true) return;
  throw new KashboxError('store_unreachable', {
    message: 'There is no Kashbox in the database of KASHBOX_DATABASE_URL: it has no tables of it',
    hint: 'Name the database of the installation, or make one there with `kashbox setup`.',
  });
}

/**
 * @param url `postgres://user:password@host:port/database`, or with several hosts (config/postgres-url).
 * @param options.now milliseconds since the epoch, for the migration's record.
 * @param options.mustExist refuses a database without our tables, instead of making them.
 */
export async function openPostgres(
  url: string,
  { now, mustExist = false, isAsIs = false }: Opening,
): Promise<Store> {
  const health = new WriteHealth();
  const names = new StatementNames();
  const hosts = await PostgresHosts.open(url, names).catch((error: unknown) => {
    throw finalError(error);
  });
  const ask = <Row>(sql: string, parameters: readonly unknown[]) =>
    hosts.current.shared.ask<Row>(sql, parameters);
  const hints = createHints(
    () => hosts.current.address,
    (channel, text) => ask(NOTIFY, [channel, text]),
  );
  hosts.onMove = () => hints.move();
  const readDb = dbOver('postgres', executeOn(hosts, names), { ...READS_ONLY, execute: ask });
  const failed = (error: unknown): never => {
    const isAway = AWAY.some((code) => isKashboxError(error, code));
    if (isAway) hosts.lookAgain();
    const known = isAway ? (hosts.refusal ?? error) : error;
    // Where there is no answer to a question, nothing can be written either.
    health.failed(known);
    throw known;
  };
  const written = async <T>(attempt: (isAhead: boolean) => Promise<Written<T>>): Promise<T> => {
    refuseWhileHeld({ writing: health });
    try {
      const { value, hasChanged } = await withRetries(names, attempt);
      if (hasChanged) health.worked();
      return value;
    } catch (error) {
      const isReadOnly = isKashboxError(error, 'store_read_only');
      return failed(isReadOnly ? await readOnlyError(hosts, error) : error);
    }
  };
  const dbs: UnitDb[] = [];
  const store: Store = {
    engine: 'postgres',
    hints,
    server: () => serverOf(hosts.current.address),
    writing: health,
    look: () => {},
    async read(work) {
      try {
        return await work(readDb).catch((error) => {
          if (names.areOfNoUse(error)) return work(readDb);
          throw error;
        });
      } catch (error) {
        return failed(finalError(error));
      }
    },
    write: (work) =>
      written((isAhead) => runUnit(new PostgresUnit(hosts.current, names, isAhead), dbs, work)),
    writeStatement: (work) => written(() => runUnit(new LoneStatement(hosts.current, names), dbs, work)),
    close: () => hints.close().then(() => hosts.close()),
  };
  try {
    await withRetries(names, () => assertDurable(hosts.current.pool));
    if (mustExist) await requireTables(hosts.current.pool);
    if (!isAsIs) await migrate((work) => store.write(work), now);
    return store;
  } catch (error) {
    await store.close();
    throw finalError(error);
  }
}

function refuseChange(sql: string): never {
  throw new Error(`A change outside a unit of work: ${sql}`);
}

const READS_ONLY = {
  send: refuseChange,
  isAhead: () => false,
  expect: refuseChange,
  lock: () => refuseChange('a lock'),
};

const WRONG_SERVER = 'Give KASHBOX_DATABASE_URL the address of the primary, or promote this server.';
const NO_PRIMARY =
  'No server of KASHBOX_DATABASE_URL takes writes. If a failover is under way, wait for it; else see that one of them is promoted.';

/** Why a server that is there takes no writes: who must do what differs. */
async function readOnlyError(hosts: PostgresHosts, cause: KashboxError): Promise<KashboxError> {
  const asked = await hosts.current.pool.query('SELECT pg_is_in_recovery() AS standby').catch(() => null);
  if (asked === null) return cause;
  return asked.rows[0]?.standby === true
    ? new KashboxError('store_read_only', {
        message: STANDBY,
        hint: hosts.areSeveral ? NO_PRIMARY : WRONG_SERVER,
        cause,
      })
    : new KashboxError('store_read_only', {
        message: READ_ONLY,
        hint: 'Set default_transaction_read_only=off on the server, or for the database and the user.',
        cause,
      });
}

interface Written<T> {
  readonly value: T;
  readonly hasChanged: boolean;
}

/** @param free those that no unit uses. */
async function runUnit<T>(
  unit: PostgresUnit,
  free: UnitDb[],
  work: (db: Db) => Promise<T>,
): Promise<Written<T>> {
  const own = free.pop() ?? new UnitDb();
  const value = await ending(
    unit,
    work(own.over(unit)).then(async (result) => {
      await unit.commit();
      return result;
    }),
  );
  // Not that of a unit that failed: what is left of its work may still ask.
  free.push(own);
  return { value, hasChanged: unit.hasChanged };
}

/** Used again for other units, because making one costs more than a statement. */
class UnitDb {
  private unit: PostgresUnit | null = null;
  private readonly db: Db = dbOver(
    'postgres',
    (sql, parameters) => this.present.ask(sql, parameters, false),
    {
      execute: (sql, parameters) => this.present.ask(sql, parameters, true),
      send: (sql, parameters) => this.present.send(sql, parameters),
      isAhead: () => this.present.isAhead,
      expect: (sql, parameters, rows) => this.present.expect(sql, parameters, rows),
      lock: (lock) => this.present.lock(lock),
    },
  );

  over(unit: PostgresUnit): Db {
    this.unit = unit;
    return this.db;
  }

  private get present(): PostgresUnit {
    if (this.unit === null) throw new Error('A statement of no unit of work');
    return this.unit;
  }
}

/**
 * A conflict leaves nothing behind, so running the unit again is safe. A connection that broke is not
 * retried: its commit may have arrived.
 */
async function withRetries<T>(names: StatementNames, attempt: (isAhead: boolean) => Promise<T>): Promise<T> {
  let isAhead = true;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(isAhead);
    } catch (error) {
      if (names.areOfNoUse(error) && tries < TRIES) continue;
      if (isUnexpected(error) && isAhead) {
        isAhead = false;
        continue;
      }
      const known = namePostgresError(error);
      if (!(known instanceof RetryableConflict) || tries === TRIES) throw finalError(known);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries * (1 + (tries % 3))));
  }
}

function finalError(error: unknown): unknown {
  const known = namePostgresError(error);
  return known instanceof RetryableConflict ? new KashboxError('store_busy', { cause: known }) : known;
}
