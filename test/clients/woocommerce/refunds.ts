/** Refunds of orders: each that was sent is in the order once, with notifications or without. */
import { once } from 'node:events';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { cancelRefund } from '../../../src/actions/refunds/change-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { listRefunds } from '../../../src/actions/refunds/list-refunds.js';
import { tlsPair } from '../../helpers/network/tls-pair.js';
import {
  notesOf,
  orderOf,
  type Placed,
  PRICE,
  paid,
  placed,
  type Scenario,
  setSettings,
  takeParts,
  type World,
} from './world.js';

/** The number that pays in each SMS of the shops. */
export const PAYER = '01900000001';

type Test = ExecutionContext<unknown>;

export async function allowRefunds(t: Test, { ground, name }: World): Promise<void> {
  await updateBrand(ground.core, { brand: name, apiRefunds: '50000', who: 'test' });
  t.teardown(() => updateBrand(ground.core, { brand: name, apiRefunds: 'off', who: 'test' }));
}

/** No notification reaches the shop. */
function silence(t: Test, { site }: World): void {
  site.setDeaf(true);
  t.teardown(() => site.setDeaf(false));
}

const press = (at: World, { id }: Placed, amount: string) =>
  at.site.command<number | string>('refund', { id, amount });

const refundAtKashbox = ({ ground }: World, { link }: Placed, amountPaisa: number) =>
  createRefund(ground.core, { of: link.slice(-32), amountPaisa, note: 'a reason', who: 'test' });

async function pendingOf({ ground, name }: World, { link }: Placed) {
  const all = await listRefunds(ground.core, { brand: name, pending: true, limit: 100 });
  return all.filter(({ session_id }) => session_id === link.slice(-32));
}

/** The operator sends a sum, and its SMS completes the refund. @returns the transaction id */
async function send(at: World, taka: string): Promise<string> {
  const trxId = await at.shop.send(taka, PAYER);
  await at.shop.allTold();
  return trxId;
}

/** The order has these refunds, and each transfer is in one note. */
async function hasRefunds(t: Test, at: World, { id }: Placed, refunds: string[], transfers: string[]) {
  const order = await orderOf(at.site, id);
  t.deepEqual(order.refunds, refunds);
  for (const trxId of transfers) {
    t.is(
      order.notes.filter((note) => note.includes(`sent back by bKash, transaction id ${trxId}`)).length,
      1,
    );
  }
  t.is(order.notes.filter((note) => note.includes('sent back')).length, transfers.length);
  return order;
}

/**
 * Kashbox behind a server.
 * @param work is called before the answer to a refund is returned; without it, that answer is lost.
 * @returns its address
 */
async function behind(t: Test, at: World, work: (() => Promise<unknown>) | null): Promise<string> {
  const server = createServer(await tlsPair(), async (request, response) => {
    const { method, url = '/', headers } = request;
    const options = { method, headers, ca: at.ground.certificate };
    const call = httpsRequest(new URL(url, at.ground.daemonUrl), options).end(await textOf(request));
    const [answer] = await once(call, 'response');
    const text = await textOf(answer);
    const isRefund = url.endsWith('/refund');
    if (isRefund && work === null) return void response.destroy();
    if (isRefund) await work?.();
    response.writeHead(answer.statusCode).end(text);
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const REFUNDS: readonly Scenario[] = [
  [
    'without refunds by the API, one is recorded with a note, and a sent one of that sum is the same',
    async (t, at) => {
      const { order, trxId } = await paid(at);
      t.is(typeof (await press(at, order, '250.50')), 'number');
      t.regex(notesOf(await orderOf(at.site, order.id)), new RegExp(`No money was moved.*${trxId}`));
      t.regex(await at.site.command<string>('page', { id: order.id }), /Kashbox cannot send money/);
      await refundAtKashbox(at, order, 25_050);
      await hasRefunds(t, at, order, ['250.50'], [await send(at, '250.50')]);
    },
  ],
  [
    'a refund of the shop is requested once, its SMS completes it, and a repeated notification changes nothing',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      t.regex(String(await press(at, order, '6000')), /Invalid refund amount/);
      await press(at, order, '250.50');
      await press(at, order, '100');
      t.regex(
        notesOf(await orderOf(at.site, order.id)),
        new RegExp(`250\\.50 taka is requested.*once, to ${PAYER}`),
      );
      t.deepEqual((await pendingOf(at, order)).map(({ amount }) => amount).sort(), ['100.00', '250.50']);
      const first = await send(at, '250.50');
      await hasRefunds(t, at, order, ['250.50', '100'], [first]);
      const notified = at.site.heard.at(-1) ?? { headers: {}, body: '' };
      t.regex(notified.body, /payment\.refunded/);
      const both = [first, await send(at, '100.00')];
      const sent = await hasRefunds(t, at, order, ['250.50', '100'], both);
      for (let count = 0; count < 2; count += 1) t.is((await at.site.post(notified)).status, 200);
      t.deepEqual(await orderOf(at.site, order.id), sent, 'late and repeated');
      t.is(sent.status, 'processing');
    },
  ],
  [
    'a full refund that was sent before the shop has its answer is in the order once',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      const live = { enabled: 'yes', key: at.place.key, secret: at.place.secret };
      const sent: string[] = [];
      const url = await behind(t, at, async () => sent.push(await at.shop.send(PRICE, PAYER)));
      await setSettings(at.site, { ...live, url });
      await press(at, order, PRICE);
      await setSettings(at.site, { ...live, url: at.ground.daemonUrl });
      await at.shop.allTold();
      await at.site.command('openOrder', { id: order.id });
      t.is((await hasRefunds(t, at, order, [PRICE], sent)).status, 'refunded');
      t.is(sent.length, 1);
    },
  ],
  [
    'an answer that was lost leaves no refund in the order, and the same request again creates no second one',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      const live = { enabled: 'yes', key: at.place.key, secret: at.place.secret };
      const url = await behind(t, at, null);
      await setSettings(at.site, { ...live, url });
      t.is(typeof (await press(at, order, '250.50')), 'string');
      await setSettings(at.site, { ...live, url: at.ground.daemonUrl });
      await hasRefunds(t, at, order, [], []);
      await press(at, order, '250.50');
      t.is((await pendingOf(at, order)).length, 1);
      await hasRefunds(t, at, order, ['250.50'], [await send(at, '250.50')]);
    },
  ],
  [
    'a refund of Kashbox becomes one refund of the order; one that the shop has recorded by hand stays one',
    async (t, at) => {
      const { order } = await paid(at);
      await refundAtKashbox(at, order, 25_050);
      const first = await send(at, '250.50');
      t.is((await at.site.post(at.site.heard.at(-1) ?? { headers: {}, body: '' })).status, 200);
      await hasRefunds(t, at, order, ['250.50'], [first]);
      await at.site.command('refund', { id: order.id, amount: '1000', isManual: true });
      await refundAtKashbox(at, order, 100_000);
      const second = await send(at, '1000.00');
      t.is((await hasRefunds(t, at, order, ['250.50', '1000'], [first, second])).status, 'refunded');
    },
  ],
  [
    'without notifications the job finds a refund of the shop, and whoever opens the order one of Kashbox',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      await at.site.command('forgetJobs');
      silence(t, at);
      await press(at, order, '250.50');
      t.deepEqual(await at.site.command('jobs'), { ran: 1, next: [5] });
      const first = await send(at, '250.50');
      await hasRefunds(t, at, order, ['250.50'], []);
      t.deepEqual(await at.site.command('jobs'), { ran: 1, next: [] });
      await hasRefunds(t, at, order, ['250.50'], [first]);
      await refundAtKashbox(at, order, 10_000);
      const second = await send(at, '100.00');
      for (let count = 0; count < 2; count += 1) await at.site.command('openOrder', { id: order.id });
      await hasRefunds(t, at, order, ['250.50', '100.00'], [first, second]);
    },
  ],
  [
    'a refund that is cancelled at Kashbox is named in the order, which can request another one',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      await at.site.command('forgetJobs');
      const refund = await press(at, order, '250.50');
      const [pending] = await pendingOf(at, order);
      await cancelRefund(at.ground.core, { id: pending?.id ?? '', note: 'a mistake', who: 'test' });
      t.deepEqual(await at.site.command('jobs'), { ran: 1, next: [] });
      await at.site.command('openOrder', { id: order.id });
      const cancelled = await hasRefunds(t, at, order, ['250.50'], []);
      t.is(cancelled.notes.filter((note) => note.includes('250.50 taka was cancelled at Kashbox')).length, 1);
      await at.site.command('deleteRefund', { id: order.id, refund });
      t.notRegex(notesOf(await orderOf(at.site, order.id)), /still waits/);
      await press(at, order, '250.50');
      await hasRefunds(t, at, order, ['250.50'], [await send(at, '250.50')]);
    },
  ],
  [
    'a refund that is deleted in the shop and was sent all the same is in the order again',
    async (t, at) => {
      await allowRefunds(t, at);
      const { order } = await paid(at);
      const refund = await press(at, order, '250.50');
      await at.site.command('deleteRefund', { id: order.id, refund });
      const [pending] = await pendingOf(at, order);
      t.regex(notesOf(await hasRefunds(t, at, order, [], [])), new RegExp(`refunds cancel ${pending?.id}`));
      await hasRefunds(t, at, order, ['250.50'], [await send(at, '250.50')]);
    },
  ],
  [
    'an order that was paid in parts is refunded, and money that never counted for its order only in a note',
    async (t, at) => {
      await allowRefunds(t, at);
      const parts = await placed(at);
      await takeParts(at, parts);
      for (const taka of ['1000.00', '250.50']) await parts.customer.claim(await at.shop.receive(taka));
      await at.shop.allTold();
      await press(at, parts, PRICE);
      t.is((await pendingOf(at, parts)).length, 1);
      t.is((await hasRefunds(t, at, parts, [PRICE], [await send(at, PRICE)])).status, 'refunded');

      const cash = await placed(at);
      await at.site.command('change', { id: cash.id, status: 'completed' });
      await cash.customer.claim(await at.shop.receive(PRICE));
      await at.shop.allTold();
      await refundAtKashbox(at, cash, 125_050);
      const kept = await hasRefunds(t, at, cash, [], [await send(at, PRICE)]);
      t.is(kept.status, 'completed');
      t.regex(notesOf(kept), /never counted for the order/);
    },
  ],
];
