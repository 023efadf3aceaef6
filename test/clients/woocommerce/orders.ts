/** Orders: what is paid is completed once, and nothing else is completed. */
import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import {
  create,
  goBack,
  isCompletedOnce,
  isUnpaid,
  notesOf,
  orderOf,
  type Placed,
  PRICE,
  pay,
  payPrice,
  placed,
  type Scenario,
  takeParts,
  type World,
} from './world.js';

/**
 * The customer pays, and returns while the notification arrives five times, all at the same moment.
 * @returns the transaction id
 */
async function payWithEcho(t: ExecutionContext<unknown>, at: World, order: Placed): Promise<string> {
  const { shop, site } = at;
  const trxId = await shop.receive(PRICE);
  site.setDeaf(true);
  t.teardown(() => site.setDeaf(false));
  await order.customer.claim(trxId);
  await shop.allTold();
  site.setDeaf(false);
  const notified = site.heard.at(-1);
  if (notified === undefined) throw new Error('no notification arrived');
  const address = (await order.customer.wayBack())?.href ?? '';
  const posts = Array.from({ length: 5 }, () => site.post(notified));
  for (const { status } of await Promise.all([site.get(address), ...posts])) {
    t.true([200, 302, 503].includes(status), String(status));
  }
  t.is((await site.post(notified)).status, 200);
  return trxId;
}

export const ORDERS: readonly Scenario[] = [
  [
    'a paid order is completed once, by return, notification and repeats',
    async (t, at) => {
      const order = await placed(at);
      const trxId = await at.shop.receive(PRICE);
      await order.customer.claim(trxId);
      t.regex(await goBack(at, order), /order-received/);
      t.true((await at.shop.allTold()).every((state) => state === 'DELIVERED'));
      await goBack(at, order);
      t.is((await at.site.command<{ ran: number; next: number[] }>('jobs')).next.length, 0);
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    },
  ],
  [
    'a notification that arrives many times at once, with the customer, completes the order once',
    async (t, at) => {
      const order = await placed(at);
      const trxId = await payWithEcho(t, at, order);
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    },
  ],
  [
    'an order is completed by the notification alone if the browser was closed',
    async (t, at) => {
      const order = await placed(at);
      const trxId = await payPrice(at, order.customer);
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    },
  ],
  [
    'an order is completed by the job alone if no notification arrives',
    async (t, at) => {
      const order = await placed(at);
      at.site.setDeaf(true);
      t.teardown(() => at.site.setDeaf(false));
      t.deepEqual((await at.site.command<{ next: number[] }>('jobs')).next, [5]);
      t.deepEqual((await at.site.command<{ next: number[] }>('jobs')).next, [10]);
      t.false(await at.site.command('isCancelled', { id: order.id }));
      const trxId = await payPrice(at, order.customer);
      t.deepEqual(await at.site.command('jobs'), { ran: 1, next: [] });
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
    },
  ],
  [
    'pressing again leads to the same payment, after a cancelled one to another',
    async (t, at) => {
      const order = await placed(at);
      t.is((await pay(at.site, order.id)).redirect, order.link);
      await order.customer.cancel();
      t.regex(await goBack(at, order), /pay_for_order/);
      await at.shop.allTold();
      const failed = await orderOf(at.site, order.id);
      isUnpaid(t, failed, 'failed');
      t.false(failed.stockTaken);
      const { redirect = '' } = await pay(at.site, order.id);
      t.not(redirect, order.link);
      t.is((await orderOf(at.site, order.id)).status, 'pending');
      const trxId = await payPrice(at, at.shop.customer(redirect));
      isCompletedOnce(t, await orderOf(at.site, order.id), trxId);
      t.regex((await pay(at.site, order.id)).redirect ?? '', /order-received/);
    },
  ],
  [
    'an invented bank slip puts the order on hold; refused, it fails and gives the stock back',
    async (t, at) => {
      const order = await placed(at);
      await order.customer.bank(`INVENTED ${at.name}`);
      await at.shop.allTold();
      t.regex(await goBack(at, order), /order-received/);
      const held = await orderOf(at.site, order.id);
      isUnpaid(t, held, 'on-hold');
      t.true(held.stockTaken);
      await at.shop.decide('reject', order.link);
      await at.shop.allTold();
      const refused = await orderOf(at.site, order.id);
      isUnpaid(t, refused, 'failed');
      t.false(refused.stockTaken);
    },
  ],
  [
    'an approved bank slip completes the order',
    async (t, at) => {
      const order = await placed(at);
      await order.customer.bank(`SLIP ${at.name}`);
      await at.shop.allTold();
      await at.shop.decide('approve', order.link);
      await at.shop.allTold();
      const { status, completed, stockTaken } = await orderOf(at.site, order.id);
      t.deepEqual([status, completed, stockTaken], ['processing', 1, true]);
    },
  ],
  [
    'another sum than the price is never booked, though an operator accepts it',
    async (t, at) => {
      const less = await placed(at);
      await t.throwsAsync(less.customer.claim(await at.shop.receive('1240.50')), { message: /422/ });
      await goBack(at, less);
      isUnpaid(t, await orderOf(at.site, less.id), 'pending');

      const more = await placed(at);
      await more.customer.claim(await at.shop.receive('1300.50'));
      await at.shop.allTold();
      isUnpaid(t, await orderOf(at.site, more.id), 'on-hold');
      await at.shop.decide('approve', more.link);
      await at.shop.allTold();
      await goBack(at, more);
      const held = await orderOf(at.site, more.id);
      isUnpaid(t, held, 'on-hold');
      t.is(held.notes.filter((note) => note.includes('1300.50') && note.includes('1250.50')).length, 1);
    },
  ],
  [
    'an order that was changed after its payment was opened is held, not completed',
    async (t, at) => {
      const order = await placed(at);
      await at.site.command('change', { id: order.id, total: '2250.50' });
      await payWithEcho(t, at, order);
      const held = await orderOf(at.site, order.id);
      isUnpaid(t, held, 'on-hold');
      t.is(held.notes.filter((note) => note.includes('2250.50')).length, 1);
    },
  ],
  [
    'the ids of a paid order complete no other',
    async (t, at) => {
      const first = await placed(at);
      const trxId = await payPrice(at, first.customer);
      const other = await placed(at);
      await other.customer.claim(trxId).catch(() => {});
      for (const id of [trxId, first.link.slice(-32)]) {
        const said = new URLSearchParams({ transactionId: id, transaction_id: id, status: 'completed' });
        const address = `${at.site.url}/?wc-api=kashbox_return&order=${other.id}&key=${other.key}&${said}`;
        t.regex((await at.site.get(address)).location, /order-received/);
        const wrong = `${at.site.url}/?wc-api=kashbox_return&order=${other.id}&key=${first.key}&${said}`;
        t.notRegex((await at.site.get(wrong)).location, /order-received/);
      }
      isUnpaid(t, await orderOf(at.site, other.id), 'pending');
      isCompletedOnce(t, await orderOf(at.site, first.id), trxId);
    },
  ],
  [
    'only a signed notification is taken, and an unknown order is answered like any other',
    async (t, at) => {
      const order = await placed(at);
      const [payment] = (await orderOf(at.site, order.id)).payments;
      const body = JSON.stringify({
        ...{ event: 'payment.completed', id: 'ntf_1', session_id: payment?.reference, amount: PRICE },
        ...{ transaction_id: 'AAAA', status: 'COMPLETED', meta_data: { order: String(order.id) } },
      });
      const signed = (secret: string, text: string) => {
        const now = new Date();
        return {
          'webhook-id': 'ntf_1',
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('ntf_1', now, text),
        };
      };
      const wrong = signed('whsec_S2FzaGJveCBleGFtcGxlIHNlY3JldCwgbm90IHJlYWw=', body);
      t.is((await at.site.post({ headers: {}, body })).status, 401);
      t.is((await at.site.post({ headers: wrong, body })).status, 401);
      t.is((await at.site.post({ headers: signed(at.place.secret, body), body: `${body} ` })).status, 401);
      const own = await at.site.post({ headers: signed(at.place.secret, body), body });
      const unknown = body.replace(`"${order.id}"`, '"999999-00000000"');
      const other = await at.site.post({ headers: signed(at.place.secret, unknown), body: unknown });
      t.deepEqual([own.status, own.text], [other.status, other.text]);
      t.is(own.status, 200);
      const form = 'status=completed';
      t.is((await at.site.post({ headers: signed(at.place.secret, form), body: form })).status, 400);
      isUnpaid(t, await orderOf(at.site, order.id), 'pending');
    },
  ],
  [
    'a disputed payment holds its order, which is not completed again',
    async (t, at) => {
      const order = await placed(at);
      const trxId = await payPrice(at, order.customer);
      const told = at.site.heard.findLast(({ body }) => body.includes(trxId));
      const body = told?.body.replace('payment.completed', 'payment.disputed') ?? '';
      const now = new Date();
      const headers = {
        'webhook-id': 'ntf_2',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(at.place.secret).sign('ntf_2', now, body),
      };
      for (let count = 0; count < 2; count += 1) t.is((await at.site.post({ headers, body })).status, 200);
      await goBack(at, order);
      const held = await orderOf(at.site, order.id);
      t.deepEqual([held.status, held.completed], ['on-hold', 1]);
      t.is(held.notes.filter((note) => note.includes('disputed')).length, 1);
    },
  ],
  [
    'money for an order that was paid in another way is reported, not booked',
    async (t, at) => {
      const order = await placed(at);
      await at.site.command('change', { id: order.id, status: 'completed' });
      await order.customer.claim(await at.shop.receive(PRICE));
      await at.shop.allTold();
      await order.customer.cancel().catch(() => {});
      const kept = await orderOf(at.site, order.id);
      t.deepEqual([kept.status, kept.completed], ['completed', 0]);
      t.regex(notesOf(kept), /already paid or closed/);
    },
  ],
  [
    'a part puts the order on hold, and the rest completes it',
    async (t, at) => {
      const order = await placed(at);
      await takeParts(at, order);
      const first = await at.shop.receive('1000.00');
      await order.customer.claim(first);
      await at.shop.allTold();
      await goBack(at, order);
      const held = await orderOf(at.site, order.id);
      isUnpaid(t, held, 'on-hold');
      t.is(held.notes.filter((note) => note.includes('1000.00 taka have come, and 250.50')).length, 1);
      t.regex(await at.site.command<string>('page', { id: order.id }), /250\.50 taka are still due.*execute/);
      t.is((await pay(at.site, order.id)).redirect, order.link);
      const rest = await at.shop.receive('250.50');
      await order.customer.claim(rest);
      await at.shop.allTold();
      isCompletedOnce(t, await orderOf(at.site, order.id), rest);
    },
  ],
  [
    'a part whose rest does not come is named in a note',
    async (t, at) => {
      const order = await placed(at);
      await takeParts(at, order);
      await order.customer.claim(await at.shop.receive('1000.00'));
      await at.shop.allTold();
      await at.ground.core.store.write((db) =>
        db.query
          .updateTable('sessions')
          .set({ expires_at: 1 })
          .where('id', '=', order.link.slice(-32))
          .execute(),
      );
      await expireSessions(at.ground.core);
      await at.shop.allTold();
      const failed = await orderOf(at.site, order.id);
      isUnpaid(t, failed, 'failed');
      t.regex(notesOf(failed), /1000\.00 taka had come before/);
    },
  ],
  [
    'the lines of an order come with its payment if they add up to its total, and else the total alone',
    async (t, at) => {
      const lines = [
        { name: 'Rice & lentils', quantity: 2, price: '600.00' },
        { name: 'Discount', quantity: 1, price: '-30.00' },
        { name: 'Gift wrap', quantity: 1, price: '20.00' },
        { name: 'Delivery', quantity: 1, price: '60.50' },
      ];
      for (const [total, items] of [
        [PRICE, lines],
        ['1250.00', undefined],
      ] as const) {
        const { id } = await create(at.site);
        await at.site.command('fill', { id, total });
        const trxId = await at.shop.receive(total);
        const { redirect = '' } = await pay(at.site, id);
        await at.shop.customer(redirect).claim(trxId);
        await at.shop.allTold();
        isCompletedOnce(t, await orderOf(at.site, id), trxId);
        const told = at.site.heard.findLast(({ body }) => body.includes(trxId));
        t.deepEqual(JSON.parse(told?.body ?? '{}').items, items);
      }
    },
  ],
  [
    'notes of an order are in the language of the shop',
    async (t, at) => {
      const language = (locale: string) =>
        at.site.command('set', { options: { kashbox_test_locale: locale } });
      await language('bn_BD');
      const order = await placed(at);
      const trxId = await payPrice(at, order.customer);
      await language('');
      t.regex(notesOf(await orderOf(at.site, order.id)), new RegExp(`বিকাশ, ট্রানজ্যাকশন আইডি ${trxId}`));
    },
  ],
];
