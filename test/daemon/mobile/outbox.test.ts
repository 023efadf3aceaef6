/** SMS that the app is to send: each goes out once, whatever is lost on the way, and its end is told. */
import test from 'ava';
import { rotateDevice } from '../../../src/actions/devices/enroll-device.js';
import { endDispatches } from '../../../src/actions/dispatches/dispatches.js';
import type { GatewayApp } from '../../helpers/outside/gateway-app.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { openPaired } from './ground.js';

const BANGLA = 'আপনার অর্ডার পাঠানো হয়েছে। '.repeat(4);

/** The app's names are ours: a list that it could not find by name would be a second SMS. */
async function listed(app: GatewayApp): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await app.call('GET', '/message?order=fifo')).text) as Record<string, unknown>[];
}

for (const engine of enginesOfTier) {
  test(`${engine}: an SMS is sent by the app, and its state shows each step`, async (t) => {
    const { app, look, queue } = await openPaired(t, { engine });
    const id = await queue('Your order is on its way', { sim_slot: 2 });
    t.is((await look(id)).state, 'QUEUED');
    await app.pull();
    t.like(await look(id), { state: 'LEASED' });
    t.like(app.messages.get(id), {
      text: 'Your order is on its way',
      phoneNumbers: ['+8801711000009'],
      simNumber: 2,
      validUntil: '2026-08-21T07:05:00.000Z',
    });
    await app.sendNext();
    t.is((await look(id)).state, 'LEASED');
    await app.sent(id);
    t.like(await look(id), { state: 'SENT', parts_sent: 1, parts_delivered: 0 });
    await app.delivered(id);
    t.like(await look(id), { state: 'DELIVERED', parts_delivered: 1 });
    t.deepEqual(app.radio, [id]);
    t.deepEqual(await listed(app), []);
  });

  test(`${engine}: an SMS of several parts is delivered with the last of them, each counted once`, async (t) => {
    const { app, line, look, queue } = await openPaired(t, { engine });
    const id = await queue(BANGLA);
    t.like(await look(id), { parts: 2 });
    await app.pull();
    await app.sendNext();
    await app.sent(id);
    // The answer to the app's state and the one to its webhook: both are lost, and the webhook comes again.
    line.lost = 2;
    await app.delivered(id);
    t.like(await look(id), { state: 'SENT', parts_sent: 2, parts_delivered: 1 });
    await app.flush();
    t.like(await look(id), { state: 'SENT', parts_delivered: 1 });
    await app.delivered(id);
    t.like(await look(id), { state: 'DELIVERED', parts_delivered: 2 });
    await app.delivered(id);
    t.like(await look(id), { state: 'DELIVERED', parts_delivered: 2 });
  });

  test(`${engine}: an SMS lost on its way to the app is listed again under its id, and sent once`, async (t) => {
    const { api, app, line, look, queue } = await openPaired(t, { engine });
    const first = await queue('one');
    api.clock.advance(1);
    const ids = [first, await queue('two')];
    line.lost = 1;
    await app.pull();
    t.is(app.messages.size, 0);
    t.is((await look(first)).state, 'LEASED');
    await app.pull();
    t.deepEqual([...app.messages.keys()], ids);
    await app.sendNext();
    await app.pull();
    await app.pull();
    while ((await app.sendNext()) !== undefined);
    t.deepEqual(app.radio, ids);
  });
}

test('the app is handed SMS in the order of the queue, the urgent ones first', async (t) => {
  const { api, app, queue } = await openPaired(t);
  const first = await queue('first');
  api.clock.advance(1);
  const second = await queue('second');
  api.clock.advance(1);
  const urgent = await queue('urgent', { priority: 100 });
  t.deepEqual(
    (await listed(app)).map(({ id, priority }) => [id, priority]),
    [
      [urgent, 100],
      [first, 0],
      [second, 0],
    ],
  );
});

test('the app is handed what its phone may send in a minute, and the rest later', async (t) => {
  const { api, app, queue } = await openPaired(t, { env: { KASHBOX_PARTS_A_MINUTE: '10' } });
  for (let number = 1; number <= 11; number += 1) await queue(`number ${number}`);
  t.is((await listed(app)).length, 10);
  t.is((await listed(app)).length, 10);
  api.clock.advance(60_001);
  t.is((await listed(app)).length, 11);
});

test('an SMS without a final report is unknown after its lease, and is not listed again', async (t) => {
  const { api, app, look, queue } = await openPaired(t);
  const id = await queue('hello', { ttl_seconds: 3_600 });
  await app.pull();
  await app.sendNext();
  api.clock.advance(9 * 60_000);
  await app.pull();
  t.is((await listed(app)).length, 1);
  api.clock.advance(60_000);
  t.deepEqual(await listed(app), []);
  await endDispatches(api.core);
  t.is((await look(id)).state, 'UNKNOWN');
  t.deepEqual(await listed(app), []);
  await app.sent(id);
  t.is((await look(id)).state, 'SENT');
});

test('a newly paired app is not shown SMS that its predecessor received', async (t) => {
  const { api, app, newApp, queue } = await openPaired(t);
  const old = await queue('handed to the old one');
  await app.pull();
  const { pairing_code, gateway_key } = await rotateDevice(api.core, { device: 'Counter', who: 'test' });
  const fresh = newApp();
  await fresh.register(`Bearer ${pairing_code}`);
  await fresh.pull();
  t.is(fresh.messages.size, 0);
  const body = { number: '01711000009', message: 'for the new one' };
  await api.callBare('/api/v2/gateway/send', { headers: { 'gateway-key': gateway_key }, body });
  await fresh.pull();
  t.is(fresh.messages.size, 1);
  t.false(fresh.messages.has(old));
});

test('distinguishes an SMS not sent in time from one that the app could not send', async (t) => {
  const { api, app, look, queue } = await openPaired(t);
  const late = await queue('a');
  api.clock.advance(1);
  const [refused, lost] = [await queue('b'), await queue('c')];
  await app.pull();
  api.clock.advance(31 * 60_000);
  await app.sendNext();
  t.like(await look(late), { state: 'EXPIRED', error: 'It waited too long on the phone' });
  const reason = 'Send result: RESULT_ERROR_NO_SERVICE (Failed because service is currently unavailable)';
  await app.failed(refused, reason);
  t.like(await look(refused), { state: 'FAILED', error: reason });
  await app.sent(lost);
  await app.failed(lost, 'Delivery result from SC +880170000: 64');
  t.like(await look(lost), { state: 'SENT' });
  t.deepEqual(app.radio, []);
});

test('ignores malformed reports and reports about SMS of other phones', async (t) => {
  const { api, app, look, queue } = await openPaired(t);
  const id = await queue('hello');
  await app.pull();
  const patch = (list: unknown) => app.call('PATCH', '/message', list as object);
  for (const list of [
    [{ id: 'dsp_0', state: 'Sent' }],
    [null, 5, {}, { id: 5, state: 'Sent' }, { id, state: 'Flown' }, { id, state: 'Processed' }],
    [],
    {},
  ]) {
    t.is((await patch(list)).status, 204);
    t.is((await look(id)).state, 'LEASED');
  }
  t.is((await app.call('PATCH', '/message')).status, 400);
  const headers = { authorization: `Bearer ${api.shop.deviceKey}` };
  const body = JSON.stringify([{ id, state: 'Delivered' }]);
  const stranger = await api.callBare('/mobile/v1/message', { method: 'PATCH', headers, body });
  t.is(stranger.statusCode, 204);
  t.is((await look(id)).state, 'LEASED');
  t.is((await patch([{ id, state: 'Failed' }])).status, 204);
  t.like(await look(id), { state: 'FAILED', error: 'The phone gives no reason' });
});
