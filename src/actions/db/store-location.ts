/**
 * Location of an installation's store, which is opened without migration: its content, and manual migration
 * of its tables.
 */

import { statSync } from 'node:fs';
import { withoutPassword } from '../../config/contexts.js';
import { ledgerTables } from '../../store/backup/ledger.js';
import { MIGRATIONS, migrate, tablesVersion } from '../../store/migrate.js';
import { openStore } from '../../store/open.js';
import type { Db, Engine } from '../../store/schema/index.js';
import type { Store } from '../../store/store.js';
import { requireHome, whyCopied } from '../core/require-home.js';
import { whyNoWrites } from '../upkeep/prove-writes.js';

export interface StoreLocation {
  readonly engine: Engine;
  /** The home folder. */
  readonly folder: string;
  /** SQLite file in the home folder, even if the store is in PostgreSQL. */
  readonly file: string;
  /** Null where the store is that file. */
  readonly databaseUrl: string | null;
  /** True if kashbox.json names the database. */
  readonly isInSettings: boolean;
}

/** @throws KashboxError `store_unreachable` if there is no installation, `config_invalid` */
export function resolveStoreLocation(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): StoreLocation {
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
  { file, databaseUrl }: StoreLocation,
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

/** Tables whose rows are counted; the others are of no interest. */
const COUNTED = [
  ...['merchants', 'brands', 'devices', 'sessions', 'claims', 'transactions', 'sms', 'pushes', 'reviews'],
  ...['notifications', 'dispatches', 'audit', 'audit_chain'],
];

export interface StoreStatus {
  readonly engine: Engine;
  /** The file, or the address without its password. */
  readonly where: string;
  readonly bytes: number;
  /** Newest change of the tables that it has seen, and that this Kashbox knows. */
  readonly tables: number;
  readonly newest: number;
  /** Changes that are still to be made. */
  readonly pending: readonly string[];
  /** Rows of the main tables; those that it does not have yet are left out. */
  readonly rows: Readonly<Record<string, number>>;
  /** Reason why the store is not writable; null if it is. */
  readonly no_writes: string | null;
}

/** @param now milliseconds since the epoch. @throws KashboxError `store_unreachable` */
export function loadStoreStatus(place: StoreLocation, now: number): Promise<StoreStatus> {
  return withStore(place, now, async (store) => {
    const tables = await store.read(tablesVersion);
    const present = ledgerTables(tables);
    const rows: Record<string, number> = {};
    for (const table of COUNTED.filter((name) => present.includes(name))) {
      rows[table] = await store.read((db) => countRows(db, table));
    }
    const copied = present.includes('installation') ? await store.read(whyCopied) : null;
    return {
      engine: place.engine,
      where: describeStoreLocation(place),
      bytes: await store.read((db) => sizeOf(db, place)),
      tables,
      newest: MIGRATIONS.length,
      pending: MIGRATIONS.slice(tables).map(({ name }) => name),
      rows,
      no_writes: copied?.message ?? (await whyNoWrites({ store, home: { storeFile: place.file } })),
    };
  });
}

export function describeStoreLocation({
  file,
  databaseUrl,
}: Pick<StoreLocation, 'file' | 'databaseUrl'>): string {
  return databaseUrl === null ? file : withoutPassword(databaseUrl);
}

async function countRows(db: Db, table: string): Promise<number> {
  const [row] = await db.execute<{ readonly count: number }>(`SELECT count(*) AS count FROM ${table}`, []);
  return row?.count ?? 0;
}

async function sizeOf(db: Db, { file, databaseUrl }: StoreLocation): Promise<number> {
  if (databaseUrl === null) {
    const sizes = ['', '-wal'].map((end) => statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0);
  }
  const sql = 'SELECT pg_database_size(current_database()) AS bytes';
  const [row] = await db.execute<{ readonly bytes: number }>(sql, []);
  return row?.bytes ?? 0;
}

export interface MigrationResult {
  /** Newest change of the tables before and after. */
  readonly from: number;
  readonly to: number;
  /** Migrations applied, in this order; empty if another process has applied them. */
  readonly applied: readonly { readonly version: number; readonly name: string }[];
}

/** @param now milliseconds since the epoch. @throws KashboxError `store_newer`, `store_unreachable`, … */
export function migrateStore(place: StoreLocation, now: number): Promise<MigrationResult> {
  return withStore(place, now, async (store) => {
    const from = await store.read(tablesVersion);
    const done = await migrate((work) => store.write(work), now);
    const applied = MIGRATIONS.filter(({ version }) => done.includes(version));
    return { from, to: MIGRATIONS.length, applied: applied.map(({ version, name }) => ({ version, name })) };
  });
}
