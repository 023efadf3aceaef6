/** Many claims, several accounts: what an exchange is asked for while they wait. */
import test from 'ava';
import { recheckClaims } from '../../../src/actions/recheck-claims.js';
import { setAccount } from '../../../src/actions/set-account.js';
import { EXCHANGE_KEY, EXCHANGE_SECRET, EXCHANGE_USER, HISTORY_PATH } from '../../helpers/exchange-server.js';
import { refusal } from '../api.js';
import { IDS, order, pay, scene, verify } from './scene.js';

test('sixty claims that wait cost one look at the history a round', async (t) => {
  const { api, exchange } = await scene(t);
  const ids = await Promise.all(Array.from({ length: 60 }, () => order(api)));
  for (const [n, { id }] of ids.entries())
    t.is((await verify(api, id, `99900000000000${n}`)).statusCode, 404);
  const before = exchange.at(HISTORY_PATH).length;
  t.true(before <= 2, `${before} looks for 60 claims`);
  api.clock.advance(5_000);
  await recheckClaims(api.core);
  t.is(exchange.at(HISTORY_PATH).length, before + 1);
});

test('of ids that nobody has seen the first three are asked for again, however often they are given', async (t) => {
  const { api } = await scene(t);
  const { id } = await order(api);
  const typed = Array.from({ length: 6 }, (_, n) => `88800000000000${n}`);
  for (const reference of [...typed, ...typed]) t.is((await verify(api, id, reference)).statusCode, 404);
  const asked = await api.core.store.read((db) =>
    db.query.selectFrom('claims').where('next_at', 'is not', null).select('reference').execute(),
  );
  t.deepEqual(asked.map(({ reference }) => reference).sort(), typed.slice(0, 3));
});

test('of a personal and a merchant account whichever was paid confirms it, also afterwards by itself', async (t) => {
  const { api, exchange } = await scene(t);
  await setAccount(api.core, {
    brand: 'Alo Store',
    channel: 'exchange_pay',
    type: 'merchant',
    number: EXCHANGE_USER,
    details: { base_url: exchange.url },
    credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
    who: 'test',
  });
  const { id, method } = await order(api);
  t.like(method, { active_payments: { personal: true, merchant: true }, personal: EXCHANGE_USER });
  pay({ api, exchange }, IDS);
  t.like((await verify(api, id, IDS.orderId)).json(), { data: { status: 'COMPLETED' } });

  const late = await order(api);
  const order2 = '431726482920497152';
  t.is((await verify(api, late.id, order2)).statusCode, 404);
  pay({ api, exchange }, { transactionId: 'M_P_81505104267788288', orderId: order2 });
  await recheckClaims(api.core);
  t.like((await verify(api, late.id, order2)).json(), { data: { status: 'COMPLETED' } });
  const third = await order(api);
  t.is(
    refusal(await verify(api, third.id, IDS.transactionId)),
    '400 Transaction ID already verified and credited for another order',
  );
  t.is(
    refusal(await verify(api, late.id, IDS.transactionId)),
    '400 Transaction ID already verified and credited for another order',
    'also where the session is paid by another',
  );
});
