/** Where an installation keeps its store, which is opened here as it is: with the tables that it has. */
import { openStore } from '../../store/open.js';
import type { Engine } from '../../store/schema/index.js';
import type { Store } from '../../store/store.js';
import { requireHome } from '../core/require-home.js';

export interface Place {
  readonly engine: Engine;
  /** The home folder. */
  readonly folder: string;
  /** SQLite file of the home, whether the store is there or not. */
  readonly file: string;
  /** Null where the store is that file. */
  readonly databaseUrl: string | null;
  /** Whether kashbox.json names the database. */
  readonly isInSettings: boolean;
}

/** @throws KashboxError `store_unreachable` where there is no installation, `config_invalid` */
export function placeOf(folder: string, env: Readonly<Record<string, string | undefined>>): Place {
  const { home, settings } = requireHome(folder, env);
  const databaseUrl = settings.databaseUrl === '' ? null : settings.databaseUrl;
  return {
    engine: databaseUrl === null ? 'sqlite' : 'postgres',
    folder: home.folder,
    file: home.storeFile,
    databaseUrl,
    isInSettings: home.settings.databaseUrl !== undefined,
  };
}

/** @param now milliseconds since the epoch. @throws KashboxError `store_…`, and what `work` throws */
export async function withStore<T>(
  { file, databaseUrl }: Place,
  now: number,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ file, databaseUrl, now, mustExist: true, isAsIs: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
