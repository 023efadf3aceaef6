/**
 * What the rest of Kashbox knows of a database: read what is committed, or do one durable unit of work.
 * Which engine serves it is decided here and nowhere else.
 */
import type { Db, Engine } from './schema.js';
import type { WriteHealth } from './write-health.js';

export interface Store {
  readonly engine: Engine;
  /** Whether it takes writes, as those of this process have shown. */
  readonly writing: WriteHealth;
  /**
   * Reads committed rows. Each query sees at least everything whose `write` has been answered.
   * @throws KashboxError `store_busy`, `store_unreachable`, `store_damaged`
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction and resolves only when that is durable; on an error nothing of it
   * stays. `work` may be run again from its start (a lost race on PostgreSQL; on SQLite another's failure
   * in the commit that it shares), so it must touch nothing but `db`, and it must wait for nothing but `db`.
   * @throws what `work` throws, or KashboxError `already_exists` (a unique key), `store_busy`, `store_full`,
   * `store_read_only`, `store_unreachable`, `store_damaged`
   */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Finishes what is under way and lets go of the files or connections. */
  close(): Promise<void>;
}

export interface OpenStore {
  /** SQLite file; used when `databaseUrl` is absent. */
  readonly file: string;
  /** `postgres://…`; then the file is not touched. */
  readonly databaseUrl: string | null;
  /** Milliseconds since the epoch, for the migration's record. */
  readonly now: number;
  /** Called once when the disk failed under a commit: only a restart can tell what is on it. */
  readonly onDamage?: (error: unknown) => void;
}

/** Opens the store and brings its tables up to date. The driver that is not needed is never loaded. */
export async function openStore(options: OpenStore): Promise<Store> {
  if (options.databaseUrl === null) {
    const { openSqlite } = await import('./sqlite.js');
    return openSqlite(options.file, options.now, options.onDamage);
  }
  const { openPostgres } = await import('./postgres.js');
  return openPostgres(options.databaseUrl, options.now);
}
