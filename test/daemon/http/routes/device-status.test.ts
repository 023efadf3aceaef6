/** Device status over HTTP (spec 2.6, 4.7, 5.3): who may ask, in which order, and every boundary of time. */
import test from 'ava';
import { enrollDevice, revokeDevice, rotateDevice } from '../../../../src/actions/devices/enroll-device.js';
import { changeMerchantStatus } from '../../../../src/actions/merchants/change-merchant.js';
import { dhakaIso } from '../../../../src/base/values/clock.js';
import { openShop } from '../../../helpers/shop/shop.js';
import { enginesOfTier } from '../../../helpers/stores/engines.js';
import { type Api, type Call, openApi, refusal, SYNC } from '../../api.js';

const STATUS = '/api/v2/device/status';
const who = 'test';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Told {
  readonly status: boolean;
  readonly server_time: string;
  readonly devices: readonly Readonly<Record<string, unknown>>[];
}

function ask({ callBare }: Api, keys: string, call: Call = {}) {
  return callBare(STATUS, { method: 'GET', ...call, headers: { 'device-keys': keys, ...call.headers } });
}

async function told(api: Api, keys: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await ask(api, keys)).json<Told>().devices;
}

const stated = async (api: Api, keys: string) =>
  (await told(api, keys)).map(({ device, state }) => [device, state]);

/** The phone says how it is doing. */
function report({ callBare, shop }: Api, health: object = {}) {
  return callBare(SYNC, { headers: { 'device-key': shop.deviceKey }, body: { messages: [], health } });
}

async function secondPhone({ core }: Api, sim = '1=01711000009') {
  return enrollDevice(core, { merchant: 'Alo Store', name: 'counter-2', sims: [sim], who });
}

const UNKNOWN = {
  device: null,
  name: null,
  state: 'UNKNOWN',
  battery: null,
  charging: null,
  network: null,
  last_seen_at: null,
  downtime: '',
  problem: null,
  pending_sms: null,
  pending_dispatches: null,
};

for (const engine of enginesOfTier) {
  test(`on ${engine}, there is one record a key, in the order of the keys`, async (t) => {
    const api = await openApi(t, { engine });
    const { shop, clock } = api;
    const other = await secondPhone(api);
    await report(api, { battery: 81, charging: true, network: 'wifi', queued: 3 });
    const first = {
      device: shop.deviceId,
      name: 'Alo Store phone',
      state: 'ONLINE',
      battery: 81,
      charging: true,
      network: 'wifi',
      last_active: 'now',
      last_seen_at: dhakaIso(clock.now()),
      downtime: '',
      problem: null,
      pending_sms: 3,
      pending_dispatches: 0,
    };
    const second = {
      ...UNKNOWN,
      device: other.device.id,
      name: 'counter-2',
      state: 'OFFLINE',
      // It counts from when it was enrolled.
      last_active: 'now',
      downtime: 'less than a minute',
      pending_dispatches: 0,
    };
    const keys = `${other.device_key}, dk_nobody ,,${shop.deviceKey},${other.device_key} ,`;
    for (const method of ['GET', 'POST'] as const) {
      const response = await ask(api, keys, { method });
      t.is(response.statusCode, 200);
      t.deepEqual(response.json(), {
        status: true,
        devices: [second, UNKNOWN, first, second],
        server_time: dhakaIso(clock.now()),
      });
    }
  });

  test(`on ${engine}, dispatches that wait here are counted, those of other states and phones are not`, async (t) => {
    const api = await openApi(t, { engine });
    const other = await secondPhone(api);
    const { core, shop, clock } = api;
    const states = ['QUEUED', 'QUEUED', 'LEASED', 'SENT', 'EXPIRED'] as const;
    await core.store.write(async (db) => {
      for (const [n, state] of states.entries()) {
        await db.query
          .insertInto('dispatches')
          .values({
            ...{ id: `dsp_${n}`, device_id: shop.deviceId, merchant_id: shop.merchantId, state },
            ...{ number: '+8801711000001', message: 'Hi', encoding: 'GSM-7', parts: 1, part_states: '-' },
            ...{ priority: 0, created_at: clock.now(), expires_at: clock.now() + HOUR },
          })
          .execute();
      }
    });
    const devices = await told(api, `${shop.deviceKey},${other.device_key}`);
    t.deepEqual(
      devices.map(({ pending_dispatches }) => pending_dispatches),
      [2, 0],
    );
  });
}

test('last_active and downtime at every boundary, also when the clock is set back', async (t) => {
  const rows: readonly (readonly [silent: number, state: string, lastActive: string, downtime: string])[] = [
    [-HOUR, 'ONLINE', 'now', ''],
    [0, 'ONLINE', 'now', ''],
    [59 * SECOND, 'ONLINE', 'now', ''],
    [60 * SECOND, 'ONLINE', '1m', ''],
    [3 * MINUTE - 1, 'ONLINE', '2m', ''],
    [3 * MINUTE, 'STALE', '3m', '3 minutes'],
    [15 * MINUTE - 1, 'STALE', '14m', '14 minutes'],
    [15 * MINUTE, 'OFFLINE', '15m', '15 minutes'],
    [59 * MINUTE, 'OFFLINE', '59m', '59 minutes'],
    [HOUR - 1, 'OFFLINE', '59m', '59 minutes'],
    [60 * MINUTE, 'OFFLINE', '1h', '1 hour'],
    [23 * HOUR + 59 * MINUTE, 'OFFLINE', '23h', '23 hours 59 minutes'],
    [24 * HOUR, 'OFFLINE', '1d', '1 day'],
    [6 * DAY + 23 * HOUR, 'OFFLINE', '6d', '6 days 23 hours'],
    [7 * DAY, 'OFFLINE', '1w', '1 week'],
    [29 * DAY, 'OFFLINE', '4w', '4 weeks 1 day'],
    [30 * DAY, 'OFFLINE', '1mo', '1 month'],
    [60 * DAY - 1, 'OFFLINE', '1mo', '1 month 4 weeks'],
    [364 * DAY, 'OFFLINE', '12mo', '12 months'],
    [365 * DAY, 'OFFLINE', '1y', '1 year'],
    [730 * DAY - 1, 'OFFLINE', '1y', '1 year 12 months'],
    [730 * DAY, 'OFFLINE', '2y', '2 years'],
  ];
  const api = await openApi(t);
  t.is((await report(api)).statusCode, 200);
  let silent = 0;
  for (const [next, ...wanted] of rows) {
    api.clock.advance(next - silent);
    silent = next;
    const [record] = await told(api, api.shop.deviceKey);
    t.deepEqual([record?.state, record?.last_active, record?.downtime], wanted, String(next));
  }
});

test('the keys are accepted only in the header', async (t) => {
  const api = await openApi(t);
  const key = api.shop.deviceKey;
  const missing = '401 DEVICE-KEYS header is required';
  const bodies: readonly (string | object)[] = [{ device_keys: key }, `device_keys=${key}`, '{', ''];
  for (const body of bodies) {
    t.is(refusal(await api.callBare(STATUS, { body })), missing);
    t.is((await ask(api, key, { method: 'POST', body })).statusCode, 200, JSON.stringify(body));
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  t.is((await ask(api, key, { method: 'POST', body: 'a=1', headers: form })).statusCode, 200);
  const odd = { 'content-type': 'json' };
  t.is((await ask(api, key, { method: 'POST', body: '{}', headers: odd })).statusCode, 200);
  t.is(refusal(await api.callBare(`${STATUS}?device_keys=${key}`, { method: 'GET' })), missing);
  const single = await api.callBare(STATUS, { method: 'GET', headers: { 'device-key': key } });
  t.is(refusal(single), missing);
  t.is(refusal(await ask(api, ' , ,')), missing);
  const response = await api.callBare(STATUS, { method: 'GET' });
  t.true('www-authenticate' in response.headers);
});

test('an unknown key is UNKNOWN next to a known one, and refused alone', async (t) => {
  const api = await openApi(t);
  const none = '401 None of the DEVICE-KEYS is known';
  for (const keys of ['dk_nobody', api.shop.brandKey, `${api.shop.deviceKey.toLowerCase()}x`, "' OR 1=1 --"])
    t.is(refusal(await ask(api, keys)), none);
  const old = api.shop.deviceKey;
  const rotated = await rotateDevice(api.core, { device: api.shop.deviceId, who });
  t.is(refusal(await ask(api, old)), none);
  t.deepEqual(await stated(api, `${old},${rotated.device_key}`), [
    [null, 'UNKNOWN'],
    [api.shop.deviceId, 'OFFLINE'],
  ]);
});

test('a phone that was revoked says so to who still has its key', async (t) => {
  const api = await openApi(t);
  await report(api);
  await revokeDevice(api.core, { device: api.shop.deviceId, who });
  t.deepEqual(await stated(api, api.shop.deviceKey), [[api.shop.deviceId, 'REVOKED']]);
});

test('reports nothing about a suspended merchant', async (t) => {
  const api = await openApi(t);
  const bela = await openShop(api.core, 'Bela Store', '01711000002');
  await changeMerchantStatus(api.core, { merchant: 'Bela Store', status: 'SUSPENDED', who });
  const suspended = '403 Merchant account suspended, contact compliance support';
  t.is(refusal(await ask(api, bela.deviceKey)), suspended);
  t.is(refusal(await ask(api, `dk_nobody,${bela.deviceKey}`)), suspended);
  t.deepEqual(await stated(api, `${bela.deviceKey},${api.shop.deviceKey}`), [
    [null, 'UNKNOWN'],
    [api.shop.deviceId, 'OFFLINE'],
  ]);
  await changeMerchantStatus(api.core, { merchant: 'Bela Store', status: 'ACTIVE', who });
  t.deepEqual(await stated(api, bela.deviceKey), [[bela.deviceId, 'OFFLINE']]);
});

test('a hundred keys are answered, more are refused', async (t) => {
  const api = await openApi(t);
  const keys = [api.shop.deviceKey, ...Array.from({ length: 99 }, (_, n) => `dk_${n}`)];
  t.is((await told(api, keys.join(','))).length, 100);
  t.is(
    refusal(await ask(api, [...keys, 'dk_more'].join(','))),
    '400 At most 100 DEVICE-KEYS are accepted in one request',
  );
});

test('requests are counted against the first phone, refusals against the address', async (t) => {
  const env = { KASHBOX_REQUESTS_PER_MINUTE: '2', KASHBOX_FAILED_AUTH_PER_MINUTE: '2' };
  const api = await openApi(t, { env });
  const other = await secondPhone(api);
  const codes = async (keys: string) => {
    const seen: number[] = [];
    for (let n = 0; n < 3; n += 1) seen.push((await ask(api, keys)).statusCode);
    return seen;
  };
  t.deepEqual(await codes(`dk_nobody,${api.shop.deviceKey}`), [200, 200, 429]);
  t.deepEqual(await codes(other.device_key), [200, 200, 429]);
  t.deepEqual(await codes('dk_nobody'), [401, 401, 429]);
});

test('no key is logged', async (t) => {
  const api = await openApi(t);
  await ask(api, `${api.shop.deviceKey},dk_nobody`);
  await ask(api, 'dk_nobody');
  const log = api.logLines.join('');
  t.true(log.includes(STATUS));
  t.false(log.includes(api.shop.deviceKey) || log.includes('dk_nobody'));
});
