/**
 * Connections to the primary among the PostgreSQL hosts of an address. After a failure all hosts are checked
 * again. A failed write is never retried here: its commit may have arrived.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { postgresAddresses } from '../config/postgres-url.js';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** Maximum time that a database transaction waits for a free connection, ms. */
const POOL_TIMEOUT_MS = 10_000;
/** Time limit per host while no primary is known, ms: one host must not delay the next round. */
const LOOK_TIMEOUT_MS = 2_000;
/** A connection on which nothing is said is probed by the system then: is the server still there? */
export const PROBE_AFTER_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own limit: applies only to a server that vanished without closing. */
const ANSWER_TIMEOUT_MS = 12_000;

/** Connections to one server. */
interface Connections {
  /** An address of one host. */
  readonly address: string;
  readonly pool: pg.Pool;
}

export class PostgresHosts {
  /** Reason why it does not switch to the new primary; null if none was refused. */
  refusal: KashboxError | null = null;
  /** Called when another server is in use. */
  onMove: () => void = () => {};
  private looking: Promise<void> | null = null;
  private isClosed = false;

  private constructor(
    private readonly addresses: readonly string[],
    private used: Connections,
  ) {}

  /**
   * @param url may name several hosts (config/postgres-url).
   * @throws the driver's error if none of several hosts can be reached; a single host fails at its first use.
   */
  static async open(url: string): Promise<PostgresHosts> {
    const address = await addressInUse(url);
    return new PostgresHosts(postgresAddresses(url), connectionsTo(address));
  }

  get current(): Connections {
    return this.used;
  }

  get areSeveral(): boolean {
    return this.addresses.length > 1;
  }

  /** Called when the current server cannot be reached or takes no writes. */
  lookAgain(): void {
    if (!this.areSeveral || this.isClosed) return;
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.looking;
    await this.used.pool.end();
  }

  private async look(): Promise<void> {
    const address = await writableOf(this.addresses, LOOK_TIMEOUT_MS).catch(() => null);
    if (address === null) return;
    this.refusal = null;
    if (address === this.used.address) return;
    const found = connectionsTo(address);
    try {
      await assertDurable(found.pool);
    } catch (error) {
      // What gives durability away is not gone over to; the server in use goes on failing.
      if (isKashboxError(error)) this.refusal = refusalOf(address, error);
      return found.pool.end();
    }
    const left = this.used;
    this.used = found;
    this.onMove();
    // What is under way on the old ones ends there, or fails there.
    void left.pool.end().catch(() => {});
  }
}

/** SQLSTATE of a server, a role or a database that takes no more connections just now. */
const TOO_MANY = '53300';
const TOO_MANY_PAUSE_MS = 50;

/**
 * Returns a connection of the pool. If the server accepts no more connections, the caller waits for a free
 * one, as it would if the pool itself were full.
 * @throws the driver's error, also if there were too many connections until the end
 */
export async function connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
  const end = performance.now() + POOL_TIMEOUT_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if ((error as { code?: string }).code !== TOO_MANY || performance.now() > end) throw error;
    }
    await sleep(TOO_MANY_PAUSE_MS);
  }
}

const INT8 = 20;
/** Every int8 of ours is paisa or milliseconds, both far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

function connectionsTo(address: string): Connections {
  const pool = new pg.Pool({
    connectionString: address,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    // What a unit of work asks at once goes out at once.
    pipeline: true,
    types,
  });
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => {});
  // The same for one that breaks during a unit of work: an unhandled error would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { address, pool };
}

/** @returns such as `db2.example.com:5432`, without the password that an address may have */
export function formatServer(address: string): string {
  const { host } = new URL(address);
  return host === '' ? 'a Unix socket' : host;
}

function refusalOf(address: string, { message, hint }: KashboxError): KashboxError {
  return new KashboxError('store_read_only', {
    message: `The server ${formatServer(address)} takes writes, but is not used: ${message}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** SQLSTATE of a setting that the server does not know. */
const UNKNOWN_SETTING = '42704';

/**
 * A setting that gives durability away is refused; one that is unknown belongs to another engine.
 * @throws KashboxError `config_invalid`, or what the driver throws
 */
export async function assertDurable(pool: pg.Pool): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const shown = await pool.query(`SHOW ${setting}`).catch((error: { code?: string }) => {
      if (error.code === UNKNOWN_SETTING) return null;
      throw error;
    });
    if (shown?.rows[0]?.[setting] === 'off') {
      throw new KashboxError('config_invalid', {
        message: `PostgreSQL runs with ${setting}=off, which loses payments in a power cut`,
        hint: `Set ${setting}=on on the server.`,
      });
    }
  }
}

/**
 * @param url may name several hosts (config/postgres-url).
 * @returns its address of one host: the one that takes writes, as far as there is one.
 * @throws what the driver throws where there are several and none can be reached
 */
export async function addressInUse(url: string): Promise<string> {
  const addresses = postgresAddresses(url);
  const [only = url, ...others] = addresses;
  return others.length === 0 ? only : writableOf(addresses, CONNECT_TIMEOUT_MS);
}

/**
 * @returns the address whose server takes writes, else one whose server answers.
 * @throws what the driver throws where none answers
 */
async function writableOf(addresses: readonly string[], timeoutMs: number): Promise<string> {
  const asked = addresses.map((address) => takesWrites(address, timeoutMs).then((yes) => ({ address, yes })));
  const writable = asked.map((one) =>
    one.then((it) => (it.yes ? it : Promise.reject(new Error('a standby')))),
  );
  try {
    return (await Promise.any(writable)).address;
  } catch {
    const answers = await Promise.allSettled(asked);
    for (const answer of answers) if (answer.status === 'fulfilled') return answer.value.address;
    throw answers.find((answer) => answer.status === 'rejected')?.reason;
  }
}

async function takesWrites(address: string, timeoutMs: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  } finally {
    void client.end().catch(() => {});
  }
}
