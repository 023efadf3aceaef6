/** Money that no rule can give to a payment, given to it by an operator who has found it; on both engines. */
import test, { type ExecutionContext } from 'ava';
import { listPushes } from '../../../src/actions/pushes/list-pushes.js';
import {
  type ApprovePayment,
  approvePayment,
  rejectReview,
} from '../../../src/actions/reviews/decide-review.js';
import { listPayments } from '../../../src/actions/sessions/list-payments.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank } from '../../helpers/shop/bank.js';
import { codeOf, OPERATOR } from '../../helpers/shop/hosted.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const HOUR = 3_600_000;

async function openStage(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await scene(t, engine);
  const { core } = stage;
  const bank = await openBank(core, stage.shop);
  const approve = (payment: string, reference: string, change: Partial<ApprovePayment> = {}) =>
    approvePayment(core, {
      payment,
      method: 'qr_interbank',
      reference,
      note: 'the customer showed the slip',
      who: OPERATOR,
      ...change,
    });
  const stateOf = async (id: string) => {
    const all = await listPayments(core, { limit: 100 });
    const row = all.find((payment) => payment.id === id);
    return `${row?.status} ${row?.transaction_id}`;
  };
  return { ...stage, bank, approve, stateOf };
}

for (const engine of engines) {
  test(`${engine}: a push without a payer is given to a headless order, once, and says so`, async (t) => {
    const { core, bank, approve, stateOf } = await openStage(t, engine);
    const [order, other] = [await bank.order(), await bank.order()];
    await bank.push({ reference: 'RRN77', payer: undefined });
    t.is(await bank.verify(order.id, '01712345678'), 'transaction_not_found');
    const approved = await approve(order.gatewayReference.toLowerCase(), ' rrn77 '.toUpperCase());
    t.like(approved, {
      state: 'APPROVED',
      reason: 'seen_by_operator',
      payment: order.id,
      payment_status: 'COMPLETED',
      seen_amount: '500.00',
      unseen: false,
      decided_by: OPERATOR,
      note: 'the customer showed the slip',
    });
    t.is(await stateOf(order.id), 'COMPLETED RRN77');
    t.is((await listPushes(core, { limit: 5 }))[0]?.payment, order.id);
    t.deepEqual(await listPushes(core, { unmatched: true, limit: 5 }), []);
    t.is(await codeOf(approve(other.id, 'RRN77')), 'already_credited');
    t.is(await codeOf(approve(order.id, 'RRN78')), 'state_refused');
    t.is((await rows(core, 'reviews')).length, 1, 'what was refused has left nothing');
    t.is((await rows(core, 'transactions')).length, 1);
    const [approval] = (await auditOf(core, order.id)).filter(({ action }) => action === 'payment.approve');
    t.like(JSON.parse(approval?.after ?? ''), { status: 'COMPLETED', note: 'the customer showed the slip' });
  });

  test(`${engine}: an operator can complete an expired headless order with an SMS that came late`, async (t) => {
    const { core, shop, money, clock, bank, approve, stateOf } = await openStage(t, engine);
    const order = await bank.order();
    clock.advance(2 * HOUR);
    const { text, trxId } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, order.id, trxId), 'session_not_found');
    await approve(order.id, ` ${trxId.toLowerCase()} `, { method: 'mfs_a' });
    t.is(await stateOf(order.id), `COMPLETED ${trxId}`);
    const [proof, ...others] = await rows(core, 'proofs');
    t.like(proof, { kind: 'received', reference: trxId });
    t.deepEqual(others, []);
    t.is(await answer(core, shop, order.id, trxId), 'completed', 'and the shop is told the same from now on');
  });

  test(`${engine}: unseen money is credited on the operator's word and pays nothing again`, async (t) => {
    const { core, shop, money, bank, approve, stateOf } = await openStage(t, engine);
    const [order, other] = [await bank.order(), await bank.order()];
    const { text, trxId } = money('500.00');
    await approve(order.id, trxId, { method: 'mfs_a' });
    t.is(await stateOf(order.id), `COMPLETED ${trxId}`);
    await shop.receive(text);
    t.is(await answer(core, shop, other.id, trxId), 'already_credited');
    await approve(other.id, 'FT 26-71', { method: 'bank' });
    t.is(await stateOf(other.id), 'COMPLETED FT 26-71');
  });

  test(`${engine}: less than is due completes nothing, and nothing is left of the attempt`, async (t) => {
    const { core, shop, money, bank, approve, stateOf } = await openStage(t, engine);
    const order = await bank.order();
    await bank.push({ reference: 'RRN5', payer: undefined, amount: '499.99' });
    t.is(await codeOf(approve(order.id, 'RRN5')), 'state_refused');
    const { text, trxId } = money('499.00');
    await shop.receive(text);
    t.is(await codeOf(approve(order.id, trxId, { method: 'mfs_a' })), 'state_refused');
    t.true((await stateOf(order.id)).startsWith('PENDING'));
    t.deepEqual(await rows(core, 'reviews'), []);
    t.is((await rows(core, 'claims')).length, 0);
  });

  test(`${engine}: approving a payment decides the claim that is already under review`, async (t) => {
    const { core, shop, money, bank, approve } = await openStage(t, engine);
    const [order, rejected] = [await bank.order(), await bank.order()];
    const over = [money('520.00'), money('530.00')] as const;
    for (const { text } of over) await shop.receive(text);
    t.is(await answer(core, shop, order.id, over[0].trxId), 'under_review');
    t.is(await answer(core, shop, rejected.id, over[1].trxId), 'under_review');
    const asked = await rows(core, 'reviews');
    const approved = await approve(order.id, over[0].trxId, { method: 'mfs_a' });
    t.like(approved, { reason: 'overpaid', state: 'APPROVED', payment_status: 'COMPLETED' });
    const other = asked.find((review) => review.session_id === rejected.id)?.id ?? '';
    await rejectReview(core, { id: other, note: 'given back', who: OPERATOR });
    t.is(await codeOf(approve(rejected.id, over[1].trxId, { method: 'mfs_a' })), 'state_refused');
    t.is((await rows(core, 'reviews')).length, 2);
  });

  test(`${engine}: a push that comes after the operator's word for it pays no second order`, async (t) => {
    const { core, bank, approve, stateOf } = await openStage(t, engine);
    const [order, other] = [await bank.order(), await bank.order()];
    await approve(order.id, 'rrn9');
    t.is(await stateOf(order.id), 'COMPLETED RRN9');
    await bank.push({ reference: 'rrn9', payer: undefined });
    t.is(await codeOf(approve(other.id, 'RRN9')), 'already_credited');
    t.is((await rows(core, 'transactions')).length, 1);
    await bank.push({ reference: 'RRN9', payer: undefined, amount: '700.00' });
    t.is(await codeOf(approve(other.id, 'RRN9')), 'already_credited', 'the word says no amount');
  });

  test(`${engine}: a payment that a bank reports again under another connection pays no second order`, async (t) => {
    const { core, shop, bank, approve } = await openStage(t, engine);
    // Sorts before the first, so that it is the first one found.
    const again = await openBank(core, shop, { name: 'again' });
    const [one, two, three] = [await bank.order(), await bank.order(), await bank.order()];
    await bank.push({ reference: 'RRN3', payer: undefined });
    await approve(one.id, 'RRN3');
    await again.push({ reference: 'RRN3', payer: undefined });
    t.is(await codeOf(approve(two.id, 'RRN3')), 'already_credited');
    await bank.push({ reference: 'RRN4', payer: '01711111111' });
    await approve(two.id, 'RRN4');
    await again.push({ reference: 'RRN4', payer: '01722222222' });
    t.is(await codeOf(approve(three.id, 'RRN4')), 'done', 'two payers are two payments');
    t.is((await rows(core, 'transactions')).length, 3);
  });

  test(`${engine}: of many who give one push to many orders at once, one does`, async (t) => {
    const { core, bank, approve } = await openStage(t, engine);
    const orders = await Promise.all(Array.from({ length: 8 }, () => bank.order()));
    const codes = await Promise.all([
      ...orders.map(({ id }) => codeOf(approve(id, 'RRN9'))),
      bank.push({ reference: 'RRN9', payer: undefined }).then(() => 'pushed'),
    ]);
    t.is(codes.filter((code) => code === 'done').length, 1, codes.join());
    t.is(codes.filter((code) => code === 'already_credited').length, 7, codes.join());
    t.is((await rows(core, 'transactions')).length, 1);
    t.is((await rows(core, 'reviews')).length, 1);
  });
}

test('rejects an unknown payment, an empty note and an invalid reference with a message', async (t) => {
  const { bank, approve } = await openStage(t, 'sqlite');
  const { id } = await bank.order();
  t.is(await codeOf(approve('K7Q2M9XW4TZB', 'RRN1')), 'not_found');
  t.is(await codeOf(approve(id, 'RRN1', { note: ' ' })), 'invalid_input');
  t.is(await codeOf(approve(id, '', {})), 'invalid_input');
  t.is(await codeOf(approve(id, 'no hash', { method: 'bep20' })), 'invalid_input');
  t.is(await codeOf(approve(id, '৳৳৳', { method: 'mfs_a' })), 'invalid_input');
  t.is(await codeOf(approve(id, 'RR\u0007', {})), 'invalid_input');
  const error = await t.throwsAsync(approve(id, '0x12', { method: 'bep20' }));
  t.regex(String((error as { hint?: string } | undefined)?.hint), /hash of the transaction/);
});
