import test from 'ava';
import { namedGateway } from '../../../src/actions/access/authenticate-gateway.js';
import { openCore } from '../../../src/actions/core/core.js';
import { cancelDispatch, endDispatches, findDispatch } from '../../../src/actions/dispatches/dispatches.js';
import { sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { leaseToPhone } from '../../../src/actions/relay/lease-dispatches.js';
import { idsOf, openSendingShop, sent } from '../../helpers/shop/dispatches.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, temporaryFolder } from '../../helpers/stores/engines.js';
import { databaseWithTables } from '../../helpers/stores/postgres.js';

const MINUTE = 60_000;

for (const engine of engines) {
  test(`${engine}: higher priority goes first, then what was queued first`, async (t) => {
    const { clock, send, ask } = await openSendingShop(t, engine);
    const low = await send({ priority: -1 });
    const first = await send();
    clock.advance(1);
    const second = await send();
    const high = await send({ priority: 5 });
    t.deepEqual(idsOf(await ask('j1')), [high, first, second, low]);
  });

  test(`${engine}: a leased dispatch is never leased again unless it never arrived`, async (t) => {
    const { send, ask, stateOf } = await openSendingShop(t, engine);
    const [kept, told, lost] = [await send(), await send(), await send()];
    t.is(idsOf(await ask('j1')).length, 3);
    t.deepEqual(idsOf(await ask(null)), [], 'a call without journal says nothing of what is lost');
    t.deepEqual(idsOf(await ask('j2')), [], 'nor does another journal');
    t.deepEqual(idsOf(await ask('j1', [kept], [sent(told)])), [lost]);
    t.deepEqual(idsOf(await ask('j1', [kept, lost])), []);
    t.is(await stateOf(told), 'SENT');
    t.is(await stateOf(lost), 'LEASED');
  });

  test(`${engine}: a phone without a journal gets each once and never again`, async (t) => {
    const { clock, send, ask, stateOf, core } = await openSendingShop(t, engine);
    const id = await send();
    t.deepEqual(idsOf(await ask(null)), [id]);
    t.deepEqual(idsOf(await ask(null)), []);
    t.deepEqual(idsOf(await ask('j1')), []);
    clock.advance(10 * MINUTE);
    t.is(await endDispatches(core), 1);
    t.is(await stateOf(id), 'UNKNOWN');
    t.deepEqual(idsOf(await ask('j1')), []);
  });

  test(`${engine}: a phone has 50 at a time: what it does not get on with waits at the server`, async (t) => {
    const env = { KASHBOX_PARTS_A_MINUTE: '1000' };
    const { core, shop, clock, send, ask } = await openSendingShop(t, engine, { env });
    for (let n = 0; n < 60; n += 1) await send();
    const held = idsOf(await ask('j1'));
    t.is(held.length, 50);
    clock.advance(5 * MINUTE);
    t.deepEqual(idsOf(await ask('j1', held)), []);
    const waits = { deviceId: shop.deviceId, outbox: { journal: 'j1', held: null }, reports: [] };
    t.deepEqual(idsOf(await leaseToPhone(core, waits)), [], 'nor while it does not tell what it has');
    const [first = '', ...rest] = held;
    const [next = ''] = idsOf(await ask('j1', rest, [sent(first)]));
    t.deepEqual(idsOf(await ask('j1', [...rest, next])), []);
  });

  test(`${engine}: at most 24 parts a minute are leased, and the answer says when to ask again`, async (t) => {
    const { clock, send, ask } = await openSendingShop(t, engine);
    const long = 'a'.repeat(1_530);
    for (let n = 0; n < 3; n += 1) await send({ message: long });
    await send({ priority: -1 });
    const first = await ask('j1');
    t.is(first.dispatches.length, 2);
    t.is(first.nextPollMs, 10_000);
    clock.advance(55_000);
    const waiting = await ask('j1', idsOf(first));
    t.deepEqual([waiting.dispatches.length, waiting.nextPollMs], [0, 5_000]);
    clock.advance(5_000);
    t.is((await ask('j1', idsOf(first))).dispatches.length, 2);
  });

  test(`${engine}: a lost dispatch does not count against the minute`, async (t) => {
    const { send, ask } = await openSendingShop(t, engine);
    for (let n = 0; n < 24; n += 1) await send();
    const first = await ask('j1');
    t.is(first.dispatches.length, 24);
    t.deepEqual(idsOf(await ask('j1')), idsOf(first));
  });

  test(`${engine}: nothing is handed out after it expired, and the rest is ended by the clock`, async (t) => {
    const { core, clock, send, ask, stateOf } = await openSendingShop(t, engine);
    const [short, usual] = [await send({ ttlSeconds: 60 }), await send()];
    clock.advance(MINUTE);
    t.deepEqual(idsOf(await ask('j1')), [usual]);
    t.is(await stateOf(short), 'EXPIRED', 'also before a daemon has noted it');
    t.is(await endDispatches(core), 1);
    t.is(await stateOf(short), 'EXPIRED');
    t.is(await endDispatches(core), 0);
  });

  test(`${engine}: a phone that says it still has an SMS keeps it, until the SMS expires`, async (t) => {
    const { core, clock, send, ask, stateOf } = await openSendingShop(t, engine);
    const id = await send();
    await ask('j1');
    for (let minute = 0; minute < 27; minute += 3) {
      clock.advance(3 * MINUTE);
      await ask('j1', [id]);
      await endDispatches(core);
      t.is(await stateOf(id), 'LEASED');
    }
    for (let minute = 0; minute < 15; minute += 3) {
      clock.advance(3 * MINUTE);
      await ask('j1', [id]);
      await endDispatches(core);
    }
    t.is(await stateOf(id), 'UNKNOWN');
  });

  test(`${engine}: reports end a dispatch with its times, also a late one, and others' reports are dropped`, async (t) => {
    const { core, clock, shop, send, ask, stateOf } = await openSendingShop(t, engine);
    const id = await send({ message: 'a'.repeat(200) });
    await ask('j1');
    const { deviceId } = shop;
    const tell = (...reports: Parameters<typeof sent>[]) =>
      ask(
        'j1',
        [],
        reports.map((report) => sent(...report)),
      );
    await tell([id, { part: 1 }], ['dsp_unknown']);
    const half = await findDispatch(core, { id, deviceId });
    t.like(half, { state: 'LEASED', parts: 2, parts_sent: 1, parts_delivered: 0, ended_at: null });
    clock.advance(10 * MINUTE);
    await endDispatches(core);
    t.is(await stateOf(id), 'UNKNOWN');
    const other = await openShop(core, 'Other', '01711000002');
    await leaseToPhone(core, { deviceId: other.deviceId, outbox: null, reports: [sent(id)] });
    t.is(await stateOf(id), 'UNKNOWN');
    clock.advance(MINUTE);
    await tell([id, { part: 2 }]);
    const whole = await findDispatch(core, { id, deviceId });
    t.like(whole, { state: 'SENT', parts_sent: 2, sent_at: '2026-08-21T12:46:00+06:00', error: null });
    clock.advance(MINUTE);
    await tell([id, { state: 'DELIVERED' }], [id, { state: 'DELIVERED' }]);
    const over = await findDispatch(core, { id, deviceId });
    t.like(over, { state: 'DELIVERED', parts_delivered: 2, sent_at: whole.sent_at });
    t.is(over.delivered_at, '2026-08-21T12:47:00+06:00');
    t.is(over.ended_at, over.delivered_at);
  });

  test(`${engine}: why an SMS failed is kept in the phone's words`, async (t) => {
    const { core, shop, send, ask } = await openSendingShop(t, engine);
    const id = await send();
    await ask('j1');
    await ask('j1', [], [sent(id, { state: 'FAILED', error: 'no service' })]);
    const failed = await findDispatch(core, { id, deviceId: shop.deviceId });
    t.like(failed, { state: 'FAILED', error: 'no service', sent_at: null });
    t.not(failed.ended_at, null);
  });

  test(`${engine}: only what waits can be cancelled, and is never handed out then`, async (t) => {
    const { core, clock, send, ask, stateOf } = await openSendingShop(t, engine);
    const [taken, waiting] = [await send(), await send({ priority: -5 })];
    const cancel = (id: string) => cancelDispatch(core, { id, who: 'cli:test' });
    t.like(await cancel(waiting), { state: 'CANCELLED' });
    t.deepEqual(idsOf(await ask('j1')), [taken]);
    t.is(
      (await t.throwsAsync(cancel(taken)))?.message,
      'Only a queued SMS can be cancelled; this one is LEASED',
    );
    t.is(
      (await t.throwsAsync(cancel(waiting)))?.message,
      'Only a queued SMS can be cancelled; this one is CANCELLED',
    );
    const late = await send({ ttlSeconds: 60 });
    clock.advance(MINUTE);
    t.is(
      (await t.throwsAsync(cancel(late)))?.message,
      'Only a queued SMS can be cancelled; this one is EXPIRED',
    );
    await t.throwsAsync(cancel('dsp_none'), { message: 'There is no outbound SMS "dsp_none"' });
    t.is(await stateOf(waiting), 'CANCELLED');
  });

  test(`${engine}: two daemons that are asked at once hand out each SMS once, and no more than the minute allows`, async (t) => {
    const folder = await temporaryFolder(t);
    const env = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await databaseWithTables(t) } : {};
    const cores = await Promise.all([openCore({ folder, env }), openCore({ folder, env })]);
    t.teardown(() => Promise.all(cores.map((core) => core.close())));
    const [one] = cores;
    const { deviceId } = await openShop(one);
    const gateway = await namedGateway(one, deviceId);
    for (let n = 0; n < 30; n += 1) {
      await sendDispatch(one, { gateway, number: '01812345678', message: `Order ${n}`, who: null });
    }
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        leaseToPhone(cores[n % 2] ?? one, { deviceId, outbox: null, reports: [] }),
      ),
    );
    const ids = asked.flatMap(idsOf);
    t.is(ids.length, 24);
    t.is(new Set(ids).size, 24);
  });
}
