/** What the store promises, on both engines from one list. */
import test from 'ava';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { MIGRATIONS, migrate } from '../../src/store/migrate.js';
import { openStore } from '../../src/store/open.js';
import type { Db } from '../../src/store/schema/index.js';
import type { Store } from '../../src/store/store.js';
import { engines, openTestCore } from '../helpers/stores/engines.js';

function insertMerchant(db: Db, name: string): Promise<unknown> {
  return db.query
    .insertInto('merchants')
    .values({
      id: `mer_${name}`,
      name,
      status: 'ACTIVE',
      mobile: '',
      whatsapp: '',
      email: '',
      allow_ips: '[]',
      created_at: 1,
    })
    .execute();
}

async function merchantNames(store: Store): Promise<string[]> {
  const rows = await store.read((db) =>
    db.query.selectFrom('merchants').select('name').orderBy('name').execute(),
  );
  return rows.map((row) => row.name);
}

for (const engine of engines) {
  test(`${engine}: the writes of a unit of work are visible to the next reader`, async (t) => {
    const { store } = await openTestCore(t, engine);
    await store.write((db) => insertMerchant(db, 'one'));
    t.deepEqual(await merchantNames(store), ['one']);
  });

  test(`${engine}: a unit that fails leaves nothing, and its neighbours of the same turn stay`, async (t) => {
    const { store } = await openTestCore(t, engine);
    const results = await Promise.allSettled([
      store.write((db) => insertMerchant(db, 'before')),
      store.write(async (db) => {
        await insertMerchant(db, 'half');
        throw new RangeError('the unit changed its mind');
      }),
      store.write((db) => insertMerchant(db, 'after')),
    ]);
    t.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    t.deepEqual(await merchantNames(store), ['after', 'before']);
  });

  test(`${engine}: a unique key that is met twice has a name`, async (t) => {
    const { store } = await openTestCore(t, engine);
    await store.write((db) => insertMerchant(db, 'twin'));
    const error = await t.throwsAsync(
      store.write((db) => insertMerchant(db, 'twin')),
      { any: true },
    );
    t.true(isKashboxError(error, 'already_exists'));
  });

  test(`${engine}: money survives the way there and back to the paisa`, async (t) => {
    const { store } = await openTestCore(t, engine);
    const paisa = 100_000_000;
    await store.write(async (db) => {
      await insertMerchant(db, 'm');
      await db.execute(
        "INSERT INTO proofs (id, merchant_id, channel, reference, amount_paisa, kind, settle, at, source_id, created_at) VALUES ('p', 'mer_m', 'mfs_a', 'R', 100000000, 'received', 'auto', 1786000000123, 's', 1)",
        [],
      );
    });
    const [row] = await store.read((db) => db.query.selectFrom('proofs').selectAll().execute());
    t.is(row?.amount_paisa, paisa);
    t.is(row?.at, 1_786_000_000_123);
  });

  test(`${engine}: an amount of nothing or less is refused by the table itself`, async (t) => {
    const { store } = await openTestCore(t, engine);
    await store.write((db) => insertMerchant(db, 'm'));
    await t.throwsAsync(
      store.write((db) =>
        db.execute(
          "INSERT INTO proofs (id, merchant_id, channel, reference, amount_paisa, kind, settle, at, source_id, created_at) VALUES ('p', 'mer_m', 'mfs_a', 'R', 0, 'received', 'auto', 1, 's', 1)",
          [],
        ),
      ),
      { any: true },
    );
  });

  test(`${engine}: opening again applies no migration twice and keeps the rows`, async (t) => {
    const core = await openTestCore(t, engine);
    await core.store.write((db) => insertMerchant(db, 'kept'));
    const url = core.settings.databaseUrl;
    const again = await openStore({
      file: core.home.storeFile,
      databaseUrl: url === '' ? null : url,
      now: 2,
    });
    t.teardown(() => again.close());
    t.deepEqual(await migrate((work) => again.write(work), 3), []);
    t.deepEqual(await merchantNames(again), ['kept']);
  });

  test(`${engine}: a store that a newer version made is refused`, async (t) => {
    const core = await openTestCore(t, engine);
    await core.store.write((db) =>
      db.execute("INSERT INTO schema_versions (version, name, applied_at) VALUES (999, 'future', 1)", []),
    );
    const url = core.settings.databaseUrl;
    const error = await t.throwsAsync(
      openStore({ file: core.home.storeFile, databaseUrl: url === '' ? null : url, now: 2 }),
    );
    t.true(isKashboxError(error, 'store_newer'));
  });

  test(`${engine}: processes that start together migrate once`, async (t) => {
    const core = await openTestCore(t, engine);
    const version = MIGRATIONS.length + 1;
    const step = { version, name: 'next', statements: ['CREATE TABLE next_step (id TEXT PRIMARY KEY)'] };
    const list = [...MIGRATIONS, step];
    const runs = Array.from({ length: 6 }, () => migrate((work) => core.store.write(work), 5, list));
    const applied = (await Promise.all(runs)).flat();
    t.deepEqual(applied, [version]);
  });
}

test('postgres: a statement that exceeds its time limit is busy, a server that refuses writes is read-only', async (t) => {
  const { store } = await openTestCore(t, 'postgres');
  const refusals = [
    ["SET LOCAL statement_timeout = '20ms'", 'SELECT pg_sleep(20)', 'store_busy'],
    ['SET TRANSACTION READ ONLY', "DELETE FROM merchants WHERE id = ''", 'store_read_only'],
  ] as const;
  for (const [setting, statement, code] of refusals) {
    const error = await t.throwsAsync(
      store.write(async (db) => {
        await db.execute(setting, []);
        await db.execute(statement, []);
      }),
    );
    t.true(isKashboxError(error, code), code);
  }
});
