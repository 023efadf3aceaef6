/** Pushes that may be money that was counted before, or was taken back; and codes that were changed since. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { revokeAcquirer, updateAcquirer } from '../../../src/actions/acquirers/acquirers.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import type { Core } from '../../../src/actions/core/core.js';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import { reparsePushes } from '../../../src/actions/pushes/reparse-pushes.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { MERCHANT_ID, merchantAccount, payloadOf, printedObjects } from '../../helpers/shop/qr.js';
import { rows } from '../../helpers/shop/scene.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';
import { scene, statusOf } from './ground.js';

const HOUR = 3_600_000;

const reviewsIn = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('reviews').selectAll().orderBy('id').execute());
const paidIn = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('transactions').select('reference').execute());

const approve = async (core: Core, session: string) => {
  const review = await core.store.read((db) =>
    db.query.selectFrom('reviews').where('session_id', '=', session).selectAll().executeTakeFirstOrThrow(),
  );
  await approveReview(core, { id: review.id, note: 'seen in the statement', who: 'test' });
  return review.reason;
};

for (const engine of engines) {
  test(`${engine}: an operator's word and the push of it that come at once never both pay by themselves`, async (t) => {
    const { core, bank } = await scene(t, engine);
    for (let round = 0; round < 5; round += 1) {
      const paisa = 60_000 + round;
      const amount = (paisa / 100).toFixed(2);
      const [asking, waiting] = [await bank.order(paisa), await bank.order(paisa)];
      await bank.push({ amount, payer: '*4321' });
      await bank.push({ amount, payer: '*4321' });
      t.is(await bank.verify(asking.id, '01912344321'), 'under_review');
      t.is(await bank.verify(waiting.id, PAYER), 'transaction_not_found');
      const reviews = await reviewsIn(core);
      const review = reviews.find((row) => row.session_id === asking.id);
      const named = { id: review?.id ?? '', reference: `R${round}`, note: 'seen', who: 'test' };
      await Promise.all([
        approveReview(core, named).catch((error: unknown) => error),
        bank.push({ reference: `R${round}`, amount }),
      ]);
      const paid = (await paidIn(core)).filter(({ reference }) => reference === `R${round}`);
      t.is(paid.length, 1);
    }
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a push repeated by a reconnected bank is credited only after manual review`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const [first, second] = [await bank.order(), await bank.order()];
    await bank.push({ reference: 'RRN1' });
    t.is(await bank.verify(first.id, PAYER), 'RRN1');
    await revokeAcquirer(core, { acquirer: bank.acquirer.id, who: 'test' });
    const anew = await openBank(core, shop, { name: 'city-bank-2' });
    t.is((await anew.push({ reference: 'RRN1' })).state, 'stored');
    const [listed] = await listPushes(core, { unmatched: true, limit: 5 });
    t.regex(listed?.why ?? '', /it may be a duplicate or reversed: it needs manual review/);
    t.is(await bank.verify(second.id, PAYER), 'under_review');
    t.is((await rows(core, 'transactions')).length, 1);
    t.is(await approve(core, second.id), 'push_doubtful');
    t.is(await statusOf(core, second.id), 'COMPLETED approved');
  });

  test(`${engine}: money pushed by two connections of one bank before any claim pays one order`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const orders = [await bank.order(), await bank.order()];
    const other = await openBank(core, shop, { name: 'city-bank-2' });
    await bank.push({ reference: 'RRN1' });
    await other.push({ reference: 'RRN1', payer: '017****5678' });
    const said = [];
    for (const { id } of orders) said.push(await bank.verify(id, PAYER));
    t.deepEqual(said, ['RRN1', 'under_review']);
  });

  test(`${engine}: a waiting claim and an order code take no money already pushed by another connection`, async (t) => {
    const { clock, core, shop, bank } = await scene(t, engine);
    const paid = await bank.order();
    await bank.push({ reference: 'RRN1' });
    clock.advance(1_000);
    await bank.push({ reference: 'RRN2' });
    t.is(await bank.verify(paid.id, PAYER), 'RRN1');
    t.is(await bank.verify((await bank.order()).id, PAYER), 'RRN2');
    const [waiting, scanned] = [await bank.order(), await bank.order()];
    t.is(await bank.verify(waiting.id, PAYER), 'transaction_not_found');
    const other = await openBank(core, shop, { name: 'city-bank-2' });
    await other.push({ reference: 'RRN1' });
    t.is(await statusOf(core, waiting.id), 'PENDING review');
    await other.push({ reference: 'RRN2', bill: scanned.gatewayReference });
    t.is(await statusOf(core, scanned.id), 'PENDING review');
    t.is((await rows(core, 'transactions')).length, 2);
  });

  test(`${engine}: money that the bank reversed before it was claimed goes to review`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    await bank.push({ reference: 'R1' });
    t.is((await bank.push({ reference: 'R1', status: 'REVERSED' })).state, 'contradiction');
    t.is(await bank.verify(id, PAYER), 'under_review');
    t.is((await rows(core, 'transactions')).length, 0);
    t.is(await approve(core, id), 'push_doubtful');
    t.is(await statusOf(core, id), 'COMPLETED approved');
  });

  test(`${engine}: a reversal that only a corrected map reads puts money in doubt, too`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    const map = { reference: 'tran', amount: 'total', payer: 'from', status: 'state', success: ['OK'] };
    const bank = await openBank(core, shop, { name: 'other-bank', map });
    const { id } = await bank.order();
    const told = { tran: 'T1', total: '500', from: PAYER, state: 'OK' };
    await bank.take(JSON.stringify(told));
    clock.advance(1_000);
    t.is(
      (await bank.take(JSON.stringify({ ...told, tran: undefined, id: 'T1', state: 'GONE' }))).state,
      'kept',
    );
    const mended = { ...map, reference: 'id' };
    await updateAcquirer(core, { acquirer: bank.acquirer.id, map: mended, who: 'test' });
    t.like(await reparsePushes(core, { who: 'test' }), { contradicted: 1 });
    t.is(await bank.verify(id, PAYER), 'under_review');
  });

  test(`${engine}: money confirmed by an operator is spent, and a later push of it pays nothing`, async (t) => {
    const { clock, core, shop, bank } = await scene(t, engine);
    const links = [await shop.link(50_000), await shop.link(50_000)];
    clock.advance(2 * HOUR);
    for (const sessionId of links) {
      await claimCheckout(core, { sessionId, channel: 'qr_interbank', text: PAYER });
    }
    const reviews = await reviewsIn(core);
    t.deepEqual(
      reviews.map(({ reason }) => reason),
      ['late_claim', 'late_claim'],
    );
    const [first = '', second = ''] = reviews.map(({ id }) => id);
    const by = { note: 'seen in the statement', who: 'test' };
    for (const reference of [undefined, '', 'ক', 'x'.repeat(65)]) {
      await t.throwsAsync(approveReview(core, { id: first, ...by, reference }), { code: 'invalid_input' });
    }
    await approveReview(core, { id: first, ...by, reference: ' rrn-7a ' });
    const [proof] = await rows(core, 'proofs');
    t.like(proof, { kind: 'seen_by_operator', scope: '', reference: 'RRN-7A', amount_paisa: 50_000 });
    const again = approveReview(core, { id: second, ...by, reference: 'RRN-7A' });
    await t.throwsAsync(again, { code: 'already_credited' });
    const next = await bank.order();
    await bank.push({ reference: 'Rrn-7a' });
    t.is(await bank.verify(next.id, PAYER), 'under_review');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: a push is found by its reference however an operator types it`, async (t) => {
    const { core, bank } = await scene(t, engine);
    const { id } = await bank.order();
    await bank.push({ reference: 'Abc1', payer: '*5678' });
    await bank.push({ reference: 'Abc2', payer: '*5678' });
    t.is(await bank.verify(id, PAYER), 'under_review');
    const [review] = await reviewsIn(core);
    await approveReview(core, { id: review?.id ?? '', note: 'seen', reference: 'ABC2', who: 'test' });
    t.deepEqual(
      (await paidIn(core)).map(({ reference }) => reference),
      ['Abc2'],
    );
  });

  test(`${engine}: an order is paid by its own code although the shop has another code by then`, async (t) => {
    const { core, shop, bank } = await scene(t, engine);
    const [scanned, less, more] = [await bank.order(), await bank.order(), await bank.order()];
    const other = printedObjects.map((object) =>
      object.id === '26' ? { id: '26', value: merchantAccount('1750000000000000099') } : object,
    );
    const code = { channel: 'qr_interbank', type: 'qr', details: { qr: payloadOf(other) } };
    await setAccount(core, { brand: shop.brand.name, ...code, who: 'test' });
    await bank.push({ bill: scanned.gatewayReference, merchant: MERCHANT_ID });
    t.is(await statusOf(core, scanned.id), 'COMPLETED credited');
    await bank.push({ bill: less.gatewayReference, merchant: MERCHANT_ID, amount: '499.99' });
    t.is(await statusOf(core, less.id), 'PENDING initiated');
    await bank.push({ bill: more.gatewayReference, merchant: MERCHANT_ID, amount: '500.01' });
    t.is(await statusOf(core, more.id), 'PENDING review');
    t.is((await rows(core, 'transactions')).length, 1);
    t.is(await bank.verify(less.id, PAYER), 'transaction_not_found');
  });
}
