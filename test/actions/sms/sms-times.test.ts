/** Times of SMS: one that cannot be brings its money before a person, and a phone's wrong clock does not. */
import test from 'ava';
import { authenticateDevice } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { watchDevices } from '../../../src/actions/devices/watch-devices.js';
import { forwardSms } from '../../../src/actions/relay/forward-sms.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { reparseSms } from '../../../src/actions/sms/reparse-sms.js';
import { findDevices } from '../../../src/store/tables/devices.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';

const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

async function stage(t: Parameters<typeof scene>[0]) {
  const at = await scene(t, 'sqlite');
  const { core, shop } = at;
  let next = 0;
  /** Its row as it stands now, as each call of a phone reads it. */
  const device = () => authenticateDevice(core, { key: shop.deviceKey });
  const sync = async (sms: readonly object[], sentAtMs?: number) => {
    const messages = sms.map((one) => ({ id: `m${next++}`, sender: 'bKash', sim_slot: 1, ...one }));
    const asked = { device: await device(), messages, health: {}, hasLastingIds: true };
    const outbound = { reports: [], outbox: null };
    const { results } = await syncDevice(core, { ...asked, outbound, sentAtMs: sentAtMs ?? null });
    return results.map(({ state }) => state);
  };
  const forward = async (fields: object) =>
    forwardSms(core, { device: await device(), format: 'sender-body', fields: { sim: 'sim1', ...fields } });
  const problem = async () =>
    (await core.store.read((db) => findDevices(db, shop.deviceId)))[0]?.problem ?? null;
  /** @returns how a payment of 500 taka ends that names this money. */
  const pay = async (trxId: string) => answer(core, shop, await shop.order(50_000), trxId);
  return { ...at, sync, forward, problem, pay };
}

const settleOf = async (core: Core, trxId: string) =>
  (await rows(core, 'sms')).find(({ trx_id }) => trx_id === trxId)?.settle;

const IMPOSSIBLE = [
  null,
  '',
  'yesterday',
  '26-11-27',
  0,
  '1970-01-01T00:00:00+00:00',
  '2099-01-01T00:00:00Z',
];

test('an SMS with an impossible time is stored, and its money goes to review', async (t) => {
  const { core, clock, money, sync, pay } = await stage(t);
  for (const received_at of IMPOSSIBLE) {
    const { trxId, text } = money('500.00');
    t.deepEqual(await sync([{ body: text, received_at }]), ['stored'], String(received_at));
    t.is(await pay(trxId), 'under_review', String(received_at));
    const row = (await rows(core, 'sms')).find(({ trx_id }) => trx_id === trxId);
    t.like(row, { received_at: clock.now(), recipient: WALLET, settle: 'review' });
    t.deepEqual(JSON.parse(row?.reasons ?? ''), ['time_impossible']);
  }
  const { trxId, text } = money('500.00');
  await sync([{ body: text }]);
  t.is(await pay(trxId), 'completed', 'whoever tells no times hands SMS on as they come');
});

test('the same holds of forwarder apps and of what is typed in', async (t) => {
  const { core, clock, shop, money, forward, pay } = await stage(t);
  for (const receivedStamp of ['%receivedStamp%', 0, '', 4_070_908_800_000]) {
    const { trxId, text } = money('500.00');
    t.is(await forward({ sender: 'bKash', body: text, receivedStamp }), 'stored');
    t.is(await pay(trxId), 'under_review', String(receivedStamp));
  }
  const told = money('500.00');
  await forward({ sender: 'bKash', body: told.text });
  t.is(await pay(told.trxId), 'completed');
  for (const receivedAtMs of [0, clock.now() + 31 * DAY]) {
    const { trxId, text } = money('500.00');
    const typed = { merchant: shop.merchantId, recipient: WALLET, sender: 'bKash', text, receivedAtMs };
    t.is((await addSms(core, { ...typed, who: 'test' })).reading.settle, 'review');
    t.is(await pay(trxId), 'under_review');
  }
});

test('an SMS without a time is stored once in all its tries, and reading it again does not forget why', async (t) => {
  const { core, clock, sync } = await stage(t);
  const sms = { id: 'lasting', body: 'no transaction in it', received_at: null };
  t.deepEqual(await sync([sms]), ['stored']);
  clock.advance(DAY);
  t.deepEqual(await sync([sms]), ['duplicate']);
  t.deepEqual(await sync([{ ...sms, id: 'another' }]), ['stored']);
  await reparseSms(core, { who: 'test' });
  for (const { reasons } of await rows(core, 'sms')) t.true(reasons.includes('time_impossible'));
});

test("an SMS that a forwarder hands on at once settles, however wrong the phone's clock is", async (t) => {
  const { core, clock, money, forward, pay, problem } = await stage(t);
  const SET = 'set date and time of the phone to automatic';
  for (const [off, said] of [
    [-20 * MIN, '20 min slow'],
    [-HOUR, '60 min slow'],
    [-6 * HOUR, '6 h slow'],
    [-3 * DAY, '3 days slow'],
    [20 * MIN, '20 min fast'],
    [25 * HOUR, '25 h fast'],
    [29 * DAY, '29 days fast'],
  ] as const) {
    const { trxId, text } = money('500.00');
    await forward({ sender: 'bKash', body: text, receivedStamp: clock.now() + off });
    t.is(await pay(trxId), 'completed', said);
    t.is(await problem(), `the clock is ${said}; ${SET}`);
    const row = (await rows(core, 'sms')).find(({ trx_id }) => trx_id === trxId);
    // A stamp that agrees with the text stands as it is.
    if (off < 0 || off > DAY) t.is(row?.received_at, clock.now());
  }
  const told = await watchDevices(core, { listeningSince: 0 });
  t.deepEqual(
    told.map(({ kind, message }) => [kind, message.includes('the clock is 29 days fast')]),
    [['device.problem', true]],
  );
  const { trxId, text } = money('500.00');
  await forward({ sender: 'bKash', body: text, receivedStamp: clock.now() - 1_000 });
  t.is(await pay(trxId), 'completed');
  t.is(await problem(), null, 'it was set');
  await watchDevices(core, { listeningSince: 0 });
  const open = await core.store.read((db) =>
    db.query.selectFrom('alerts').where('ended_at', 'is', null).selectAll().execute(),
  );
  t.deepEqual(open, []);
});

test('an old SMS that arrives now, or one dated ahead, needs manual review whatever its timestamp', async (t) => {
  const { core, clock, money, forward, sync, pay } = await stage(t);
  const now = clock.now();
  for (const [date, receivedStamp, what] of [
    [now - 2 * DAY, now, 'an old text that is said to have come just now'],
    [now - 2 * DAY, now + 3 * DAY, 'an old text under a clock that is ahead'],
    [now + HOUR, now, 'a text of the next hour'],
    [now - 2 * HOUR, now - 4 * HOUR, 'a text that is later than its stamp, and did not come just then'],
  ] as const) {
    const { trxId, text } = money('500.00', { at: date });
    await forward({ sender: 'bKash', body: text, receivedStamp });
    t.is(await settleOf(core, trxId), 'review', what);
    t.not(await pay(trxId), 'completed', what);
  }
  const { trxId, text } = money('500.00', { at: now - 3 * DAY });
  await sync([], now);
  await sync([{ body: text, received_at: now }], now + 3 * DAY);
  await sync([{ body: text, received_at: now }], now + 3 * DAY);
  t.is(await settleOf(core, trxId), 'review', 'a clock that was set after it had come');
});

test('a late SMS from our agent is corrected by the clock offset that its calls have shown', async (t) => {
  const { core, clock, money, sync, pay, problem } = await stage(t);
  const phone = () => clock.now() - HOUR;
  await sync([], phone());
  t.is(await problem(), 'the clock is 60 min slow; set date and time of the phone to automatic');
  clock.advance(MIN);
  const { trxId, text } = money('500.00');
  const received_at = phone();
  const cameAt = clock.now();
  clock.advance(5 * HOUR);
  await sync([{ body: text, received_at }], phone());
  t.is(await pay(trxId), 'completed');
  t.is((await rows(core, 'sms'))[0]?.received_at, cameAt);
  await sync([], clock.now());
  t.is(await problem(), null);
  const before = money('500.00');
  await sync([{ body: before.text, received_at: clock.now() }], clock.now());
  t.is(await pay(before.trxId), 'completed');
});
