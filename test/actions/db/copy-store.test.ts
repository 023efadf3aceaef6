/** A ledger moves to the other engine, and the store that was copied away is no longer the live one. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { authenticateDevice } from '../../../src/actions/access/authenticate-device.js';
import { secretsOfBrand } from '../../../src/actions/brands/webhook-secrets.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { unmarkCopied } from '../../../src/actions/core/require-home.js';
import { type CopyOrder, type CopyTarget, copyStore } from '../../../src/actions/db/copy-store.js';
import {
  loadStoreStatus,
  migrateStore,
  resolveStoreLocation,
  type StoreLocation,
} from '../../../src/actions/db/store-location.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { writeJobRuns } from '../../../src/actions/upkeep/job-runs.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { systemRandom } from '../../../src/base/values/ids.js';
import { MIGRATIONS } from '../../../src/store/migrate.js';
import { openStore } from '../../../src/store/open.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { SHOP_NAME } from '../../helpers/shop/busy-shop.js';
import { bkashId, bkashText, openShop, type Shop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { databaseWithTables, freshDatabase } from '../../helpers/stores/postgres.js';
import { extend, verify } from '../audit/ground.js';
import { allRows, busyCore, NOW } from '../backup/ground.js';

const NEWEST = MIGRATIONS.length;
const DAY_MS = 86_400_000;

function placeOfCore({ home, settings }: Core): StoreLocation {
  return resolveStoreLocation(
    home.folder,
    settings.databaseUrl === '' ? {} : { KASHBOX_DATABASE_URL: settings.databaseUrl },
  );
}

async function emptyTarget(t: ExecutionContext<unknown>, engine: Engine): Promise<CopyTarget> {
  return engine === 'postgres'
    ? { engine, databaseUrl: await freshDatabase(t) }
    : { engine, file: join(await temporaryFolder(t), 'copy.db') };
}

/** Jobs have last run a day ago, and nobody waits. */
function orderOf(target: CopyTarget, more: Partial<CopyOrder> = {}): CopyOrder {
  const { signal } = new AbortController();
  const quiet = { signal, onRows: () => {}, onWait: () => {}, pause: async () => {} };
  return { target, random: systemRandom, clock: testClock(NOW + 2 * DAY_MS), ...quiet, ...more };
}

const storeAt = async (t: ExecutionContext<unknown>, target: CopyTarget) => {
  const address =
    target.engine === 'sqlite'
      ? { file: target.file, databaseUrl: null }
      : { file: '', databaseUrl: target.databaseUrl };
  const store = await openStore({ ...address, now: NOW });
  t.teardown(() => store.close());
  return store;
};

/** Whether there is nothing of ours. */
async function isVacant(t: ExecutionContext<unknown>, target: CopyTarget): Promise<boolean> {
  if (target.engine === 'sqlite') return readdirSync(dirname(target.file)).length === 0;
  const store = await openStore({ file: '', databaseUrl: target.databaseUrl, now: NOW, isAsIs: true });
  t.teardown(() => store.close());
  const sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'";
  return (await store.read((db) => db.execute(sql, []))).length === 0;
}

test('a shop moves from SQLite to PostgreSQL and back with every row and keeps taking payments', async (t) => {
  const { core, shop } = await busyCore(t, 'sqlite');
  rmSync(join(core.home.folder, 'formats'), { recursive: true });
  await extend(core);
  let place = placeOfCore(core);
  let here: Core = core;
  for (const engine of ['postgres', 'sqlite'] as const) {
    const target = await emptyTarget(t, engine);
    const before = await allRows(here.store);
    const clock = testClock(here.clock.now() + 2 * DAY_MS);
    const copied = await copyStore(place, orderOf(target, { clock }));
    t.like(copied, { from: place.engine, to: engine, merchants: 1, payments: before.sessions?.length });
    t.is(copied.rows, Object.values(before).flat().length);
    t.deepEqual(await allRows(await storeAt(t, target)), before);
    const after = await allRows(here.store);
    t.deepEqual(withoutMark(after), before, 'the source is as it was, but for its mark');
    t.notDeepEqual(after, before);
    await t.throwsAsync(copyStore(place, orderOf(await emptyTarget(t, engine))), { code: 'state_refused' });
    t.regex(
      (await loadStoreStatus(place, 1)).no_writes ?? '',
      /^This store was copied to .* the copy is the live one$/,
    );

    // The home stays, and so do its keys.
    const folder = engine === 'sqlite' ? await temporaryFolder(t) : here.home.folder;
    const env: Record<string, string> =
      target.engine === 'postgres' ? { KASHBOX_DATABASE_URL: target.databaseUrl } : {};
    if (target.engine === 'sqlite') await moveHome(core.home.folder, folder, target.file);
    const there = await openCore({ folder, env, clock });
    t.teardown(() => there.close());
    t.is(there.keyProblem, null);
    t.deepEqual(await secretsOfBrand(there, SHOP_NAME, NOW), await secretsOfBrand(core, SHOP_NAME, NOW));
    t.is(await paidWithTheSameKeys(there, shop), 'COMPLETED');
    t.like(await verify(there), { ok: true, pending: 0 });
    [here, place] = [there, placeOfCore(there)];
  }
});

type Rows = Awaited<ReturnType<typeof allRows>>;

function withoutMark({ installation = [], ...others }: Rows): Rows {
  const facts = installation.filter((row) => !JSON.stringify(row).includes('copied_to'));
  return { ...others, installation: facts };
}

/** @returns the status of a payment whose shop and phone have the keys that they had. */
async function paidWithTheSameKeys(core: Core, { brandKey, deviceKey }: Shop): Promise<string | undefined> {
  const brand = await authenticateBrand(core, { credentials: [brandKey], ip: '127.0.0.1' });
  const device = await authenticateDevice(core, { key: deviceKey });
  const order = { brand, hosted: null, cusName: 'Rahim', cusEmail: '', amountPaisa: 77_700, metaJson: null };
  const { id } = await createSession(core, order);
  const at = core.clock.now();
  const reference = bkashId(at, 777);
  const body = bkashText({ taka: '777.00', trxId: reference, at });
  const message = { id: `moved-${at}`, sender: 'bKash', body, received_at: dhakaIso(at), sim_slot: 1 };
  await syncDevice(core, { device, messages: [message], health: null });
  await verifyClaim(core, { brand, sessionId: id, method: 'mfs_a', reference });
  const [session] = await core.store.read((db) =>
    db.query.selectFrom('sessions').where('id', '=', id).select('status').execute(),
  );
  return session?.status;
}

async function moveHome(from: string, to: string, store: string): Promise<void> {
  await copyFile(join(from, 'secret.key'), join(to, 'secret.key'));
  await copyFile(store, join(to, 'kashbox.db'));
}

for (const engine of engines) {
  test(`to ${engine}: a target that is not empty gets nothing, and stays as it is`, async (t) => {
    const core = await openTestCore(t, 'sqlite');
    const place = placeOfCore(core);
    if (engine === 'postgres') {
      const databaseUrl = await databaseWithTables(t);
      const error = await t.throwsAsync(copyStore(place, orderOf({ engine, databaseUrl })), {
        code: 'state_refused',
      });
      t.regex(error.message, /already has Kashbox tables/);
      return;
    }
    const folder = await temporaryFolder(t);
    const file = join(folder, 'copy.db');
    for (const present of ['copy.db', 'copy.db-wal', 'copy.db-journal']) {
      writeFileSync(join(folder, present), 'something');
      const error = await t.throwsAsync(
        copyStore(place, orderOf({ engine, file })),
        { code: 'state_refused' },
        present,
      );
      t.true(error.message.startsWith(join(folder, present)), error.message);
      t.deepEqual(readdirSync(folder), [present]);
      rmSync(join(folder, present));
    }
    await t.throwsAsync(copyStore(place, orderOf({ engine, file: folder })), { code: 'invalid_input' });
    await t.throwsAsync(copyStore(place, orderOf({ engine, file: join(folder, 'no', 'copy.db') })), {
      code: 'invalid_input',
      message: /There is no folder/,
    });
    await t.throwsAsync(copyStore(place, orderOf({ engine, file: place.file })), {
      message: /is the store itself/,
    });
    writeFileSync(file, '');
    await t.notThrowsAsync(copyStore(place, orderOf({ engine, file })), 'an empty file is taken');
  });

  test(`from ${engine}: while a daemon is at work nothing is copied; one that was stopped is waited for`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const sign = () =>
      writeJobRuns(core, {
        ...{ name: 'find-gaps', runs: 1, errors: 0, lastAt: clock.now() },
        ...{ lastMs: 0, lastDone: 0, lastError: null },
      });
    await sign();
    const target = await emptyTarget(t, 'sqlite');
    let waited = 0;
    let told = 0;
    const means = (isAlive: boolean) => ({
      clock,
      onWait: () => {
        told += 1;
      },
      pause: async (ms: number) => {
        clock.advance(ms);
        waited += ms;
        if (isAlive && waited === 29_000) await sign();
      },
    });
    const refused = copyStore(placeOfCore(core), orderOf(target, means(true)));
    const error = await t.throwsAsync(refused, { code: 'state_refused' });
    t.regex(error.message, /A daemon is running on this store/);
    t.deepEqual([waited, told, await isVacant(t, target)], [29_000, 1, true]);
    waited = 0;
    await copyStore(placeOfCore(core), orderOf(target, means(false)));
    t.deepEqual([waited, told], [35_000, 2]);
    clock.advance(-DAY_MS);
    await core.store.write(unmarkCopied);
    waited = 0;
    await copyStore(placeOfCore(core), orderOf(await emptyTarget(t, 'sqlite'), means(false)));
    t.is(waited, 35_000, 'a record of the future says nothing, but nobody waits for ever');
  });

  test(`from ${engine}: a copy is a snapshot of its start, whatever is written during the copy`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const shop = await openShop(core);
    await shop.order(50_000);
    const before = await allRows(core.store);
    const writing: Promise<unknown>[] = [];
    const onRows = () => void writing.push(shop.order(60_000));
    const target = await emptyTarget(t, engine === 'sqlite' ? 'postgres' : 'sqlite');
    const { payments } = await copyStore(placeOfCore(core), orderOf(target, { onRows }));
    await Promise.all(writing);
    t.true(writing.length > 2);
    t.is(payments, 1);
    t.deepEqual(await allRows(await storeAt(t, target)), before);
  });

  for (const last of [1, 12]) {
    test(`to ${engine}: a copy that is stopped after ${last} steps leaves nothing behind`, async (t) => {
      const core = await openTestCore(t, 'sqlite');
      await openShop(core);
      const target = await emptyTarget(t, engine);
      const stopping = new AbortController();
      let steps = 0;
      const onRows = () => {
        steps += 1;
        if (steps === last) stopping.abort(new Error('stopped'));
      };
      const order = orderOf(target, { signal: stopping.signal, onRows });
      await t.throwsAsync(copyStore(placeOfCore(core), order), { message: 'stopped' });
      t.true(await isVacant(t, target));
      await t.notThrowsAsync(copyStore(placeOfCore(core), orderOf(target)));
    });
  }

  test(`on ${engine}: status describes the tables, and there is nothing to migrate`, async (t) => {
    const core = await openTestCore(t, engine);
    await openShop(core);
    const place = placeOfCore(core);
    const now = await loadStoreStatus(place, 1);
    t.like(now, { engine, tables: NEWEST, newest: NEWEST, pending: [], no_writes: null });
    t.like(now.rows, { merchants: 1, brands: 1, devices: 1, sessions: 0 });
    t.true(now.bytes > 100_000);
    t.is(existsSync(now.where), engine === 'sqlite');
    t.deepEqual((await migrateStore(place, 1)).applied, []);
  });

  test(`on ${engine}: a store of a newer Kashbox is shown, and neither migrated nor copied`, async (t) => {
    const core = await openTestCore(t, engine);
    await core.store.write((db) =>
      db.execute("INSERT INTO schema_versions (version, name, applied_at) VALUES (999, 'future', 1)", []),
    );
    const place = placeOfCore(core);
    t.like(await loadStoreStatus(place, 1), { tables: 999, newest: NEWEST, pending: [] });
    await t.throwsAsync(migrateStore(place, 1), { code: 'store_newer' });
    const target = await emptyTarget(t, engine);
    await t.throwsAsync(copyStore(place, orderOf(target)), { code: 'store_newer' });
    t.true(await isVacant(t, target));
  });
}

test('on a store that was copied everybody reads, no command writes, no daemon starts, and doctor says why', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await openShop(core);
  const { folder } = core.home;
  const file = core.home.storeFile;
  const place = { engine: 'sqlite', folder, file, databaseUrl: null, isInSettings: false } as const;
  const order = {
    target: { engine: 'sqlite', file: join(await temporaryFolder(t), 'copy.db') },
    random: (size: number) => systemRandom(size),
    clock: core.clock,
    signal: new AbortController().signal,
    pause: async () => {},
    onWait: () => {},
    onRows: () => {},
  } as const;
  await copyStore(place, order);
  const refused = { code: 'state_refused', message: /^This store was copied to .*copy\.db at 20/ };
  await t.throwsAsync(openCore({ folder, env: {}, onDamage: () => {} }), refused);
  const command = await openCore({ folder, env: {}, mustExist: true });
  t.teardown(() => command.close());
  t.is((await command.store.read((db) => db.execute('SELECT id FROM merchants', []))).length, 1);
  await t.throwsAsync(createMerchant(command, { name: 'Alo', allowIps: [], who: 'test' }), refused);
  const checks = await examine(folder, async () => command);
  t.like(
    checks.find(({ name }) => name === 'writing'),
    { state: 'fail' },
  );
  t.regex(checks.find(({ name }) => name === 'writing')?.message ?? '', refused.message);

  const forced = await openCore({ folder, env: {}, onDamage: () => {}, force: true });
  await forced.close();
  const daemon = await openCore({ folder, env: {}, onDamage: () => {} });
  t.teardown(() => daemon.close());
  await t.notThrowsAsync(createMerchant(daemon, { name: 'Alo', allowIps: [], who: 'test' }));
});
