import { chmodSync } from 'node:fs';
import test from 'ava';
import { warnOfClock } from '../../../daemon/loops/warnings.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core } from '../../../src/actions/core/core.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import type { Check } from '../../../src/actions/doctor/check.js';
import { examine } from '../../../src/actions/doctor/examine.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { openLog } from '../../../src/base/io/log.js';
import { createSecretBox } from '../../../src/base/io/secret.js';
import { dhakaIso, systemClock } from '../../../src/base/values/clock.js';
import { bkashId, bkashText, openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

const who = 'cli:tester';
const DAY_MS = 86_400_000;

async function states(core: Core): Promise<Record<string, Check['state']>> {
  const checks = await examine(core.home.folder, async () => core);
  return Object.fromEntries(checks.map((check) => [check.name, check.state]));
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, a shop gets a warning until its account has a SIM in a phone that has called`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    t.is((await states(core)).merchants, 'warn');
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    await setAccount(core, { brand: 'Alo', channel: 'mfs_a', type: 'personal', number: '01711000001', who });
    t.like(await states(core), { store: 'ok', tables: 'ok', clock: 'ok', phones: 'warn' });
    t.is((await states(core))['account 01711000001'], 'warn');
    await enrollDevice(core, { merchant: 'Alo', name: 'counter-1', sims: ['1=01711000001'], who });
    t.like(await states(core), { accounts: 'ok', 'phone counter-1': 'warn' });
    await core.store.write((db) =>
      db.query.updateTable('devices').set({ last_seen_at: clock.now() }).execute(),
    );
    t.is((await states(core))['phone counter-1'], 'ok');
    await core.store.write((db) =>
      db.query.updateTable('devices').set({ problem: 'SMS cannot be read' }).execute(),
    );
    const told = await examine(core.home.folder, async () => core);
    const check = told.find(({ name }) => name === 'phone counter-1');
    t.like(check, { state: 'warn', message: 'online, but reports: SMS cannot be read' });
  });

  test(`on ${engine}, a shop is warned where every merchant is suspended`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    for (const name of ['Alo', 'Bina']) await createMerchant(core, { name, allowIps: [], who });
    const suspend = (name: string) =>
      core.store.write((db) =>
        db.query.updateTable('merchants').set({ status: 'SUSPENDED' }).where('name', '=', name).execute(),
      );
    await suspend('Alo');
    t.is((await states(core)).merchants, 'ok');
    await suspend('Bina');
    const told = await examine(core.home.folder, async () => core);
    t.like(
      told.find(({ name }) => name === 'merchants'),
      { state: 'warn', message: 'all are suspended (2), so no shop takes payments' },
    );
  });

  test(`on ${engine}, warns of a phone that does not say which SIM received its SMS`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const second = { device_id: shop.deviceId, slot: 2, number: '01811000009', since: 0 };
    await core.store.write((db) => db.query.insertInto('device_sims').values(second).execute());
    const at = clock.now();
    const body = bkashText({ taka: '500.00', trxId: bkashId(at, 1), at });
    const sms = { id: '1', sender: 'bKash', body, received_at: dhakaIso(at) };
    await syncDevice(core, { device: shop.device, messages: [sms], health: null });
    const checks = await examine(core.home.folder, async () => core);
    t.like(
      checks.find(({ name }) => name === 'SIMs of Alo Store phone'),
      {
        state: 'warn',
        message: '1 SMS of the last 24 hours do not name their SIM: their payments need manual review',
      },
    );
    clock.advance(25 * 3_600_000);
    t.is((await states(core))['SIMs of Alo Store phone'], undefined);
  });

  test(`on ${engine}, a clock that was set back behind what is stored fails`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { id } = (await createMerchant(core, { name: 'Alo', allowIps: [], who })).brand;
    await core.store.write((db) =>
      db.query
        .insertInto('sessions')
        .values({
          id: '0'.repeat(32),
          brand_id: id,
          gateway_reference: 'AAAAAAAAAAAA',
          flow: 'headless',
          status: 'PENDING',
          reason: 'initiated',
          cus_name: 'Customer',
          cus_email: '',
          amount_paisa: 100,
          meta_data: null,
          misses: 0,
          created_at: clock.now(),
          expires_at: clock.now(),
          closed_at: null,
        })
        .execute(),
    );
    t.is((await states(core)).clock, 'ok');
    clock.advance(-DAY_MS);
    t.is((await states(core)).clock, 'fail');
  });
}

test('doctor and a starting daemon report a clock that differs from that of PostgreSQL', async (t) => {
  const told = async (aheadMs: number) => {
    const clock = { now: () => systemClock.now() + aheadMs };
    const core = await openTestCore(t, 'postgres', { clock });
    const lines: string[] = [];
    const { log, close } = openLog('info', { write: (line) => lines.push(line) });
    await warnOfClock(core, log);
    await close();
    const checks = await examine(core.home.folder, async () => core);
    const check = checks.find(({ name }) => name === 'clock of PostgreSQL');
    return { state: check?.state, says: check?.message, log: lines.join('') };
  };
  t.like(await told(0), { state: 'ok', log: '' });
  const ahead = await told(3_600_000);
  t.is(ahead.state, 'warn');
  t.regex(ahead.says ?? '', /^the clock of this machine is 3[56]\d\d s ahead of the server$/);
  t.true(ahead.log.includes(ahead.says ?? '-') && ahead.log.includes('timedatectl'), ahead.log);
  t.regex((await told(-60_000)).log, /\d s behind the server/);
});

test('files of the store that others can read are named', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  t.is((await states(core))['store files'], undefined);
  // Of another user, opening it could not mend that.
  chmodSync(core.home.storeFile, 0o640);
  t.is((await states(core))['store files'], 'fail');
});

test('a home that others may read warns, and one that they may change is a fault', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  for (const [mode, state] of [
    [0o700, 'ok'],
    [0o755, 'warn'],
    [0o770, 'fail'],
    [0o777, 'fail'],
  ] as const) {
    chmodSync(core.home.folder, mode);
    t.is((await states(core)).home, state, mode.toString(8));
  }
});

test('SQLite has the clock of this machine', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  t.is((await states(core))['clock of PostgreSQL'], undefined);
});

test('an error that prevents opening the core becomes a failed check with its remedy', async (t) => {
  const checks = await examine('/nonexistent/kashbox', async () => {
    throw new KashboxError('store_newer', { message: 'The store has table version 9' });
  });
  t.deepEqual(
    checks.map(({ name, state, message }) => ({ name, state, message })),
    [
      { name: 'home', state: 'warn', message: '/nonexistent/kashbox does not exist yet' },
      { name: 'store', state: 'fail', message: 'The store has table version 9' },
    ],
  );
  t.not(checks[1]?.remedy, null);
});

test('a key file that cannot open webhook secrets is reported with the affected brands', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  await createMerchant(core, { name: 'Alo', allowIps: [], who });
  t.is((await states(core))['webhook secrets'], undefined);
  const stranger: Core = { ...core, secrets: createSecretBox(new Uint8Array(32), core.random) };
  const checks = await examine(core.home.folder, async () => stranger);
  const check = checks.find(({ name }) => name === 'webhook secrets');
  t.is(check?.state, 'fail');
  t.regex(check?.message ?? '', /cannot decrypt those of Alo,/);
  t.regex(check?.remedy ?? '', /secret\.key/);
});
