/** A shop at a busy hour to be backed up, and its rows to be compared with those that a backup brought. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type BackupMade, makeBackup } from '../../../src/actions/backup/make-backup.js';
import type { RestoreOrder } from '../../../src/actions/backup/restore-backup.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { loadCertificate } from '../../../src/actions/installation/certificate.js';
import { ledgerTables } from '../../../src/store/backup/ledger.js';
import { MIGRATIONS } from '../../../src/store/migrate.js';
import { openStore } from '../../../src/store/open.js';
import type { Engine } from '../../../src/store/schema/index.js';
import type { Store } from '../../../src/store/store.js';
import { busyShop, SHOP_NAME } from '../../helpers/shop/busy-shop.js';
import { pngLogo } from '../../helpers/shop/logos.js';
import type { Shop } from '../../helpers/shop/shop.js';
import { openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { freshDatabase } from '../../helpers/stores/postgres.js';

export const NOW = Date.UTC(2026, 7, 21, 6, 35);
/** Of two MiB, as large as slips may be. */
const SLIP = 'c2xpcA=='.repeat(350_000);

export interface BusyCore {
  readonly core: Core;
  readonly shop: Shop;
}

export async function busyCore(t: ExecutionContext<unknown>, engine: Engine): Promise<BusyCore> {
  const clock = testClock(NOW);
  const core = await openTestCore(t, engine, { clock });
  const shop = await busyShop(core, clock, 4);
  await loadCertificate(core);
  mkdirSync(join(core.home.folder, 'formats'));
  writeFileSync(join(core.home.folder, 'formats', 'কাগজ.json'), '{}');
  writeFileSync(join(core.home.folder, 'formats', 'notes.txt'), 'not a format');
  writeFileSync(join(core.home.folder, 'kashbox.json'), '{ "settings": { "sessionMinutes": 44 } }');
  const marks = new Map([['mfs_a', pngLogo(32, 32)] as const]);
  await updateBrand(core, { brand: SHOP_NAME, logo: pngLogo(), marks, colour: '#0a7', who: 'test' });
  await core.store.write(async (db) => {
    for (const { id } of await db.query.selectFrom('reviews').select('id').execute()) {
      await db.query
        .insertInto('slips')
        .values({
          review_id: id,
          media_type: 'image/png',
          bytes: 1,
          sha256: '',
          content: SLIP,
          created_at: NOW,
        })
        .execute();
    }
  });
  return { core, shop };
}

export const QUIET = { signal: new AbortController().signal, onBytes: () => {} };

/** @returns the backup of the core, in a folder of its own. */
export async function backupOf(
  t: ExecutionContext<unknown>,
  core: Core,
  passphrase: string | null = null,
): Promise<BackupMade> {
  const file = join(await temporaryFolder(t), 'kashbox.backup');
  return makeBackup(core, { ...QUIET, file, passphrase, isOverwriting: false });
}

/** An order to restore into a folder that is not there, and on PostgreSQL into a database without tables. */
export async function restoreOrder(
  t: ExecutionContext<unknown>,
  file: string,
  target: Engine,
): Promise<RestoreOrder> {
  const folder = join(await temporaryFolder(t), 'restored');
  const databaseUrl = target === 'postgres' ? await freshDatabase(t) : null;
  return { ...QUIET, file, passphrase: null, folder, databaseUrl, now: NOW };
}

/** The store of an installation that was restored. */
export async function openRestored(t: ExecutionContext<unknown>, order: RestoreOrder): Promise<Store> {
  const { folder, databaseUrl, now } = order;
  const store = await openStore({ file: join(folder, 'kashbox.db'), databaseUrl, now });
  t.teardown(() => store.close());
  return store;
}

/** @returns every row of every table as a text, the columns in the order of their names. */
export async function allRows(store: Store): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of ledgerTables(MIGRATIONS.length)) {
    const rows = await store.read((db) => db.execute<object>(`SELECT * FROM ${table}`, []));
    tables[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return tables;
}
