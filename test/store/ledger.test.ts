/** The tables of a backup are those of the store, in an order in which they can be filled. */
import { join } from 'node:path';
import test from 'ava';
import { ledgerTables } from '../../src/store/backup/ledger.js';
import { fillSqlite } from '../../src/store/backup/sqlite-ledger.js';
import { MIGRATIONS } from '../../src/store/migrate.js';
import { SqliteFile } from '../../src/store/sqlite-driver.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

for (const { version } of MIGRATIONS) {
  test(`after migration ${version} no table is left out, and none refers to one behind it`, async (t) => {
    const file = join(await temporaryFolder(t), 'kashbox.db');
    await (await fillSqlite(file, version, 1)).close();
    const store = new SqliteFile(file, { readOnly: true });
    t.teardown(() => store.close());
    const made = store.column("SELECT name FROM sqlite_master WHERE type = 'table'") as string[];
    const tables = ledgerTables(version);
    t.deepEqual([...tables].sort(), made.sort());
    for (const [at, table] of tables.entries()) {
      const before = [...tables.slice(0, at), table];
      const named = store.prepare(`PRAGMA foreign_key_list(${table})`).all() as unknown as {
        readonly table: string;
      }[];
      t.deepEqual(
        named.map((one) => one.table).filter((name) => !before.includes(name)),
        [],
        table,
      );
    }
  });
}
