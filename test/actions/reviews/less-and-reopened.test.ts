/** A person takes less than what is due, and undoes a rejection; on both engines. */
import test, { type ExecutionContext } from 'ava';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import {
  approvePayment,
  approveReview,
  rejectReview,
  reopenReview,
} from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { findPayment } from '../../../src/actions/sessions/find-payment.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { OPERATOR } from '../../helpers/shop/hosted.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { auditOf } from '../../helpers/stores/rows.js';

const note = 'agreed by phone';
const who = OPERATOR;

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const made = await scene(t, engine);
  const { core, shop } = made;
  /** An order, and what has come for it under its claim. */
  const ordered = async (paisa: number, taka: string) => {
    const payment = await shop.order(paisa);
    const { text, trxId } = made.money(taka);
    await shop.receive(text);
    await answer(core, shop, payment, trxId);
    return { payment, reference: trxId };
  };
  const openReview = async () => (await listReviews(core, { state: 'OPEN', limit: 5 }))[0]?.id ?? '';
  return { ...made, ordered, openReview };
}

for (const engine of enginesOfTier) {
  test(`${engine}: an underpaid payment completes only by explicit approval, with the amount received`, async (t) => {
    const { core, ordered } = await stage(t, engine);
    const { payment, reference } = await ordered(40_000, '390.00');
    const given = { payment, method: 'mfs_a', reference, note, who } as const;
    const error = await t.throwsAsync(approvePayment(core, given), { code: 'state_refused' });
    t.regex(error?.message ?? '', /is 10\.00 BDT less than the amount due/);
    t.regex(String((error as { hint?: string }).hint), /--accept-less/);
    t.is((await rows(core, 'reviews')).length, 0, 'a refusal leaves nothing behind');
    const approved = await approvePayment(core, { ...given, acceptLess: true });
    t.like(approved, { state: 'APPROVED', payment_status: 'COMPLETED', unseen: false, note });
    t.like(await showPayment(core, payment), { amount: '400.00', paid: '390.00', status: 'COMPLETED' });
    const moves = await auditOf(core, payment);
    t.true(
      moves.some(({ after }) => after?.includes('"accepted":"390.00"') && after.includes('"due":"400.00"')),
    );
    const [again] = await Promise.allSettled([approvePayment(core, { ...given, acceptLess: true })]);
    t.is(again?.status, 'rejected', 'the money is spent');
  });

  test(`${engine}: the shop gets the paid amount when another sum was accepted, and no extra field otherwise`, async (t) => {
    const { core, shop, ordered, openReview } = await stage(t, engine);
    const { brand } = shop;
    const url = { webhook_url: 'https://shop.example/hook' };
    await core.store.write((db) => db.query.updateTable('brands').set(url).execute());
    const told = async () =>
      JSON.parse((await rows(core, 'notifications')).at(-1)?.content ?? '{}') as object;
    const less = await ordered(60_000, '300.00');
    await approvePayment(core, {
      ...{ payment: less.payment, method: 'mfs_a', reference: less.reference, note, who, acceptLess: true },
    });
    t.like(await told(), { amount: 600, paid_amount: 300, status: 'COMPLETED' });
    t.like(await findPayment(core, { brand, reference: less.reference }), { paidPaisa: 30_000 });
    const asked = { brand, sessionId: less.payment, method: 'mfs_a', reference: less.reference } as const;
    t.like((await verifyClaim(core, asked)).record, { amountPaisa: 60_000, paidPaisa: 30_000 });
    await ordered(40_000, '410.00');
    await approveReview(core, { id: await openReview(), note, who });
    t.like(await told(), { amount: 400, paid_amount: 410 });
    const exact = await ordered(50_000, '500.00');
    t.false('paid_amount' in (await told()));
    t.like(await findPayment(core, { brand, reference: exact.reference }), { paidPaisa: 50_000 });
  });

  test(`${engine}: accepting less changes nothing where enough has come`, async (t) => {
    const { core, ordered, openReview } = await stage(t, engine);
    const { payment } = await ordered(40_000, '410.00');
    const approved = await approveReview(core, { id: await openReview(), note, who, acceptLess: true });
    t.like(approved, { state: 'APPROVED', payment_status: 'COMPLETED' });
    t.is((await showPayment(core, payment)).paid, '410.00');
    t.false((await auditOf(core, payment)).some(({ after }) => after?.includes('accepted')));
  });

  test(`${engine}: a rejection is undone, and the payment that failed with it is completed by an approval`, async (t) => {
    const { core, ordered, openReview } = await stage(t, engine);
    const { payment } = await ordered(40_000, '410.00');
    const id = await openReview();
    await t.throwsAsync(reopenReview(core, { id, note, who }), { code: 'state_refused' }, 'it is open');
    t.is((await rejectReview(core, { id, note: 'not there', who })).payment_status, 'FAILED');
    const refused = await t.throwsAsync(approveReview(core, { id, note, who }), { code: 'state_refused' });
    t.regex(String((refused as { hint?: string }).hint), new RegExp(`verifications reopen ${id} `));
    const reopened = await reopenReview(core, { id, note: 'it is in the statement', who });
    t.like(reopened, {
      state: 'OPEN',
      decided_at: null,
      decided_by: null,
      note: null,
      payment_status: 'FAILED',
    });
    t.is((await showPayment(core, payment)).claims[0]?.state, 'REVIEW');
    const trail = (await auditOf(core, id)).find(({ action }) => action === 'review.reopen');
    t.deepEqual(JSON.parse(trail?.before ?? ''), { state: 'REJECTED', by: who, note: 'not there' });
    t.deepEqual(JSON.parse(trail?.after ?? ''), { state: 'OPEN', note: 'it is in the statement' });
    t.is((await approveReview(core, { id, note, who })).payment_status, 'COMPLETED');
    await t.throwsAsync(reopenReview(core, { id, note, who }), { code: 'state_refused' }, 'it is completed');
    await t.throwsAsync(reopenReview(core, { id: 'rev_none', note, who }), { code: 'not_found' });
  });

  test(`${engine}: a rejection is not undone once other money has completed the payment`, async (t) => {
    const { core, shop, ordered, openReview, money } = await stage(t, engine);
    const { payment } = await ordered(40_000, '410.00');
    const id = await openReview();
    await rejectReview(core, { id, note, who });
    const { text, trxId: reference } = money('400.00');
    await shop.receive(text);
    await approvePayment(core, { payment, method: 'mfs_a', reference, note, who });
    const error = await t.throwsAsync(reopenReview(core, { id, note, who }), { code: 'state_refused' });
    t.regex(error?.message ?? '', /is completed, so nothing is left to decide/);
    t.is((await rows(core, 'transactions')).length, 1);
  });
}
