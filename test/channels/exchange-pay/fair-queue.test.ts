/** Ids that people make up, and what they cost those who have paid. */
import test from 'ava';
import { createFairQueue } from '../../../src/channels/exchange-pay/fair-queue.js';
import { paidOrder } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

const madeUp = (n: number) => String(100_000_000_000 + n);

test('a burst of made-up ids keeps nobody else from being answered', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  exchange.orders.push(paidOrder(ground.now - 60_000));
  const burst = Array.from({ length: 60 }, (_, n) => reader.lookup(merchant, ground.asking(madeUp(n))));
  const honest = { id: '9825382937292', notBefore: ground.now - 60_000 };
  t.is((await reader.lookup(merchant, honest)).outcome, 'found');
  const looks = await Promise.all(burst);
  const late = looks.filter(({ outcome }) => outcome === 'unavailable');
  t.true(late.length >= 45, 'most of the burst is told to come back');
  t.like(late[0], { retryAfterS: 10 });
  t.true(exchange.asked.length < 30);
  t.deepEqual(reader.tallies()[0]?.failures, {}, 'which is no failure of the exchange');
});

test('an id that nobody knows is asked for again after half a minute', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, merchant } = ground;
  const question = ground.asking(madeUp(1));
  const look = async () => (await reader.lookup(merchant, question)).outcome;
  t.is(await look(), 'not_found');
  const asked = exchange.asked.length;
  exchange.orders.push(paidOrder(ground.now, { merchantTradeNo: madeUp(1) }));
  ground.now += 29_999;
  t.is(await look(), 'not_found');
  t.is(exchange.asked.length, asked);
  ground.now += 1;
  t.is(await look(), 'found');
});

test('who has had the fewest turns comes first, of equals the newest, and who leaves has none', async (t) => {
  const turns = createFairQueue({ burst: 2, everyMs: 20 });
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: string[] = [];
  const take = (who: number, name: string, signal = never) =>
    turns.take(who, signal).then((isTurn) => order.push(`${name} ${isTurn}`));
  const all = [
    take(1, 'first'),
    take(1, 'second'),
    take(1, 'third'),
    take(2, 'gone', leaving.signal),
    take(3, 'older'),
    take(4, 'newer'),
  ];
  leaving.abort();
  await Promise.all(all);
  t.deepEqual(order, ['first true', 'second true', 'gone false', 'newer true', 'older true', 'third true']);
});

test('silence saves up no more turns than may be had at once', async (t) => {
  const turns = createFairQueue({ burst: 2, everyMs: 200 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const asked = Array.from({ length: 8 }, (_, who) => {
    const leaving = new AbortController();
    return { leaving, turn: turns.take(who, leaving.signal) };
  });
  for (const { leaving } of asked) leaving.abort();
  const had = await Promise.all(asked.map(({ turn }) => turn));
  t.deepEqual(had, [true, true, false, false, false, false, false, false]);
});
