/**
 * What the rest of Kashbox knows of a database: read what is committed, or do one durable unit of work.
 * Which engine serves it is decided in open.ts and nowhere else.
 */
import type { Db, Engine } from './schema/index.js';
import type { WriteHealth } from './write-health.js';

/** How a store is opened. */
export interface Opening {
  /** Milliseconds since the epoch, for the migration's record. */
  readonly now: number;
  /** Refuses a database without our tables, instead of making them. Of a file its path tells. */
  readonly mustExist?: boolean;
  /** Leaves the tables of an older version as they are. */
  readonly isAsIs?: boolean;
  /** Called once when the disk failed under a commit: only a restart can tell what is on it. */
  readonly onDamage?: (error: unknown) => void;
}

/** That something has changed, for whoever shows it. */
export interface Hint {
  readonly topic: string;
  /** Of what has changed. */
  readonly id: string;
}

/** Hints between the processes on one store. They may get lost. */
export interface StoreHints {
  /** To all others. Call it only after the change is durable. */
  send(hint: Hint): void;
  /** @returns a function that ends the listening. */
  listen(hear: (hint: Hint) => void): () => Promise<void>;
}

export interface Store {
  readonly engine: Engine;
  /** Null where processes can tell each other nothing: then they find changes by asking. */
  readonly hints: StoreHints | null;
  /** @returns host and port of the PostgreSQL in use, which changes with a failover; null for a file. */
  server(): string | null;
  /** Whether it takes writes, as those of this process have shown. */
  readonly writing: WriteHealth;
  /** Looks whether its files are still where they were; what is found is told as `onDamage`. For a daemon. */
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
  /** Finishes what is under way and lets go of the files or connections. */
  close(): Promise<void>;
}
