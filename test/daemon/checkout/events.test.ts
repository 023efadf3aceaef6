/** Pages that wait: told at once of what happens, in this process or another, and let go in time. */
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import type { Core, CoreOptions } from '../../../src/actions/core/core.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { bkashId, bkashText, WALLET } from '../../helpers/shop/shop.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';
import { openPorts, openTlsWire, requestText, statusCodes, type Wire } from '../wire.js';
import { PAGES, RETURN } from './browser.js';

async function openStreams(t: ExecutionContext<unknown>, options: Partial<CoreOptions> = {}) {
  const ports = await openPorts(t, options);
  const { core, shop } = ports;
  const open = async () => {
    const customer = { cusName: '', cusEmail: '', amountPaisa: 50_000, metaJson: null };
    const brand = await brandContext(core, shop.brand.name);
    return (await createSession(core, { brand, hosted: RETURN, ...customer })).id;
  };
  const listen = async (session: string, shown = 'open'): Promise<Wire> => {
    const wire = await openTlsWire(t, ports.httpsPort);
    const path = `${PAGES}/${session}/events?shown=${shown}`;
    wire.socket.write(requestText(`GET ${path}`, { accept: 'text/event-stream' }));
    await until(() => /\r\n\r\n/.test(wire.received()));
    return wire;
  };
  return { ...ports, open, listen };
}

const MOVED = /event: payment.updated\ndata: 1\n\n$/;

test('a stream opens with its way back, is silent while nothing happens, and ends when the payment has moved', async (t) => {
  const { open, listen, core, shop } = await openStreams(t);
  const session = await open();
  const [own, other] = [await listen(session), await listen(await open())];
  await until(() => own.received().endsWith('retry: 3000\n\n'));
  t.regex(own.received(), /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream/);
  const trxId = bkashId(core.clock.now(), 1);
  await shop.receive(bkashText({ taka: '500.00', trxId, at: core.clock.now() }));
  await claimCheckout(core, { sessionId: session, channel: 'mfs_a', text: trxId });
  t.regex(await own.closed, MOVED);
  t.true(other.received().endsWith('retry: 3000\n\n'));
  t.false(other.socket.destroyed);
});

test('a payment that has already changed state is reported at once', async (t) => {
  const { open, listen, core } = await openStreams(t);
  const session = await open();
  await cancelSession(core, session);
  t.regex(await (await listen(session)).closed, MOVED);
});

test('sees changes by another process', async (t) => {
  const { open, listen, core } = await openStreams(t);
  const other = await openTestCore(t, 'sqlite', { folder: core.home.folder });
  const session = await open();
  const wires = await Promise.all([listen(session), listen(session), listen(await open())]);
  await cancelSession(other, session);
  t.regex((await wires[0]?.closed) ?? '', MOVED);
  t.regex((await wires[1]?.closed) ?? '', MOVED);
  t.false(wires[2]?.socket.destroyed);
});

test('sees changes by another process on PostgreSQL', async (t) => {
  const first = await openTestCore(t, 'postgres');
  const env = { KASHBOX_DATABASE_URL: first.settings.databaseUrl };
  const { open, listen } = await openStreams(t, { folder: first.home.folder, env });
  const session = await open();
  const wire = await listen(session);
  await cancelSession(first, session);
  t.regex(await wire.closed, MOVED);
});

test('a part of the money is reported once, also by another process, and not to a page that shows it', async (t) => {
  const { open, listen, core, shop } = await openStreams(t);
  const other = await openTestCore(t, 'sqlite', { folder: core.home.folder });
  await updateBrand(core, { brand: shop.brand.name, parts: 'on', who: 'test' });
  const session = await open();
  const pay = async (by: Core, n: number) => {
    const trxId = bkashId(core.clock.now(), n);
    await shop.receive(bkashText({ taka: '100.00', trxId, at: core.clock.now() }));
    await claimCheckout(by, { sessionId: session, channel: 'mfs_a', text: trxId });
  };
  const first = await listen(session);
  await pay(core, 1);
  t.regex(await first.closed, MOVED);
  t.regex(await (await listen(session)).closed, MOVED, 'a page from before');
  const second = await listen(session, 'open%201');
  const cancelled = await open();
  const look = await listen(cancelled);
  await cancelSession(other, cancelled);
  t.regex(await look.closed, MOVED, 'the room has looked again');
  t.false(second.socket.destroyed);
  await pay(other, 2);
  t.regex(await second.closed, MOVED);
});

/** Another process takes an SMS of less money than the claim of it says; its clock is an hour slow. */
async function refuseElsewhere(t: ExecutionContext<unknown>, core: Core, trxId: string) {
  const clock = { now: () => core.clock.now() - 3_600_000 };
  const other = await openTestCore(t, 'sqlite', { folder: core.home.folder, clock });
  const { settled } = await addSms(other, {
    merchant: 'Alo Store',
    sender: 'bKash',
    recipient: WALLET,
    text: bkashText({ taka: '499.00', trxId, at: core.clock.now() }),
    who: 'test',
  });
  t.deepEqual(settled, []);
  return other;
}

test('a claim refused by another process is reported once, and not to a page opened later', async (t) => {
  const { open, listen, core } = await openStreams(t);
  const session = await open();
  const trxId = bkashId(core.clock.now(), 1);
  const reader = await listen(session);
  await claimCheckout(core, { sessionId: session, channel: 'mfs_a', text: trxId });
  const wire = await listen(session, 'waiting');
  const other = await refuseElsewhere(t, core, trxId);
  t.regex(await wire.closed, MOVED);
  const later = await listen(session, 'open');
  const cancelled = await open();
  const look = await listen(cancelled);
  await cancelSession(other, cancelled);
  t.regex(await look.closed, MOVED, 'the room has looked again');
  t.false(later.socket.destroyed);
  t.false(reader.socket.destroyed, 'who reads is not disturbed by what was typed elsewhere');
});

test('a claim refused while its page was loading is reported as soon as the page listens', async (t) => {
  const { open, listen, core } = await openStreams(t);
  const session = await open();
  const trxId = bkashId(core.clock.now(), 1);
  await claimCheckout(core, { sessionId: session, channel: 'mfs_a', text: trxId });
  await refuseElsewhere(t, core, trxId);
  t.regex(await (await listen(session, 'waiting')).closed, MOVED);
});

test('one link keeps eight streams, the oldest makes room', async (t) => {
  const { open, listen } = await openStreams(t);
  const session = await open();
  const wires: Wire[] = [];
  for (let n = 0; n < 9; n += 1) wires.push(await listen(session));
  t.notRegex((await wires[0]?.closed) ?? '', /moved/);
  t.true(wires.slice(1).every((wire) => !wire.socket.destroyed));
});

test('beyond the limit of all streams a page is sent away and may ask instead', async (t) => {
  const { open, listen } = await openStreams(t, { env: { KASHBOX_CHECKOUT_STREAMS: '2' } });
  const session = await open();
  const first = await listen(session);
  await listen(session);
  t.deepEqual(statusCodes((await listen(session)).received()), [503]);
  first.socket.destroy();
  // The place is free as soon as the daemon has noticed.
  let answered = [503];
  while (answered[0] === 503) answered = statusCodes((await listen(session)).received());
  t.deepEqual(answered, [200]);
});

test('a stopping daemon ends its streams at once and does not wait for them', async (t) => {
  const { open, listen, serving } = await openStreams(t);
  const wires = await Promise.all([listen(await open()), listen(await open())]);
  const drained = serving.drain();
  for (const wire of wires) t.notRegex(await wire.closed, /moved/);
  await drained;
  t.pass();
});

test('an unknown link gets no stream, and neither method but GET', async (t) => {
  const { listen, open, httpsPort } = await openStreams(t);
  t.deepEqual(statusCodes((await listen('0'.repeat(32))).received()), [404]);
  for (const method of ['HEAD', 'POST']) {
    const wire = await openTlsWire(t, httpsPort);
    wire.socket.write(requestText(`${method} ${PAGES}/${await open()}/events`, { connection: 'close' }));
    t.deepEqual(statusCodes(await wire.closed), [405]);
  }
});

test('plain HTTP sends a visitor of a payment to HTTPS and refuses everything else there', async (t) => {
  const { httpPort, httpsPort } = await openStreams(t);
  const ask = async (line: string) => {
    const { openWire } = await import('../wire.js');
    const wire = openWire(t, httpPort);
    wire.socket.write(requestText(line, { host: `pay.example.com:${httpPort}`, connection: 'close' }));
    return wire.closed;
  };
  const page = `${PAGES}/${'a'.repeat(32)}`;
  const sent = await ask(`GET ${page}?lang=en`);
  t.deepEqual(statusCodes(sent), [308]);
  t.true(sent.includes(`\r\nlocation: https://pay.example.com:${httpsPort}${page}?lang=en\r\n`));
  t.deepEqual(statusCodes(await ask(`HEAD ${page}`)), [308]);
  for (const line of [
    `POST ${page}/claim`,
    'GET /api/executes',
    'GET /api/execute',
    'GET /api/v2/payment/create',
  ]) {
    t.deepEqual(statusCodes(await ask(line)), [403], line);
  }
});
