/** Credentials that were sealed under another key file, as after a restore without it. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { listQuestions, queryExchange } from '../../../src/actions/usdt/query-sources.js';
import { createSecretBox } from '../../../src/base/io/secret.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  paidOrder,
} from '../../helpers/outside/exchange-server.js';
import type { Api } from '../api.js';
import { IDS, order, pay, scene, verify } from './scene.js';

/** Seals the personal account's credentials as another key file would have. */
async function spoil({ core }: Api): Promise<void> {
  const secret = createSecretBox(new Uint8Array(32), core.random).seal('{}', 'any');
  await core.store.write((db) =>
    db.query
      .updateTable('accounts')
      .set({ secret })
      .where('channel', '=', 'exchange_pay')
      .where('type', '=', 'personal')
      .execute(),
  );
}

test('credentials that cannot be opened are a 502, and the claim is kept to be asked again', async (t) => {
  const given = await scene(t);
  const { api, exchange } = given;
  const { id } = await order(api);
  pay(given, IDS);
  await spoil(api);
  const answer = await verify(api, id, IDS.orderId);
  t.is(answer.statusCode, 502, answer.body);
  t.is(answer.headers['retry-after'], '10');
  t.is(exchange.asked.length, 0);
  const [claim] = await api.core.store.read((db) => db.query.selectFrom('claims').selectAll().execute());
  t.is(typeof claim?.next_at, 'number');
});

test('each of many questions of such an account gets its answer', async (t) => {
  const { api } = await scene(t);
  const { id } = await order(api);
  await spoil(api);
  const asked = await api.core.store.read((db) =>
    listQuestions(db, { id, created_at: api.clock.now() }, 'exchange_pay', IDS.orderId),
  );
  t.is(asked.length, 1);
  const looks = await queryExchange(api.core, [...asked, ...asked]);
  t.deepEqual(
    looks.map(({ outcome }) => outcome),
    ['unavailable', 'unavailable'],
  );
});

test('another account of the brand, whose credentials can be opened, is still asked', async (t) => {
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
  const { id } = await order(api);
  exchange.orders.push(paidOrder(api.clock.now(), { prepayId: IDS.orderId }));
  await spoil(api);
  t.is((await verify(api, id, IDS.orderId)).statusCode, 200);
});
