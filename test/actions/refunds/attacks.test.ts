/** Attempts to get more money out of a shop than was paid, or to another number, on both engines. */
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { cancelRefund, closeRefund, updateRefund } from '../../../src/actions/refunds/change-refund.js';
import { createRefund, requestRefund } from '../../../src/actions/refunds/create-refund.js';
import { listRefunds } from '../../../src/actions/refunds/list-refunds.js';
import { approvePayment, approveReview } from '../../../src/actions/reviews/decide-review.js';
import { reopenSms } from '../../../src/actions/sms/close-sms.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const who = 'test';
const note = 'Out of stock';

/** The outcome as one word: what was done, or the code that was thrown. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (isKashboxError(error)) return error.code;
      throw error;
    },
  );

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const base = await scene(t, engine);
  const { core, shop, receive } = base;
  await updateBrand(core, { brand: shop.brand.name, apiRefunds: '800', who });
  const brand = await brandContext(core, shop.brand.name);
  /** Pays an order of 500 taka. */
  const paid = async () => {
    const session = await shop.order(50_000);
    const trxId = await receive('500.00');
    t.is(await answer(core, shop, session, trxId), 'completed');
    return { session, trxId };
  };
  const create = (of: string, amountPaisa?: number) => createRefund(core, { of, amountPaisa, note, who });
  const request = (sessionId: string, idempotencyKey: string, amountPaisa?: number) =>
    requestRefund(core, { brand, sessionId, amountPaisa, note, idempotencyKey });
  /** Paisa that go back beyond what was paid: of any payment, money or number. */
  const lost = async () => {
    const all = await rows(core, 'refunds');
    const proofs = await rows(core, 'proofs');
    const sums = (fits: (one: (typeof all)[number]) => boolean) => {
      const own = all.filter((one) => one.state !== 'CANCELLED' && fits(one));
      return own.reduce((sum, one) => sum + one.amount_paisa, 0);
    };
    const isPayers = ({ payee, proof_id }: (typeof all)[number]) =>
      payee === null || payee === proofs.find(({ id }) => id === proof_id)?.payer;
    const over = [
      ...proofs.map(({ id, amount_paisa }) => sums((one) => one.proof_id === id) - (amount_paisa ?? 0)),
      ...(await rows(core, 'sessions')).flatMap(({ id, paid_paisa, refunded_paisa }) => [
        sums((one) => one.session_id === id) - paid_paisa,
        Math.abs(sums((one) => one.session_id === id && one.state === 'COMPLETED') - refunded_paisa),
      ]),
      sums((one) => !isPayers(one)),
    ];
    return over.reduce((sum, paisa) => sum + Math.max(0, paisa), 0);
  };
  return { ...base, brand, paid, create, request, lost };
}

for (const engine of engines) {
  test(`${engine}: more than was paid goes back neither in one refund, nor in pieces, nor in parallel`, async (t) => {
    const { core, paid, create, lost } = await stage(t, engine);
    const { session, trxId } = await paid();
    t.is(await outcome(create(session, 50_001)), 'refund_exceeds_paid');
    const together = await Promise.all(Array.from({ length: 6 }, () => outcome(create(session, 20_000))));
    t.deepEqual(together.toSorted(), ['done', 'done', ...Array(4).fill('refund_exceeds_paid')]);
    t.is(await outcome(create(trxId, 10_001)), 'refund_exceeds_paid', 'by the id of the money, too');
    t.is(await outcome(create(session)), 'done');
    t.is(await outcome(create(session)), 'refund_exceeds_paid');
    t.is(await outcome(create(session, 0)), 'amount_out_of_range');
    t.deepEqual(
      (await listRefunds(core, { limit: 9 })).map(({ amount, pay_to }) => [amount, pay_to]),
      [['100.00', '01900000001'], ...Array(2).fill(['200.00', '01900000001'])],
    );
    t.is(await lost(), 0);
  });

  test(`${engine}: a number that somebody names gets nothing, where the proof shows the payer`, async (t) => {
    const { core, paid, lost } = await stage(t, engine);
    const { session } = await paid();
    const thief = '01799999999';
    t.is(await outcome(createRefund(core, { of: session, note, number: thief, who })), 'state_refused');
    const [refund] = await createRefund(core, { of: session, note, who });
    t.is(await outcome(updateRefund(core, { id: refund?.id ?? '', number: thief, who })), 'state_refused');
    t.is(await lost(), 0);
  });

  test(`${engine}: a masked payer is completed only by a number that agrees, and the audit log keeps it`, async (t) => {
    const { core, shop, clock } = await stage(t, engine);
    await shop.receive(
      `You have received Tk 500.00 from 0190XXX0001. Fee Tk 0.00. Balance Tk 98,731.19. TrxID DHL9AB2CD3 at 21/08/2026 12:35`,
    );
    clock.advance(60_000);
    const [refund] = await createRefund(core, { of: 'DHL9AB2CD3', note, who });
    const id = refund?.id ?? '';
    t.like(refund, { pay_to: null, pay_to_shown: '0190XXX0001', payment: null });
    t.is(await outcome(updateRefund(core, { id, number: '01799999999', who })), 'invalid_input');
    t.like(await updateRefund(core, { id, number: '+880 1900-000001', who }), { pay_to: '01900000001' });
    t.like(await updateRefund(core, { id, number: '01901230001', who }), { pay_to: '01901230001' });
    const after = (await rows(core, 'audit')).filter(({ action }) => action === 'refund.update');
    t.deepEqual(
      after.map((row) => JSON.parse(row.after ?? '').payee),
      ['01900000001', '01901230001'],
    );
  });

  test(`${engine}: a repeated request creates nothing, and another with its key is refused`, async (t) => {
    const { core, paid, request, lost } = await stage(t, engine);
    const { session } = await paid();
    const together = await Promise.all(Array.from({ length: 5 }, () => request(session, 'key-1', 20_000)));
    for (const one of together) t.deepEqual(one, together[0]);
    t.deepEqual(await request(session, 'key-1', 20_000), together[0]);
    t.is(await outcome(request(session, 'key-1', 20_001)), 'idempotency_conflict');
    t.is((await listRefunds(core, { limit: 9 })).length, 1);
    t.is(await lost(), 0);
  });

  test(`${engine}: requests in parallel stay below the limit of the day, which begins anew at midnight`, async (t) => {
    const { clock, paid, create, request, lost } = await stage(t, engine);
    const orders = [await paid(), await paid(), await paid()];
    const all = orders.flatMap(({ session }, at) =>
      [1, 2].map((n) => request(session, `${at}-${n}`, 25_000)),
    );
    const results = await Promise.all(all.map(outcome));
    t.deepEqual(results.toSorted(), [...Array(3).fill('day_limit_reached'), 'done', 'done', 'done']);
    t.is(await outcome(request(orders[2]?.session ?? '', 'over', 5_001)), 'day_limit_reached');
    clock.advance(12 * 3_600_000);
    const left = orders.map(({ session }) => outcome(create(session)));
    t.true((await Promise.all(left)).includes('done'), 'the operator has no such limit');
    t.is(await lost(), 0);
  });

  test(`${engine}: a refund of a cancelled one leaves its money free, of a completed one does not`, async (t) => {
    const { core, paid, create, lost } = await stage(t, engine);
    const { session } = await paid();
    const [first] = await create(session);
    const id = first?.id ?? '';
    await cancelRefund(core, { id, note, who });
    t.is(
      await outcome(closeRefund(core, { id, reference: 'DHX1AB2CD3', note, force: true, who })),
      'state_refused',
    );
    const [second] = await create(session);
    const close = (of: string, force = true) =>
      outcome(closeRefund(core, { id: of, reference: 'DHX1AB2CD3', note, force, who }));
    t.is(await close(second?.id ?? '', false), 'warning_unconfirmed', 'no SMS has reported it');
    const twice = await Promise.all([close(second?.id ?? ''), close(second?.id ?? '')]);
    t.deepEqual(twice.toSorted(), ['done', 'state_refused']);
    t.is(await outcome(cancelRefund(core, { id: second?.id ?? '', note, who })), 'state_refused');
    t.is(await outcome(create(session)), 'refund_exceeds_paid');
    const other = await paid();
    const [third] = await create(other.session);
    t.is(await close(third?.id ?? ''), 'state_refused', 'one transfer completes one refund');
    t.is(await lost(), 0);
  });

  test(`${engine}: money that goes back pays for nothing, and money that has paid goes back once`, async (t) => {
    const { core, shop, receive, create, lost } = await stage(t, engine);
    const trxId = await receive('500.00');
    const session = await shop.order(50_000);
    const raced = await Promise.all([answer(core, shop, session, trxId), outcome(create(trxId))]);
    // The credit may come before the refund, after it, or while the refund looks at the money.
    const next = new Map([
      ['completed,done', 'refund_exceeds_paid'],
      ['completed,state_refused', 'done'],
      ['under_review,done', 'state_refused'],
    ]);
    t.true(next.has(raced.join()), raced.join());
    t.is(await outcome(create(trxId)), next.get(raced.join()) ?? '');
    const reference = await receive('500.00');
    const [refund] = await create(reference);
    const payment = await shop.order(50_000);
    t.is(await answer(core, shop, payment, reference), 'under_review');
    const approve = () =>
      outcome(approvePayment(core, { payment, method: 'mfs_a', reference, note, force: true, who }));
    t.is(await approve(), 'state_refused');
    t.is(await outcome(reopenSms(core, { id: reference, note, who })), 'state_refused');
    await cancelRefund(core, { id: refund?.id ?? '', note, who });
    t.is(await approve(), 'done');
    t.is(await lost(), 0);
  });

  test(`${engine}: disputed money goes back only after an operator has confirmed it`, async (t) => {
    const { core, shop, paid, create, lost } = await stage(t, engine);
    const { session, trxId } = await paid();
    await shop.receive(
      `Tk 500.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 98,231.19. TrxID ${trxId} at 21/08/2026 12:50`,
    );
    t.is(await outcome(create(session)), 'state_refused');
    t.is(await outcome(create(trxId)), 'state_refused');
    const [review] = await rows(core, 'reviews');
    await approveReview(core, { id: review?.id ?? '', note, force: true, who });
    t.is(await outcome(create(session)), 'done');
    t.is(await lost(), 0);
  });

  test(`${engine}: money of which a part was sent back stays closed when it is disputed`, async (t) => {
    const { core, shop, money, create, lost } = await stage(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const [part] = await create(trxId, 20_000);
    const close = { id: part?.id ?? '', reference: 'DHX1AB2CD3', note, force: true, who };
    await closeRefund(core, close);
    await create(trxId);
    await shop.receive(`Tk 500.00 received from 01900000001 has been reversed. TrxID ${trxId}`);
    const states = (await listRefunds(core, { limit: 9 })).map(({ status }) => status);
    t.deepEqual(states, ['CANCELLED', 'COMPLETED']);
    const order = { payment: await shop.order(50_000), method: 'mfs_a', reference: trxId } as const;
    t.is(await outcome(approvePayment(core, { ...order, note, force: true, who })), 'state_refused');
    t.is(await lost(), 0);
  });

  test(`${engine}: another brand's payment, an open one and the id of a refund are refused`, async (t) => {
    const { core, shop, paid, create, lost, request } = await stage(t, engine);
    const other = await openShop(core, 'Bela Store', '01711000002');
    await updateBrand(core, { brand: 'Bela Store', apiRefunds: '5000', who });
    const { session } = await paid();
    const foreign = await brandContext(core, other.brand.name);
    const asked = { brand: foreign, sessionId: session, note, idempotencyKey: 'x' };
    t.is(await outcome(requestRefund(core, asked)), 'session_not_found');
    t.is(
      await outcome(requestRefund(core, { ...asked, brand: shop.brand })),
      'refunds_off',
      'as it was before',
    );
    t.is(await outcome(create(await shop.order(50_000))), 'state_refused');
    t.is(await outcome(request(await shop.order(50_000), 'open')), 'state_refused');
    const [refund] = await create(session);
    t.is(await outcome(create(refund?.id ?? '')), 'not_found');
    t.is(await lost(), 0);
  });
}
