/** Opens the store that the settings name. The driver that is not needed is never loaded. */
import type { Store } from './store.js';

export interface OpenStore {
  /** SQLite file; used when `databaseUrl` is absent. */
  readonly file: string;
  /** `postgres://…`; then the file is not touched. */
  readonly databaseUrl: string | null;
  /** Milliseconds since the epoch, for the migration's record. */
  readonly now: number;
  /** Refuses a database without our tables, instead of making them. Of a file its path tells. */
  readonly mustExist?: boolean;
  /** Called once when the disk failed under a commit: only a restart can tell what is on it. */
  readonly onDamage?: (error: unknown) => void;
}

/**
 * Brings the tables up to date, too. @throws KashboxError `store_unreachable`, `store_newer`, `store_damaged`
 */
export async function openStore(options: OpenStore): Promise<Store> {
  if (options.databaseUrl === null) {
    const { openSqlite } = await import('./sqlite.js');
    return openSqlite(options.file, options.now, options.onDamage);
  }
  const { openPostgres } = await import('./postgres.js');
  return openPostgres(options.databaseUrl, options.now, options.mustExist);
}
