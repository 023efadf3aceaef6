/**
 * Store of operators who run several daemons: PostgreSQL through a pool, one database transaction per write,
 * retried if the server asks for it (40001, 40P01). The SQL is limited to what engines with its protocol
 * accept, too: no advisory locks, no sequences, no LISTEN for anything essential.
 */
import type pg from 'pg';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { createDb, type Execute } from './dialect.js';
import { namePostgresError, RetryableConflict } from './driver-errors.js';
import { migrate } from './migrate.js';
import { createHints } from './postgres-hints.js';
import { assertDurable, connectTo, formatServer, PostgresHosts } from './postgres-hosts.js';
import type { Db } from './schema/index.js';
import type { Opening, Store } from './store.js';
import { READ_ONLY, refuseWhileHeld, STANDBY, WriteHealth } from './write-health.js';

const NOTIFY = 'SELECT pg_notify($1, $2)';
/** Errors of a server that another one may have taken over from. */
const AWAY = ['store_unreachable', 'store_read_only'] as const;
const TRIES = 8;
const RETRY_MS = 5;

/** Maximum prepared statements. More come only from lists of every length; they fill server memory. */
const MAX_PREPARED = 2_000;

/**
 * Names under which statements are prepared, the same on all connections of a store: the server plans each of
 * them once for a connection, which is half of the work of running one.
 */
class StatementNames {
  private readonly names = new Map<string, string>();
  private generation = 0;
  private isOff = false;

  /** @returns undefined where the statement is not to be prepared. */
  of(sql: string): string | undefined {
    if (this.isOff) return undefined;
    const known = this.names.get(sql);
    if (known !== undefined || this.names.size >= MAX_PREPARED) return known;
    const name = `k${this.generation}_${this.names.size}`;
    this.names.set(sql, name);
    return name;
  }

  /**
   * Checks if an error means that a prepared statement is unusable: a newer Kashbox changed a table (0A000),
   * or a pooler between Kashbox and the server passes connections on without their statements (26000, 42P05;
   * PgBouncer before 1.21). @returns true if the same statement may be sent again.
   */
  areOfNoUse(error: unknown): boolean {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (code === '26000' || code === '42P05') {
      this.isOff = true;
      return true;
    }
    if (code !== '0A000' || !String(message).includes('cached plan')) return false;
    this.generation += 1;
    this.names.clear();
    return true;
  }
}

type Query = (asked: pg.QueryConfig) => Promise<pg.QueryResult>;

/** @param query runs one statement. @returns a connection that prepares the fixed statements. */
function dbThrough(names: StatementNames, query: Query): Db {
  const run =
    (nameOf: (sql: string) => string | undefined): Execute =>
    async <Row>(text: string, values: readonly unknown[]) => {
      const name = nameOf(text);
      const { rows, rowCount } = await query({ text, values: [...values], ...(name && { name }) });
      return { rows: rows as Row[], changed: rowCount ?? 0 };
    };
  const unnamed = run(() => undefined);
  const named = run((sql) => names.of(sql));
  return createDb('postgres', unnamed, named);
}

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

/** Fails without tables: a read must not create them in a wrong database or report an empty shop. */
async function requireTables(pool: pg.Pool): Promise<void> {
  // The information schema hides tables that the user may not use.
  const { rows } = await pool.query("SELECT to_regclass('schema_versions') IS NOT NULL AS found");
  if (rows[0]?.found === true) return;
  throw new KashboxError('store_unreachable', {
    message: 'The database of KASHBOX_DATABASE_URL has no Kashbox tables',
    hint: 'Use the database of the installation, or create one there with `kashbox setup`.',
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
  const hosts = await PostgresHosts.open(url).catch((error: unknown) => {
    throw finalError(error);
  });
  const hints = createHints(
    () => hosts.current.address,
    (channel, text) => hosts.current.pool.query(NOTIFY, [channel, text]),
  );
  hosts.onMove = () => hints.move();
  const units = new Units(names);
  const failed = (error: unknown): never => {
    const isAway = AWAY.some((code) => isKashboxError(error, code));
    if (isAway) hosts.lookAgain();
    const known = isAway ? (hosts.refusal ?? error) : error;
    // Where there is no answer to a question, nothing can be written either.
    health.failed(known);
    throw known;
  };
  const store: Store = {
    engine: 'postgres',
    hints,
    server: () => formatServer(hosts.current.address),
    writing: health,
    look: () => {},
    async read(work) {
      try {
        return await withRetries(names, async () => units.read(await connectTo(hosts.current.pool), work));
      } catch (error) {
        return failed(error);
      }
    },
    async write(work) {
      refuseWhileHeld({ writing: health });
      try {
        const { value, hasChanged } = await withRetries(names, async () =>
          units.write(await connectTo(hosts.current.pool), work),
        );
        if (hasChanged) health.worked();
        return value;
      } catch (error) {
        const isReadOnly = isKashboxError(error, 'store_read_only');
        return failed(isReadOnly ? await readOnlyError(hosts, error) : error);
      }
    },
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

const WRONG_SERVER = 'Give KASHBOX_DATABASE_URL the address of the primary, or promote this server.';
const NO_PRIMARY =
  'No server of KASHBOX_DATABASE_URL takes writes. If a failover is under way, wait for it; else see that one of them is promoted.';

/** Returns the error for a server that takes no writes: the remedy depends on the reason. */
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

/** State of the database transaction on a connection. */
interface Unit {
  readonly db: Db;
  hasChanged: boolean;
  /** True after the end: late queries of a failed database transaction must not reach the next one. */
  isOver: boolean;
}

/** Database transactions, each on its own connection, and reads, which need none. */
class Units {
  /** State per connection; creating one costs more than a statement. */
  private readonly known = new WeakMap<pg.PoolClient, Unit>();

  constructor(private readonly names: StatementNames) {}

  /** @param client is given back at the end. @throws what the driver throws */
  async read<T>(client: pg.PoolClient, work: (db: Db) => Promise<T>): Promise<T> {
    try {
      const value = await work(this.unitOf(client).db);
      client.release();
      return value;
    } catch (error) {
      this.end(client);
      client.release(lossOf(error));
      throw error;
    }
  }

  /** @param client is released at the end. @throws the driver's error, after a rollback */
  async write<T>(
    client: pg.PoolClient,
    work: (db: Db) => Promise<T>,
  ): Promise<{ readonly value: T; readonly hasChanged: boolean }> {
    const unit = this.unitOf(client);
    unit.hasChanged = false;
    try {
      // Waited for: without it each statement would be committed by itself.
      await client.query('BEGIN');
      const value = await work(unit.db);
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') {
        throw new Error(`PostgreSQL answered ${command} to COMMIT: an error of a statement was passed over`);
      }
      client.release();
      return { value, hasChanged: unit.hasChanged };
    } catch (error) {
      this.end(client);
      client.release(lossOf(error) ?? (await rollBack(client)));
      throw error;
    }
  }

  private end(client: pg.PoolClient): void {
    const unit = this.known.get(client);
    if (unit !== undefined) unit.isOver = true;
    this.known.delete(client);
  }

  private unitOf(client: pg.PoolClient): Unit {
    const known = this.known.get(client);
    if (known !== undefined) return known;
    const unit: Unit = {
      hasChanged: false,
      isOver: false,
      db: dbThrough(this.names, async (asked) => {
        if (unit.isOver) throw new Error('A statement of a unit of work that is over');
        const result = await client.query(asked);
        if (CHANGING.has(result.command) && (result.rowCount ?? 0) > 0) unit.hasChanged = true;
        return result;
      }),
    };
    this.known.set(client, unit);
    return unit;
  }
}

/** @returns the error of a connection that is gone: its transaction is gone with it. */
function lossOf(error: unknown): Error | undefined {
  return isKashboxError(namePostgresError(error), 'store_unreachable') ? (error as Error) : undefined;
}

/** @returns the reason why the connection is unusable; undefined if it is usable. */
function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (failure: Error) => failure,
  );
}

/**
 * Retries after a conflict, which leaves no changes. A broken connection is not retried: its commit may have
 * arrived.
 */
async function withRetries<T>(names: StatementNames, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (names.areOfNoUse(error) && tries < TRIES) continue;
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
