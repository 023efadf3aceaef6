/**
 * The store of operators who run several daemons: PostgreSQL through a pool, one transaction for each
 * unit of work, run again where the server asks for it (40001, 40P01). The SQL keeps to what engines that
 * speak its protocol accept as well: no advisory locks, no sequences, no LISTEN for anything that matters.
 */
import pg from 'pg';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { dbOver, type Execute } from './dialect.js';
import { namePostgresError, RetryableConflict } from './driver-errors.js';
import { migrate } from './migrate.js';
import type { Db } from './schema/index.js';
import type { Opening, Store } from './store.js';
import { READ_ONLY, STANDBY, WriteHealth } from './write-health.js';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own limit: only a server that is gone without a word is given up by it. */
const ANSWER_TIMEOUT_MS = 12_000;
const TRIES = 8;
const RETRY_MS = 5;
const INT8 = 20;

type Client = pg.Pool | pg.PoolClient;

const CHANGING: readonly string[] = ['INSERT', 'UPDATE', 'DELETE'];

/** @param onChange told when rows were changed. */
function executeOn(client: Client, onChange: () => void = () => {}): Execute {
  return async <Row>(sql: string, parameters: readonly unknown[]) => {
    const { command, rows, rowCount } = await client.query(sql, [...parameters]);
    const changed = rowCount ?? 0;
    if (changed > 0 && CHANGING.includes(command)) onChange();
    return { rows: rows as Row[], changed };
  };
}

/** Every int8 of ours is paisa or milliseconds, both far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** A setting that gives durability away is refused; one that is unknown belongs to another engine. */
async function assertDurable(pool: pg.Pool): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const shown = await pool.query(`SHOW ${setting}`).catch(() => null);
    if (shown?.rows[0]?.[setting] === 'off') {
      throw new KashboxError('config_invalid', {
        message: `PostgreSQL runs with ${setting}=off, which loses payments in a power cut`,
        hint: `Set ${setting}=on on the server.`,
      });
    }
  }
}

/** In a database of somebody else a command that reads must neither make tables nor tell of an empty shop. */
async function requireTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    "SELECT 1 FROM information_schema.tables WHERE table_name = 'schema_versions' AND table_schema = current_schema()",
  );
  if (rows.length > 0) return;
  throw new KashboxError('store_unreachable', {
    message: 'There is no Kashbox in the database of KASHBOX_DATABASE_URL: it has no tables of it',
    hint: 'Name the database of the installation, or make one there with `kashbox setup`.',
  });
}

/**
 * @param url `postgres://user:password@host:port/database`
 * @param options.now milliseconds since the epoch, for the migration's record.
 * @param options.mustExist refuses a database without our tables, instead of making them.
 */
export async function openPostgres(
  url: string,
  { now, mustExist = false, isAsIs = false }: Opening,
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => {});
  // The same for one that breaks during a unit of work: an unhandled error would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const health = new WriteHealth();
  const readDb = dbOver('postgres', executeOn(pool));
  const write = transactions(pool, health);
  // Where there is no answer to a question, nothing can be written either.
  const failed = health.rethrow(finalError);
  const store: Store = {
    engine: 'postgres',
    writing: health,
    async read(work) {
      try {
        return await work(readDb);
      } catch (error) {
        return failed(error);
      }
    },
    async write(work) {
      try {
        return await withRetries(() => write(work));
      } catch (error) {
        const known = isKashboxError(error, 'store_read_only') ? await readOnlyError(pool, error) : error;
        health.failed(known);
        throw known;
      }
    },
    close: () => pool.end(),
  };
  try {
    await withRetries(() => assertDurable(pool));
    if (mustExist) await requireTables(pool);
    if (!isAsIs) await migrate((work) => store.write(work), now);
    return store;
  } catch (error) {
    await pool.end();
    throw finalError(error);
  }
}

/** @returns how to run one unit of work in one transaction. */
function transactions(pool: pg.Pool, health: WriteHealth) {
  const changed = new WeakSet<pg.PoolClient>();
  const dbs = new WeakMap<pg.PoolClient, Db>();
  const dbOf = (client: pg.PoolClient): Db => {
    const note = () => void changed.add(client);
    const known = dbs.get(client) ?? dbOver('postgres', executeOn(client, note));
    dbs.set(client, known);
    return known;
  };
  return async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    let hasChanged = false;
    const value = await inTransaction(pool, async (client) => {
      changed.delete(client);
      const value = await work(dbOf(client));
      hasChanged = changed.has(client);
      return value;
    });
    if (hasChanged) health.worked();
    return value;
  };
}

/** Why a server that is there takes no writes: who must do what differs. */
async function readOnlyError(pool: pg.Pool, cause: KashboxError): Promise<KashboxError> {
  const asked = await pool.query('SELECT pg_is_in_recovery() AS standby').catch(() => null);
  if (asked === null) return cause;
  return asked.rows[0]?.standby === true
    ? new KashboxError('store_read_only', {
        message: STANDBY,
        hint: 'Give KASHBOX_DATABASE_URL the address of the primary, or promote this server.',
        cause,
      })
    : new KashboxError('store_read_only', {
        message: READ_ONLY,
        hint: 'Set default_transaction_read_only=off on the server, or for the database and the user.',
        cause,
      });
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const value = await work(client);
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // A connection that is gone takes its transaction with it, and would only keep us waiting again.
    if (isKashboxError(namePostgresError(error), 'store_unreachable')) broken = error as Error;
    else {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * A conflict leaves nothing behind, so running the unit again is safe. A connection that broke is not
 * retried: its commit may have arrived.
 */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
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
