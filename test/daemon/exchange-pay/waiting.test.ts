/** Many claims, several accounts: what an exchange is asked for while they wait. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { recheckClaims } from '../../../src/actions/claims/recheck-claims.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { putReview } from '../../../src/store/tables/reviews.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  HISTORY_PATH,
} from '../../helpers/outside/exchange-server.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { HOSTED_VERIFY, refusal } from '../api.js';
import { IDS, order, pay, scene, verify } from './scene.js';

const HOUR = 3_600_000;

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

test('of ids that nobody has seen the three that were given last are asked for again', async (t) => {
  const { api } = await scene(t);
  const { id } = await order(api);
  const typed = Array.from({ length: 6 }, (_, n) => `88800000000000${n}`);
  for (const reference of [...typed, ...typed]) {
    api.clock.advance(1);
    t.is((await verify(api, id, reference)).statusCode, 404);
  }
  const asked = await api.core.store.read((db) =>
    db.query.selectFrom('claims').where('next_at', 'is not', null).select('reference').execute(),
  );
  t.deepEqual(asked.map(({ reference }) => reference).sort(), typed.slice(3));
});

for (const engine of enginesOfTier) {
  test(`${engine}: a claim is asked for again until an hour after its payment has run out`, async (t) => {
    const { api } = await scene(t, { engine });
    const { id } = await order(api);
    t.is((await verify(api, id, IDS.orderId)).statusCode, 404);
    api.clock.advance(2 * HOUR - 1);
    t.deepEqual(await recheckClaims(api.core), { taken: 1, waitMs: 2_000 });
    api.clock.advance(2_000);
    t.deepEqual(await recheckClaims(api.core), { taken: 1, waitMs: null });
  });
}

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

test('money credited under one id is never approved under the other, and v1 verify finds it by both', async (t) => {
  const { api, exchange } = await scene(t);
  const first = await order(api);
  pay({ api, exchange }, IDS);
  t.is((await verify(api, first.id, IDS.transactionId)).statusCode, 200);
  for (const id of [IDS.orderId, IDS.transactionId]) {
    const found = await api.call(HOSTED_VERIFY, { body: { transaction_id: id } });
    t.like(found.json(), { data: { status: 'COMPLETED', transaction_id: IDS.transactionId } }, id);
  }
  const link = await api.shop.link(50_000);
  api.clock.advance(90 * 60_000);
  exchange.faults.push({ status: 500, body: '' }, { status: 500, body: '' });
  await claimCheckout(api.core, { sessionId: link, channel: 'exchange_pay', text: IDS.orderId });
  await api.core.store.write((db) =>
    putReview.first(db, {
      id: 'rev_1',
      session: link,
      channel: 'exchange_pay',
      reference: IDS.orderId,
      proof: null,
      reason: 'late_claim',
      now: api.clock.now(),
    }),
  );
  const approved = approveReview(api.core, { id: 'rev_1', note: 'seen in the app', who: 'test' });
  await t.throwsAsync(approved, { code: 'already_credited' });
});
