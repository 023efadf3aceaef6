/** Ids that people make up, and what they cost those who have paid. */
import test from 'ava';
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
