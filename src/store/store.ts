/**
 * Interface of a database for the rest of Kashbox: read committed data, or run one durable database
 * transaction. Only open.ts selects the engine.
 */
import type { Db, Engine } from './schema/index.js';
import type { WriteHealth } from './write-health.js';

export interface Opening {
  /** Milliseconds since the epoch, for the migration's record. */
  readonly now: number;
  /** Refuses a database without tables, instead of creating them. For a file the path shows this. */
  readonly mustExist?: boolean;
  /** Leaves the tables of an older version as they are. */
  readonly isAsIs?: boolean;
  /** Called once if the disk failed during a commit: only a restart can show what was stored. */
  readonly onDamage?: (error: unknown) => void;
}

/** Notice that something has changed, for live views. */
export interface Hint {
  readonly topic: string;
  /** Id of the changed object. */
  readonly id: string;
}

/** Hints between the processes on one store. They may get lost. */
export interface StoreHints {
  /** Sends a hint to all other processes. Call it only after the change is durable. */
  send(hint: Hint): void;
  /** @returns a function that ends the listening. */
  listen(hear: (hint: Hint) => void): () => Promise<void>;
}

export interface Store {
  readonly engine: Engine;
  /** Null if processes cannot notify each other: then they find changes by polling. */
  readonly hints: StoreHints | null;
  /** @returns host and port of the PostgreSQL in use, which changes with a failover; null for a file. */
  server(): string | null;
  /** Write health, by the writes of this process. */
  readonly writing: WriteHealth;
  /** Checks that its files are still in place; a failure is reported to `onDamage`. For a daemon. */
  look(): void;
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
  /** Finishes pending work and closes the files or connections. */
  close(): Promise<void>;
}
