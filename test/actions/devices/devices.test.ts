/** Phones are enrolled, paired, rotated and revoked. */
import test, { type ExecutionContext } from 'ava';
import { authenticateDevice } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { findDeviceInFull } from '../../../src/actions/devices/device-view.js';
import {
  enrollDevice,
  pairDevice,
  revokeDevice,
  rotateDevice,
} from '../../../src/actions/devices/enroll-device.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { hashKey } from '../../../src/base/io/secret.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines, enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { auditOf, everyRow } from '../../helpers/stores/rows.js';

const who = 'cli:tester';
const ip = '192.0.2.9';
const LIFE_MS = 10 * 60_000;

async function enrolled(core: Core) {
  await createMerchant(core, { name: 'Alo', allowIps: [], who });
  return enrollDevice(core, { merchant: 'Alo', name: 'counter-1', sims: ['1=01711000001'], who });
}

for (const engine of engines) {
  test(`on ${engine}, of many phones that type one code at the same moment one is paired`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await enrolled(core);
    const tries = Array.from({ length: 10 }, () => pairDevice(core, { code: made.pairing_code, ip }));
    const ended = await Promise.allSettled(tries);
    t.is(ended.filter((one) => one.status === 'fulfilled').length, 1);
    for (const one of ended) if (one.status === 'rejected') t.is(one.reason.code, 'pairing_code_invalid');
  });
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, pairing hands out the very keys that enrolling showed, once`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const made = await enrolled(core);
    const paired = await pairDevice(core, { code: made.pairing_code, ip });
    t.deepEqual(paired, {
      device: { id: made.device.id, name: 'counter-1' },
      deviceKey: made.device_key,
      gatewayKey: made.gateway_key,
    });
    await t.throwsAsync(pairDevice(core, { code: made.pairing_code, ip }), { code: 'pairing_code_invalid' });
    t.is((await authenticateDevice(core, { key: made.device_key })).deviceId, made.device.id);
    t.like(
      (await auditOf(core, made.device.id)).find((row) => row.action === 'device.pair'),
      {
        who: `device:${made.device.id}`,
        after: `{"ip":"${ip}"}`,
      },
    );
  });

  test(`on ${engine}, neither keys nor code are in any row, sealed keys are gone once the code is used`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await enrolled(core);
    const sealed = () =>
      core.store.read((db) => db.query.selectFrom('pairing_codes').select('sealed_keys').executeTakeFirst());
    t.is(typeof (await sealed())?.sealed_keys, 'string');
    await pairDevice(core, { code: made.pairing_code, ip });
    t.is((await sealed())?.sealed_keys, null);
    const rows = await everyRow(core);
    for (const secret of [made.device_key, made.gateway_key, made.pairing_code])
      t.false(rows.includes(secret));
  });

  test(`on ${engine}, a code may be typed without its dash, in small letters and with spaces`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await enrolled(core);
    const typed = ` ${made.pairing_code.toLowerCase().replace('-', ' ')} `;
    t.is((await pairDevice(core, { code: typed, ip })).deviceKey, made.device_key);
  });

  test(`on ${engine}, a code that is wrong, too old, replaced or of a revoked phone is refused alike`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const first = await enrolled(core);
    const refused = (code: string) =>
      t.throwsAsync(pairDevice(core, { code, ip }), { code: 'pairing_code_invalid' }, code);
    await refused('');
    await refused('AAAA-AAAA');
    clock.advance(LIFE_MS);
    await refused(first.pairing_code);
    const second = await rotateDevice(core, { device: 'counter-1', who });
    const third = await rotateDevice(core, { device: 'counter-1', who });
    await refused(second.pairing_code);
    await revokeDevice(core, { device: 'counter-1', who });
    await refused(third.pairing_code);
  });

  test(`on ${engine}, rotating and revoking shut the old key out at once`, async (t) => {
    const core = await openTestCore(t, engine);
    const made = await enrolled(core);
    const rotated = await rotateDevice(core, { device: made.device.id, who });
    await t.throwsAsync(authenticateDevice(core, { key: made.device_key }), { code: 'device_key_invalid' });
    await t.notThrowsAsync(authenticateDevice(core, { key: rotated.device_key }));
    await revokeDevice(core, { device: 'counter-1', who });
    await t.throwsAsync(authenticateDevice(core, { key: rotated.device_key }), {
      code: 'device_key_invalid',
    });
    t.is((await findDeviceInFull(core, 'counter-1')).state, 'REVOKED');
    await t.throwsAsync(rotateDevice(core, { device: 'counter-1', who }), { code: 'state_refused' });
  });

  test(`on ${engine}, the time last seen decides the state of a phone`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    await enrolled(core);
    t.like(await findDeviceInFull(core, 'counter-1'), {
      state: 'OFFLINE',
      last_active: '',
      last_seen_at: null,
    });
    const last_seen_at = clock.now();
    await core.store.write((db) =>
      db.query.updateTable('devices').set({ last_seen_at, battery: 81, charging: 1, queued: 3 }).execute(),
    );
    t.like(await findDeviceInFull(core, 'counter-1'), {
      state: 'ONLINE',
      last_active: 'now',
      battery: 81,
      charging: true,
      queued: 3,
    });
    clock.advance(5 * 60_000);
    t.like(await findDeviceInFull(core, 'counter-1'), { state: 'STALE', last_active: '5m' });
  });
}

for (const engine of enginesOfTier) {
  test(`on ${engine}, a revoked phone gives its name to the next one and keeps its own rows`, async (t) => {
    const core = await openTestCore(t, engine);
    const who = 'test';
    await createMerchant(core, { name: 'Alo', allowIps: [], who });
    const phone = { merchant: 'Alo', name: 'counter', sims: ['1=01711000001'], who };
    const old = (await enrollDevice(core, phone)).device.id;
    await revokeDevice(core, { device: 'counter', who });
    const fresh = (await enrollDevice(core, phone)).device.id;
    t.like(await findDeviceInFull(core, 'counter'), { id: fresh, state: 'OFFLINE' });
    const name = `counter (revoked, ${old.slice(-6)})`;
    t.like(await findDeviceInFull(core, old), { id: old, name, state: 'REVOKED' });
  });
}

test('two merchants may each have a phone of one name, which is then named by its id', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const who = 'test';
  const ids: string[] = [];
  for (const name of ['Alo', 'Rupa']) {
    await createMerchant(core, { name, allowIps: [], who });
    const phone = { merchant: name, name: 'counter', sims: ['1=01711000001'], who };
    ids.push((await enrollDevice(core, phone)).device.id);
    await t.throwsAsync(enrollDevice(core, phone), { code: 'already_exists' });
  }
  await t.throwsAsync(findDeviceInFull(core, 'counter'), { code: 'invalid_input' });
  t.like(await findDeviceInFull(core, ids[1] ?? ''), { id: ids[1], name: 'counter' });
});

const OFFER = 'Recharge Tk 50 today and get 1 GB. Dial *247#';

/** `bring` delivers a text as phone 0 or 1 does whose clock is so many seconds off. */
async function twoPhones(t: ExecutionContext<unknown>, engine: Engine) {
  const { clock, core, shop, money } = await scene(t, engine);
  const spare = { merchant: shop.merchantId, name: 'Spare', sims: [`1=${WALLET}`], who: 'test' };
  const { device, device_key: key } = await enrollDevice(core, spare);
  const second = { ...shop.device, deviceId: device.id, name: device.name, keyHash: hashKey(key) };
  let next = 0;
  const bring = async (phone: 0 | 1, body: string, offSeconds = 0, sender = 'bKash') => {
    next += 1;
    const received_at = dhakaIso(clock.now() + offSeconds * 1000);
    const messages = [{ id: `m${next}`, sender, body, received_at, sim_slot: 1 }];
    const from = phone === 0 ? shop.device : second;
    const { results } = await syncDevice(core, { device: from, messages, health: null });
    return results[0]?.state;
  };
  return { core, shop, money, bring };
}

for (const engine of engines) {
  test(`${engine}: two phones that bring the same payment at the same moment store it once`, async (t) => {
    const { core, money, bring } = await twoPhones(t, engine);
    const texts = Array.from({ length: 10 }, () => money('500.00').text);
    const states = await Promise.all(texts.flatMap((text) => [bring(0, text), bring(1, text, 2)]));
    t.is(states.filter((state) => state === 'stored').length, texts.length);
    t.is((await rows(core, 'sms')).length, texts.length);
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a payment that both phones bring is one, and pays one order, however their clocks differ`, async (t) => {
    const { core, shop, money, bring } = await twoPhones(t, engine);
    const { text, trxId } = money('500.00');
    t.is(await bring(0, text), 'stored');
    for (const off of [0, 1, -7, 90]) t.is(await bring(1, text, off), 'duplicate', `${off} s`);
    t.is((await rows(core, 'sms')).length, 1);
    t.is((await rows(core, 'proofs')).length, 1);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'completed');
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'already_credited');
  });

  test(`${engine}: a text without a transaction id is one within its second; with another it may be another`, async (t) => {
    const { core, bring } = await twoPhones(t, engine);
    t.is(await bring(0, OFFER), 'stored');
    t.is(await bring(1, OFFER), 'duplicate');
    t.is(await bring(1, OFFER, 3), 'stored', 'nothing that could be a second message is lost');
    t.is(await bring(0, OFFER, 3), 'duplicate');
    t.is((await rows(core, 'sms')).length, 2);
    t.is((await rows(core, 'proofs')).length, 0, 'and none of it is money');
  });
}
