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
