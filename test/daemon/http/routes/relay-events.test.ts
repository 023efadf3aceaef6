/** Phones that listen: woken at once by whatever process has something for them, and let go in time. */
import test, { type ExecutionContext } from 'ava';
import { namedGateway } from '../../../../src/actions/access/authenticate-gateway.js';
import type { Core, CoreOptions } from '../../../../src/actions/core/core.js';
import { enrollDevice, revokeDevice, rotateDevice } from '../../../../src/actions/devices/enroll-device.js';
import { sendDispatch } from '../../../../src/actions/dispatches/send-dispatch.js';
import { openTestCore } from '../../../helpers/stores/engines.js';
import { until } from '../../../helpers/until.js';
import { openPorts, openTlsWire, requestText, statusCodes, type Wire } from '../../wire.js';

const EVENTS = '/api/v2/relay/events';
const HELLO = 'retry: 3000\n\n';
const wake = (reason: string) => `event: wake\ndata: {"reason":"${reason}"}\n\n`;

async function openPhones(t: ExecutionContext<unknown>, options: Partial<CoreOptions> = {}) {
  const ports = await openPorts(t, options);
  const { shop, core } = ports;
  const listen = async (key = shop.deviceKey): Promise<Wire> => {
    const wire = await openTlsWire(t, ports.httpsPort);
    wire.socket.write(requestText(`GET ${EVENTS}`, { 'device-key': key, accept: 'text/event-stream' }));
    await until(() => /\r\n\r\n/.test(wire.received()));
    return wire;
  };
  const another = (name: string) =>
    enrollDevice(core, { merchant: shop.brand.name, name, sims: ['1=01811000009'], who: 'test' });
  return { ...ports, listen, another, phone: `${shop.brand.name} phone` };
}

/** Without the breaths, which come by the clock. */
const wordsOf = (text: string) => (text.split('\r\n\r\n')[1] ?? '').replaceAll(/^:\n\n/gm, '');
const saidBy = (wire: Wire) => wordsOf(wire.received());

/** Sends one SMS through a phone, as an operator or a shop would. */
async function send(core: Core, phone: string): Promise<void> {
  const gateway = await namedGateway(core, phone);
  await sendDispatch(core, { gateway, number: '01711000055', message: 'Your order is packed.', who: null });
}

test('a phone is woken when an SMS is queued for it, once for each, and no other phone is', async (t) => {
  const { core, listen, another, phone } = await openPhones(t);
  const { device_key } = await another('Spare');
  const [own, other] = [await listen(), await listen(device_key)];
  t.regex(own.received(), /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream/);
  await send(core, phone);
  await until(() => saidBy(own) === HELLO + wake('dispatch'));
  await send(core, phone);
  await until(() => saidBy(own) === HELLO + wake('dispatch') + wake('dispatch'));
  await send(core, 'Spare');
  await until(() => saidBy(other) === HELLO + wake('dispatch'));
  t.is(saidBy(own), HELLO + wake('dispatch') + wake('dispatch'));
});

test('a stream that is opened while something waits is woken at once', async (t) => {
  const { core, listen, phone, shop } = await openPhones(t);
  await send(core, phone);
  const since = core.clock.now();
  await core.store.write((db) =>
    db.query.updateTable('devices').set({ resend_since: since }).where('id', '=', shop.deviceId).execute(),
  );
  const wire = await listen();
  await until(() => saidBy(wire) === HELLO + wake('dispatch') + wake('resend'));
  t.false(wire.socket.destroyed);
});

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`${engine}: work queued, requested or revoked by another process wakes the phone, too`, async (t) => {
    const other = await openTestCore(t, engine);
    const env = engine === 'sqlite' ? {} : { KASHBOX_DATABASE_URL: other.settings.databaseUrl };
    const { listen, phone, shop } = await openPhones(t, { folder: other.home.folder, env });
    const wire = await listen();
    await send(other, phone);
    await until(() => saidBy(wire) === HELLO + wake('dispatch'));
    await other.store.write((db) =>
      db.query.updateTable('devices').set({ resend_since: 5 }).where('id', '=', shop.deviceId).execute(),
    );
    await until(() => saidBy(wire).endsWith(wake('resend')));
    await revokeDevice(other, { device: phone, who: 'test' });
    t.is(wordsOf(await wire.closed), HELLO + ['dispatch', 'resend', 'revoked'].map(wake).join(''));
  });
}

test('new keys end the streams of the old, and the new key listens', async (t) => {
  const { core, listen, phone } = await openPhones(t);
  const old = await listen();
  const { device_key } = await rotateDevice(core, { device: phone, who: 'test' });
  t.true((await old.closed).endsWith(wake('revoked')));
  t.deepEqual(statusCodes((await listen()).received()), [401]);
  const wire = await listen(device_key);
  await send(core, phone);
  await until(() => saidBy(wire) === HELLO + wake('dispatch'));
  t.pass();
});

test('a phone keeps two streams, and a third closes the oldest without an event', async (t) => {
  const { core, listen, phone } = await openPhones(t);
  const [first, second, third] = [await listen(), await listen(), await listen()];
  t.is(wordsOf(await first.closed), HELLO);
  await send(core, phone);
  await until(() => [second, third].every((wire) => saidBy(wire).endsWith(wake('dispatch'))));
  t.is(saidBy(first), HELLO);
});

test('beyond the limit of all streams a phone is sent away, until somebody hangs up', async (t) => {
  const { listen, another } = await openPhones(t, { env: { KASHBOX_RELAY_STREAMS: '1' } });
  const { device_key } = await another('Spare');
  const first = await listen();
  const refused = (await listen(device_key)).received();
  t.deepEqual(statusCodes(refused), [503]);
  t.regex(refused, /Too many relay phones are listening for messages/);
  first.socket.destroy();
  let answered = [503];
  while (answered[0] === 503) answered = statusCodes((await listen(device_key)).received());
  t.deepEqual(answered, [200]);
});

test('a stopping daemon ends the streams of phones at once', async (t) => {
  const { listen, another, serving } = await openPhones(t);
  const wires = [await listen(), await listen((await another('Spare')).device_key)];
  const drained = serving.drain();
  for (const wire of wires) t.is(wordsOf(await wire.closed), HELLO);
  await drained;
});

test('refuses a stream without a valid device key, and every method but GET', async (t) => {
  const { listen, shop, httpsPort } = await openPhones(t);
  t.deepEqual(statusCodes((await listen('dk_nobody')).received()), [401]);
  for (const method of ['HEAD', 'POST']) {
    const wire = await openTlsWire(t, httpsPort);
    const headers = { 'device-key': shop.deviceKey, connection: 'close' };
    wire.socket.write(requestText(`${method} ${EVENTS}`, headers));
    t.deepEqual(statusCodes(await wire.closed), [405], method);
  }
});
