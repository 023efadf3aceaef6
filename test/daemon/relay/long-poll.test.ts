/** A sync that waits: answered at once when there is something, and let go when nothing can come any more. */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { PhoneSubscribers } from '../../../daemon/relay/phone-subscribers.js';
import { openWait, parseWaitMs, waitForDispatches } from '../../../daemon/relay/wait-for-dispatches.js';
import { namedGateway } from '../../../src/actions/access/authenticate-gateway.js';
import type { Core, CoreOptions } from '../../../src/actions/core/core.js';
import { revokeDevice } from '../../../src/actions/devices/enroll-device.js';
import { sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { leaseToPhone, NOTHING } from '../../../src/actions/relay/lease-dispatches.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore } from '../../helpers/stores/engines.js';
import { SYNC } from '../api.js';
import { openPorts, openTlsWire, requestText, statusCodes, type Wire } from '../wire.js';

const LONG = 25_000;
const journal = { journal: 'j1', held: [] };

async function openPhone(t: ExecutionContext<unknown>, options: Partial<CoreOptions> = {}) {
  const ports = await openPorts(t, options);
  const ask = async (body: object): Promise<Wire> => {
    const wire = await openTlsWire(t, ports.httpsPort);
    const text = JSON.stringify(body);
    const headers = {
      'device-key': ports.shop.deviceKey,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    };
    wire.socket.write(requestText(`POST ${SYNC}`, headers, text));
    return wire;
  };
  /** The phone has called, so that what comes next meets a request that waits. */
  const isWaiting = async () => {
    for (;;) {
      const [row] = await ports.core.store.read((db) =>
        db.query.selectFrom('devices').select('last_seen_at').execute(),
      );
      if (row?.last_seen_at != null) return;
      await sleep(5);
    }
  };
  return { ...ports, ask, isWaiting, phone: `${ports.shop.brand.name} phone` };
}

async function send(core: Core, phone: string): Promise<string> {
  const gateway = await namedGateway(core, phone);
  const sms = { number: '01711000055', message: 'Your order is packed.' };
  return (await sendDispatch(core, { gateway, ...sms, who: null })).dispatch.id;
}

interface Answer {
  readonly dispatches: readonly { readonly id: string }[];
  readonly next_poll_ms: number;
  readonly resend_since?: string;
}

async function answerOf(wire: Wire): Promise<Answer> {
  const text = await wire.closed;
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Answer;
}

const idsOf = ({ dispatches }: Answer) => dispatches.map(({ id }) => id);

test('a sync that waits is answered with the SMS as soon as it is queued', async (t) => {
  const { core, ask, isWaiting, phone } = await openPhone(t);
  const wire = await ask({ wait_ms: LONG, outbox: journal });
  await isWaiting();
  const id = await send(core, phone);
  t.deepEqual(idsOf(await answerOf(wire)), [id]);
});

test('an SMS queued by another process ends the wait, too', async (t) => {
  const { core, ask, isWaiting, phone } = await openPhone(t);
  const other = await openTestCore(t, 'sqlite', { folder: core.home.folder });
  const wire = await ask({ wait_ms: LONG });
  await isWaiting();
  const id = await send(other, phone);
  t.deepEqual(idsOf(await answerOf(wire)), [id]);
});

test('nobody waits who brings something or does not ask to, and nobody longer than the network allows', (t) => {
  const nothing = { messages: [], reports: [] };
  t.is(parseWaitMs(30, nothing), 30);
  t.is(parseWaitMs(LONG + 1, nothing), LONG);
  t.is(parseWaitMs(LONG, { ...nothing, messages: [{}] }), 0);
  t.is(parseWaitMs(LONG, { ...nothing, reports: [{}] }), 0);
  for (const value of [0, -1, Number.NaN, '30', null, undefined, {}]) t.is(parseWaitMs(value, nothing), 0);
});

test('with nothing to come the answer comes when the time is over', async (t) => {
  const { ask } = await openPhone(t);
  const answer = await answerOf(await ask({ wait_ms: 30 }));
  t.deepEqual([idsOf(answer), answer.next_poll_ms], [[], 10_000]);
});

test('a phone that may send no more this minute is not kept waiting beyond it', async (t) => {
  const { core, ask, phone } = await openPhone(t, { env: { KASHBOX_PARTS_A_MINUTE: '10' } });
  for (let n = 0; n < 11; n += 1) await send(core, phone);
  const first = await answerOf(await ask({ wait_ms: LONG, outbox: journal }));
  t.is(first.dispatches.length, 10);
  const outbox = { ...journal, held: idsOf(first) };
  t.deepEqual(idsOf(await answerOf(await ask({ wait_ms: 300, outbox }))), []);
});

test('a request for SMS that are missing ends the waiting and is in the answer', async (t) => {
  const { core, ask, isWaiting, shop } = await openPhone(t);
  const wire = await ask({ wait_ms: LONG });
  await isWaiting();
  await core.store.write((db) =>
    db.query.updateTable('devices').set({ resend_since: 0 }).where('id', '=', shop.deviceId).execute(),
  );
  core.called.tell(shop.deviceId);
  t.is((await answerOf(wire)).resend_since, '1970-01-01T06:00:00+06:00');
});

test('a phone that is revoked while it waits gets 401 and nothing else', async (t) => {
  const { core, ask, isWaiting, phone } = await openPhone(t);
  const wire = await ask({ wait_ms: LONG });
  await isWaiting();
  await revokeDevice(core, { device: phone, who: 'test' });
  t.deepEqual(statusCodes(await wire.closed), [401]);
});

test('a stopping daemon answers the phones that wait', async (t) => {
  const { ask, isWaiting, serving } = await openPhone(t);
  const wire = await ask({ wait_ms: LONG });
  await isWaiting();
  const drained = serving.drain();
  t.deepEqual(statusCodes(await wire.closed), [200]);
  await drained;
});

test('a phone that has hung up counts as gone, even where it is called in the same moment', async (t) => {
  let call: ((reason: 'dispatch') => void) | undefined;
  let left = 0;
  const room: PhoneSubscribers = {
    hasRoom: () => true,
    subscribe: (_phone, { wake }) => {
      call = wake;
      return () => {
        left += 1;
      };
    },
    endAll: () => {},
  };
  const socket = new Socket();
  const wait = openWait(room, { deviceId: 'd', keyHash: 'k' }, socket);
  call?.('dispatch');
  t.is(await wait.next(LONG), 'called');
  t.is(await wait.next(1), 'time');
  const next = wait.next(LONG);
  socket.destroy();
  call?.('dispatch');
  t.is(await next, 'over');
  t.is(await wait.next(LONG), 'over');
  wait.close();
  t.is(left, 1);
});

test('does not subscribe a phone that did not ask, got something or finds no room', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const shop = await openShop(core);
  await send(core, `${shop.brand.name} phone`);
  const got = await leaseToPhone(core, { deviceId: shop.deviceId, outbox: null, reports: [] });
  let seats = 0;
  const roomOf = (hasRoom: boolean): PhoneSubscribers => ({
    hasRoom: () => hasRoom,
    subscribe: (_phone, { end }) => {
      seats += 1;
      queueMicrotask(end);
      return () => {};
    },
    endAll: () => {},
  });
  const asked = { device: shop.device, key: shop.deviceKey, socket: new Socket(), journal: null };
  t.deepEqual(await waitForDispatches(core, roomOf(true), { ...asked, waitMs: 0, leased: NOTHING }), {
    leased: NOTHING,
    device: shop.device,
  });
  t.is((await waitForDispatches(core, roomOf(true), { ...asked, waitMs: LONG, leased: got })).leased, got);
  await waitForDispatches(core, roomOf(false), { ...asked, waitMs: LONG, leased: NOTHING });
  t.is(seats, 0);
  await waitForDispatches(core, roomOf(true), { ...asked, waitMs: LONG, leased: NOTHING });
  t.is(seats, 1);
});
