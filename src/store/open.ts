/** Opens the store that the settings name. The driver that is not needed is never loaded. */
import type { Opening, Store } from './store.js';

interface OpenStore extends Opening {
  /** SQLite file; used when `databaseUrl` is absent. */
  readonly file: string;
  /** `postgres://…`; then the file is not touched. */
  readonly databaseUrl: string | null;
}

/**
 * Opens a store and, by default, migrates its tables.
 * @throws KashboxError `store_unreachable`, `store_newer`, `store_damaged`
 */
export async function openStore({ file, databaseUrl, ...opening }: OpenStore): Promise<Store> {
  if (databaseUrl === null) {
    const { openSqlite } = await import('./sqlite.js');
    return openSqlite(file, opening);
  }
  const { openPostgres } = await import('./postgres.js');
  return openPostgres(databaseUrl, opening);
}
