/** What a person's decision does to a claim, its payment and its shop's money, on both engines. */
import test from 'ava';
import { listReviews, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import {
  addBank,
  codeOf,
  hostedOrder,
  hostedScene,
  OPERATOR,
  onlyReview,
} from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const HOUR = 3_600_000;

for (const engine of enginesOfTier) {
  test(`${engine}: a bank transfer waits for manual review and does not expire in that time`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock } = stage;
    const id = await stage.order(50_000);
    t.is(await stage.bank(id, ' ft 26-0821/71 '), 'under_review');
    clock.advance(48 * HOUR);
    t.is(await expireSessions(core), 0);
    t.like(await showPayment(core, id), { status: 'PENDING', reason: 'review', channel: null });
    t.is((await loadCheckout(core, id))?.state, 'review');
    const [review] = await stage.open();
    t.like(review, {
      reason: 'bank_transfer',
      payment: id,
      due: '500.00',
      channel: 'bank',
      reference: 'FT 26-0821/71',
      seen_at: null,
      seen_amount: null,
      slip_type: null,
      payment_status: 'PENDING',
    });
  });

  test(`${engine}: an approved bank transfer is credited once, with who and why written down`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core } = stage;
    const id = await stage.order(50_000);
    await stage.bank(id, 'FT1');
    const review = await onlyReview(stage);
    const decided = await stage.approve(review);
    t.like(decided, {
      state: 'APPROVED',
      payment_status: 'COMPLETED',
      decided_by: OPERATOR,
      note: 'seen in the app',
    });
    t.like(decided.claim, { state: 'CREDITED', reason: 'approved' });
    const [transaction, ...others] = await rows(core, 'transactions');
    t.like(transaction, { channel: 'bank', reference: 'FT1', amount_paisa: 50_000, credited_by: OPERATOR });
    t.deepEqual(others, []);
    const [proof] = await rows(core, 'proofs');
    t.like(proof, { channel: 'bank', reference: 'FT1', amount_paisa: 50_000, kind: 'bank_transfer' });
    const approval = (await auditOf(core, id)).find((row) => row.action === 'payment.approve');
    t.is(approval?.who, OPERATOR);
    t.like(JSON.parse(approval?.after ?? ''), { status: 'COMPLETED', note: 'seen in the app', review });
    t.is(await codeOf(stage.approve(review)), 'state_refused');
    t.is(await codeOf(stage.reject(review)), 'state_refused');
    t.is((await rows(core, 'transactions')).length, 1);
    t.like(await showPayment(core, id), { status: 'COMPLETED', paid: '500.00', fee: '0.00' });
  });

  test(`${engine}: one bank reference pays one payment, unless the operator names the other one`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core } = stage;
    const [first, second] = [await stage.order(50_000), await stage.order(50_000)];
    await stage.bank(first, 'FT1');
    await stage.approve(await onlyReview(stage));
    await stage.bank(second, 'ft1');
    const review = await onlyReview(stage);
    t.is(await codeOf(stage.approve(review)), 'already_credited');
    t.like(await showReview(core, review), { state: 'OPEN', payment_status: 'PENDING' });
    t.is(await codeOf(stage.approve(review, { reference: 'no | sign' })), 'invalid_input');
    t.is((await stage.approve(review, { reference: 'ft1 second' })).payment_status, 'COMPLETED');
    t.is((await showPayment(core, second)).transaction_id, 'FT1 SECOND');
  });

  test(`${engine}: two merchants with one bank reference are both paid once it is made unique`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core } = stage;
    await openShop(core, 'Bela Store', '01811000002');
    await addBank(core, 'Bela Store');
    const [mine, theirs] = [await stage.order(50_000), await hostedOrder(core, 'Bela Store', 70_000)];
    await stage.bank(mine, 'FT1');
    await stage.approve(await onlyReview(stage));
    t.is(await stage.bank(theirs, 'FT1'), 'under_review', 'a customer learns nothing of the other');
    const review = await onlyReview(stage);
    t.is(await codeOf(stage.approve(review)), 'already_credited');
    t.is((await stage.approve(review, { reference: 'FT1-BELA' })).payment_status, 'COMPLETED');
    t.deepEqual((await rows(core, 'transactions')).length, 2);
    t.is((await listReviews(core, { state: null, brand: 'Bela Store', limit: 5 })).length, 1);
  });

  test(`${engine}: a rejected claim fails its payment, but not while another claim is open`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core } = stage;
    const id = await stage.order(50_000);
    await stage.bank(id, 'FT1');
    await stage.bank(id, 'FT2');
    const [one, two] = await stage.open();
    const first = await stage.reject(one?.id ?? '');
    t.like(first, { state: 'REJECTED', payment_status: 'PENDING', payment_reason: 'review' });
    t.like(first.claim, { state: 'REFUSED', reason: 'rejected' });
    const [decision, ...more] = await auditOf(core, first.id);
    t.like(decision, { who: OPERATOR, action: 'review.reject', before: '{"state":"OPEN"}' });
    t.deepEqual(JSON.parse(decision?.after ?? ''), { state: 'REJECTED', note: 'no such money' });
    t.deepEqual(more, []);
    const second = await stage.reject(two?.id ?? '');
    t.like(second, { state: 'REJECTED', payment_status: 'FAILED', payment_reason: 'rejected' });
    const rejection = (await auditOf(core, id)).filter((row) => row.action === 'payment.reject');
    t.deepEqual(
      rejection.map((row) => row.who),
      [OPERATOR],
    );
    t.is((await loadCheckout(core, id))?.state, 'rejected');
    t.is(await codeOf(stage.approve(two?.id ?? '')), 'state_refused');
    t.deepEqual(await rows(core, 'transactions'), []);
  });

  test(`${engine}: money rejected by mistake can be claimed again for another payment`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { shop, money } = stage;
    const { text } = money('501.00');
    await shop.receive(text);
    await stage.bank(await stage.order(50_000), 'FT1');
    await stage.claim(await stage.order(50_000), text);
    for (const { id } of await stage.open()) await stage.reject(id);
    t.is(await stage.bank(await stage.order(50_000), 'FT1'), 'under_review');
    t.is(await stage.claim(await stage.order(50_000), text), 'under_review');
    for (const { id } of await stage.open()) {
      t.is((await stage.approve(id)).payment_status, 'COMPLETED');
    }
    t.is((await rows(stage.core, 'transactions')).length, 2);
  });

  test(`${engine}: an overpaid claim records the full amount received, and the shop is notified of it`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, shop, money } = stage;
    const id = await stage.order(50_000);
    const { trxId, text } = money('520.00');
    await shop.receive(text);
    t.is(await stage.claim(id, text), 'under_review');
    const review = await showReview(core, await onlyReview(stage));
    t.like(review, { reason: 'overpaid', seen_amount: '520.00', seen_from: '01900000001', reference: trxId });
    t.like(review.sms, { sender: 'bKash', body: text });
    await stage.approve(review.id);
    const [transaction] = await rows(core, 'transactions');
    t.like(transaction, { amount_paisa: 52_000, fee_paisa: 0, reference: trxId });
    t.is((await loadCheckout(core, id))?.facts.paidPaisa, 52_000);
    t.is((await rows(core, 'proofs')).length, 1, 'no second proof is made of it');
  });

  test(`${engine}: late money completes its failed payment when an operator approves it`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, shop, clock, money } = stage;
    const id = await stage.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await stage.claim(id, trxId), 'waiting');
    clock.advance(HOUR);
    await expireSessions(core);
    await shop.receive(text);
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'expired' });
    const review = await onlyReview(stage);
    t.is((await showReview(core, review)).reason, 'late');
    t.like(await stage.approve(review), { payment_status: 'COMPLETED', payment_reason: 'approved' });
    t.deepEqual(
      (await listPayments(core, { status: 'COMPLETED', limit: 5 })).map((row) => row.transaction_id),
      [trxId],
    );
  });

  test(`${engine}: a late claim that is rejected leaves its payment as it was`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock } = stage;
    const id = await stage.order(50_000);
    clock.advance(HOUR);
    t.is(await stage.bank(id, 'FT1'), 'under_review');
    t.like(await stage.reject(await onlyReview(stage)), {
      payment_status: 'FAILED',
      payment_reason: 'expired',
    });
    t.is((await loadCheckout(core, id))?.state, 'expired');
  });

  test(`${engine}: a payment that was paid otherwise refuses an approval, and a rejection leaves it alone`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, shop, money } = stage;
    const id = await stage.order(50_000);
    await stage.bank(id, 'FT1');
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await stage.claim(id, trxId), 'completed');
    const review = await onlyReview(stage);
    const refused = await t.throwsAsync(stage.approve(review), { code: 'state_refused' });
    t.regex(refused?.message ?? '', /already completed by another transaction/);
    t.like(await stage.reject(review), { state: 'REJECTED', payment_status: 'COMPLETED' });
    t.like(await showPayment(core, id), { status: 'COMPLETED', reason: 'credited', transaction_id: trxId });
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: a decision needs a note, an open verification, and a reference only at a bank`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { shop, money } = stage;
    const id = await stage.order(50_000);
    const { text } = money('501.00');
    await shop.receive(text);
    await stage.claim(id, text);
    const review = await onlyReview(stage);
    t.is(await codeOf(stage.approve(review, { note: '  ' })), 'invalid_input');
    t.is(await codeOf(stage.approve(review, { note: 'x'.repeat(501) })), 'invalid_input');
    t.is(await codeOf(stage.approve(review, { reference: 'FT9' })), 'invalid_input');
    t.is(await codeOf(stage.approve('rev_none')), 'not_found');
    t.is(await codeOf(stage.reject('rev_none')), 'not_found');
    t.is(await codeOf(stage.approve(review, { note: `\u0000${'x'.repeat(499)}` })), 'done');
  });
}
