/** Phones that fall silent, run down and come back: told of once an incident, however many look. */
import test from 'ava';
import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import type { Core } from '../../../src/actions/core/core.js';
import { revokeDevice } from '../../../src/actions/devices/enroll-device.js';
import { watchDevices } from '../../../src/actions/devices/watch-devices.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { DeviceTable } from '../../../src/store/schema/index.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const MINUTE = 60_000;
const LONG_AGO = { listeningSince: 0 };

const messages = async (core: Core) => (await watchDevices(core, LONG_AGO)).map(({ message }) => message);
const kinds = async (core: Core) => (await watchDevices(core, LONG_AGO)).map(({ kind }) => kind);

/** The phone says something: this is how it is doing then. */
async function hear(core: Core, shop: { readonly deviceId: string }, state: Partial<DeviceTable> = {}) {
  await core.store.write((db) =>
    db.query
      .updateTable('devices')
      .set({ agent: 'relay', last_seen_at: core.clock.now(), ...state })
      .where('id', '=', shop.deviceId)
      .execute(),
  );
}

function alertRows(core: Core) {
  return core.store.read((db) =>
    db.query.selectFrom('alerts').selectAll().orderBy('at').orderBy('id').execute(),
  );
}

async function auditedNews(core: Core, deviceId: string): Promise<string[]> {
  const rows = await auditOf(core, deviceId);
  return rows
    .filter(({ action }) => /^device\.(on|off)line$/.test(action))
    .map(({ who, action, before, after }) => `${who} ${action} ${before} ${after}`);
}

for (const engine of engines) {
  test(`on ${engine}, when several daemons look at once, one reports it`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await hear(core, shop);
    await kinds(core);
    await hear(core, shop, { battery: 10, charging: 0 });
    const low = await Promise.all([1, 2, 3, 4].map(() => kinds(core)));
    t.deepEqual(low.flat(), ['device.battery_low']);
    clock.advance(15 * MINUTE);
    const gone = await Promise.all([1, 2, 3, 4].map(() => kinds(core)));
    t.deepEqual(gone.flat(), ['device.offline']);
    await hear(core, shop);
    const back = await Promise.all([1, 2, 3, 4].map(() => kinds(core)));
    t.deepEqual(back.flat(), ['device.recovered']);
    t.is((await alertRows(core)).length, 3);
    t.is((await auditedNews(core, shop.deviceId)).length, 2);
  });

  test(`on ${engine}, a phone that goes offline and comes back is an alert each, and in the audit`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await hear(core, shop, { battery: 3, charging: 0, network: 'lte', queued: 2 });
    t.deepEqual(await kinds(core), ['device.battery_low'], 'the first look only notes the state');
    clock.advance(3 * MINUTE);
    t.deepEqual(await kinds(core), [], 'late is no news');
    clock.advance(12 * MINUTE);
    t.deepEqual(await messages(core), [
      'The phone "Alo Store phone" is offline: it was last seen at 2026-08-21 12:35. Its battery was at 3%.',
    ]);
    t.deepEqual(await kinds(core), []);
    clock.advance(110 * MINUTE);
    await hear(core, shop, { battery: 50, charging: 1 });
    t.deepEqual(await messages(core), ['The phone "Alo Store phone" is back after 2 hours 5 minutes.']);
    t.deepEqual(await kinds(core), []);
    const rows = await alertRows(core);
    const start = clock.now() - 125 * MINUTE;
    t.deepEqual(
      rows.map(({ kind, merchant_id, device_id, at, ended_at }) => [
        kind,
        merchant_id === shop.merchantId && device_id === shop.deviceId,
        at - start,
        ended_at === null ? null : ended_at - start,
      ]),
      [
        ['device.battery_low', true, 0, 125 * MINUTE],
        ['device.offline', true, 15 * MINUTE, 125 * MINUTE],
        ['device.recovered', true, 125 * MINUTE, 125 * MINUTE],
      ],
    );
    t.deepEqual(JSON.parse(rows[1]?.detail ?? ''), {
      last_seen_at: '2026-08-21T12:35:00+06:00',
      battery: 3,
      charging: false,
      network: 'lte',
      pending_sms: 2,
    });
    t.deepEqual(await auditedNews(core, shop.deviceId), [
      'rule device.offline {"state":"STALE"} {"state":"OFFLINE"}',
      'rule device.online {"state":"OFFLINE"} {"state":"ONLINE"}',
    ]);
  });

  test(`on ${engine}, a low battery is reported again only after it was charged`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const shop = await openShop(core);
    const steps: readonly [battery: number | null, charging: 0 | 1 | null, told: number][] = [
      [21, 0, 0],
      [20, 1, 0],
      [20, 0, 1],
      [5, 0, 0],
      [25, 0, 0],
      [18, 0, 0],
      [null, null, 0],
      [26, 0, 0],
      [20, null, 1],
      [19, 1, 0],
      [19, 0, 1],
    ];
    for (const [battery, charging, told] of steps) {
      await hear(core, shop, { battery, charging });
      t.is((await kinds(core)).length, told, `${battery} ${charging}`);
    }
    const rows = await alertRows(core);
    t.deepEqual([rows.length, rows.filter(({ ended_at }) => ended_at === null).length], [3, 1]);
  });
}

test('a phone problem is reported once, even if its wording changes, until it is solved', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  const say = async (problem: string | null) => {
    await hear(core, shop, { problem });
    return messages(core);
  };
  t.deepEqual(await say('SMS cannot be read'), [
    'The phone "Alo Store phone" reports a problem: SMS cannot be read',
  ]);
  t.deepEqual(await say('the disk is full'), []);
  clock.advance(60 * MINUTE);
  t.deepEqual(await kinds(core), ['device.offline'], 'silence is no end of it');
  t.deepEqual(await say(null), ['The phone "Alo Store phone" is back after 1 hour.']);
  const both = await Promise.all([hear(core, shop, { problem: 'again' }), kinds(core), kinds(core)]);
  t.deepEqual([...both[1], ...both[2], ...(await kinds(core))], ['device.problem'], 'one of several tells');
  await revokeDevice(core, { device: shop.deviceId, who: 'test' });
  t.deepEqual(await kinds(core), []);
  const told = (await alertRows(core)).filter(({ kind }) => kind === 'device.problem');
  t.deepEqual(
    told.map(({ detail, ended_at }) => [detail, ended_at === null]),
    [
      ['{"problem":"SMS cannot be read"}', false],
      ['{"problem":"again"}', false],
    ],
  );
});

test('silence of a forwarder or script that calls only when an SMS arrives raises no alert', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  for (const [agent, told] of [
    ['forwarder', []],
    ['script', []],
    ['', []],
    ['app', ['device.offline']],
    ['relay', ['device.recovered', 'device.offline']],
  ] as const) {
    await hear(core, shop, { agent, battery: 50, charging: 0 });
    const back = await kinds(core);
    clock.advance(60 * MINUTE);
    t.deepEqual([...back, ...(await kinds(core))], [...told], agent);
  }
});

test('a phone that was never seen is recorded and raises no alert when it is first seen', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  const shop = await openShop(core);
  t.deepEqual(await kinds(core), []);
  await hear(core, shop);
  t.deepEqual(await kinds(core), []);
  t.is((await auditedNews(core, shop.deviceId)).length, 1);
});

test('a daemon that has just been started gives phones the time to find it', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  await hear(core, shop);
  await kinds(core);
  clock.advance(8 * 60 * MINUTE);
  const listeningSince = clock.now();
  const look = async () => (await watchDevices(core, { listeningSince })).map(({ kind }) => kind);
  t.deepEqual(await look(), []);
  clock.advance(15 * MINUTE - 1);
  t.deepEqual(await look(), []);
  clock.advance(1);
  t.deepEqual(await look(), ['device.offline']);
});

test('a revoked phone raises no alerts, and its open ones end', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  await hear(core, shop, { battery: 4, charging: 0 });
  await kinds(core);
  clock.advance(60 * MINUTE);
  t.deepEqual(await kinds(core), ['device.offline']);
  await revokeDevice(core, { device: shop.deviceId, who: 'test' });
  t.deepEqual(await kinds(core), []);
  t.deepEqual(
    (await alertRows(core)).map(({ kind, ended_at }) => [kind, ended_at]),
    [
      ['device.battery_low', clock.now()],
      ['device.offline', clock.now()],
    ],
  );
});

test("money that is missing on a wallet is reported after the wallet's phone is revoked, too", async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  await kinds(core);
  const about = { merchantId: shop.merchantId, deviceId: shop.deviceId, incident: 'sms.gap:1' };
  const lost = { channel: 'mfs_a', recipient: WALLET, missing: '9.00', direction: 'in' } as const;
  const detail = { ...lost, from: dhakaIso(clock.now()), until: dhakaIso(clock.now()) };
  await core.store.write((db) => raiseAlert(core, db, { ...about, kind: 'sms.gap', detail }));
  await revokeDevice(core, { device: shop.deviceId, who: 'test' });
  await kinds(core);
  t.like(await alertRows(core), [{ kind: 'sms.gap', ended_at: null }]);
});

test('phones of a suspended merchant, which are rejected, raise no alert until it is active again', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  await hear(core, shop);
  await kinds(core);
  const who = 'test';
  await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'SUSPENDED', who });
  clock.advance(60 * MINUTE);
  t.deepEqual(await kinds(core), []);
  await changeMerchantStatus(core, { merchant: 'Alo Store', status: 'ACTIVE', who });
  t.deepEqual(await kinds(core), ['device.offline']);
});
