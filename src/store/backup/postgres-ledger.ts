/** Reads a ledger of PostgreSQL as it was at one moment, and fills an empty database. */
import pg from 'pg';
import { KashboxError } from '../../base/errors/errors.js';
import { createDb } from '../dialect.js';
import { namePostgresError } from '../driver-errors.js';
import { MIGRATIONS, migrate } from '../migrate.js';
import { addressInUse } from '../postgres-hosts.js';
import {
  checkedWriter,
  FACTS,
  type LedgerFacts,
  type LedgerReader,
  type LedgerTarget,
  type LedgerWriter,
  ledgerTables,
  toLedgerFacts,
  wrapRowError,
} from './ledger.js';

const CONNECT_TIMEOUT_MS = 5_000;
const ROWS = 500;
/** A slip may have 2 MiB. */
const ROWS_OF: Readonly<Record<string, number>> = { slips: 4 };
/** Disables timeouts: a backup may wait, and the person who runs it can cancel it. */
const NO_LIMITS =
  'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await addressInUse(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // One that breaks is met by the next query.
  client.on('error', () => {});
  await client.connect();
  await client.query(NO_LIMITS);
  return client;
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namePostgresError(error);
  }
}

/** One snapshot for all tables; writers are not held up. @throws KashboxError `store_unreachable` */
export function openPostgresSnapshot(url: string): Promise<LedgerReader> {
  return named(async () => {
    const client = await connect(url);
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const facts = await loadFacts(client);
      return { facts, rows: (table) => rowsOf(client, table), close: () => client.end() };
    } catch (error) {
      await client.end();
      throw error;
    }
  });
}

async function loadFacts(client: pg.Client): Promise<LedgerFacts> {
  const { rows } = await client.query<Record<keyof LedgerFacts, string>>(FACTS);
  return toLedgerFacts(rows[0] as Record<keyof LedgerFacts, string>);
}

async function* rowsOf(client: pg.Client, table: string): AsyncGenerator<readonly string[]> {
  const ask = (sql: string) => named(() => client.query<{ readonly row: string }>(sql));
  await ask(`DECLARE ledger NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${table} AS t`);
  for (;;) {
    const { rows } = await ask(`FETCH ${ROWS_OF[table] ?? ROWS} FROM ledger`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await ask('CLOSE ledger');
}

/**
 * All in one transaction: until it is kept, the database stays as empty as it was.
 * @param now milliseconds since the epoch, for the migrations.
 * @throws KashboxError `state_refused` if there are tables of Kashbox in it, `store_unreachable`
 */
export function fillPostgres(url: string, schemaVersion: number, now: number): Promise<LedgerWriter> {
  return named(async () => {
    const client = await connect(url);
    try {
      await client.query('BEGIN');
      await assertEmpty(client);
      const db = createDb('postgres', async (sql, parameters) => {
        const { rows, rowCount } = await client.query(sql, [...parameters]);
        return { rows, changed: rowCount ?? 0 };
      });
      await migrate((work) => work(db), now, MIGRATIONS.slice(0, schemaVersion));
      for (const table of [...ledgerTables(schemaVersion)].reverse()) {
        await client.query(`DELETE FROM ${table}`);
      }
      return checkedWriter(targetOn(client, schemaVersion));
    } catch (error) {
      await client.end();
      throw error;
    }
  });
}

function targetOn(client: pg.Client, schemaVersion: number): LedgerTarget {
  return {
    schemaVersion,
    insert: (table, rows) =>
      named(async () => {
        const into = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`;
        await client.query(into, [`[${rows.join(',')}]`]);
      }).catch((error: unknown) => {
        throw wrapRowError(error);
      }),
    facts: () => named(() => loadFacts(client)),
    rows: (table) => rowsOf(client, table),
    commit: () =>
      named(async () => {
        await client.query('COMMIT');
        // Autovacuum counts a new table within a minute, and until then plans are made for an empty one.
        await client.query('ANALYZE');
      }),
    close: () => client.end(),
  };
}

/** @throws KashboxError `state_refused`, `store_unreachable` */
export function assertEmptyPostgres(url: string): Promise<void> {
  return named(async () => {
    const client = await connect(url);
    await assertEmpty(client).finally(() => client.end());
  });
}

/** Fails if tables exist: those of other programs would be mixed with the backup's rows. */
async function assertEmpty(client: pg.Client): Promise<void> {
  const names = ledgerTables(MIGRATIONS.length);
  const { rows } = await client.query<{ readonly name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ANY ($1)',
    [names],
  );
  if (rows.length === 0) return;
  throw new KashboxError('state_refused', {
    message: `The database already has Kashbox tables (${rows.length}), so nothing was written`,
    hint: 'Create an empty database and use that.',
  });
}
