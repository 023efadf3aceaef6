/** Does this reference pay this session? Every answer of spec 4.5, on both engines. */
import test from 'ava';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;

for (const engine of engines) {
  test(`${engine}: an account of a type that no wallet has receives no money`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    await core.store.write((db) => db.query.updateTable('accounts').set({ type: 'savings' }).execute());
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'proof_disagrees');
  });

  test(`${engine}: an SMS that agrees completes the session, with one transaction and an audit row`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const done = await verifyClaim(core, {
      brand: shop.brand,
      sessionId: id,
      method: 'mfs_a',
      reference: ` ${trxId.toLowerCase()} `,
    });
    t.deepEqual(done, {
      outcome: 'completed',
      record: {
        cusName: 'Customer',
        cusEmail: '',
        isTest: false,
        amountPaisa: 50_000,
        paidPaisa: 50_000,
        parts: [],
        refundedPaisa: 0,
        deliveryPaisa: 0,
        transactionId: trxId,
        metaJson: '{"order":7}',
        channel: 'mfs_a',
        status: 'COMPLETED',
        units: null,
        receiver: null,
      },
    });
    const [transaction, ...more] = await rows(core, 'transactions');
    t.is(transaction?.reference, trxId);
    t.is(more.length, 0);
    const actions = (await rows(core, 'audit')).map((row) => row.action);
    t.true(actions.includes('payment.credit'));
    const payment = await showPayment(core, id);
    t.like(payment, { status: 'COMPLETED', transaction_id: trxId, amount: '500.00', channel: 'mfs_a' });
  });

  test(`${engine}: the same session and reference again is the same answer`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await answer(core, shop, id, trxId));
    t.deepEqual(answers, ['completed', 'completed', 'completed']);
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: one SMS never pays two sessions`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const [first, second] = [await shop.order(50_000), await shop.order(50_000)];
    t.is(await answer(core, shop, first, trxId), 'completed');
    t.is(await answer(core, shop, second, trxId), 'already_credited');
  });

  test(`${engine}: a session paid by one reference refuses another`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [one, two] = [money('500.00'), money('500.00')];
    await shop.receive(one.text, two.text);
    const id = await shop.order(50_000);
    await answer(core, shop, id, one.trxId);
    t.is(await answer(core, shop, id, two.trxId), 'session_completed');
    t.is(await answer(core, shop, id, 'NEVERSEEN1'), 'session_completed');
    t.is(
      await answer(core, shop, await shop.order(50_000), two.trxId),
      'completed',
      'the second is still good',
    );
  });

  test(`${engine}: an amount one paisa too low is refused, one too high goes to review`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [less, more] = [money('499.99'), money('500.01')];
    await shop.receive(less.text, more.text);
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, less.trxId), 'proof_disagrees');
    t.is(await answer(core, shop, id, more.trxId), 'under_review');
    const again = { brand: shop.brand, sessionId: id, method: 'mfs_a', reference: more.trxId } as const;
    const { outcome, record } = await verifyClaim(core, again);
    t.is(outcome, 'under_review', 'asking again changes nothing');
    t.is(record.transactionId, (await showPayment(core, id)).gateway_reference, 'nothing is credited yet');
    const reviews = await rows(core, 'reviews');
    t.deepEqual(
      reviews.map((row) => row.reason),
      ['overpaid'],
    );
    t.like(await showPayment(core, id), { status: 'PENDING', reason: 'review' });
  });

  test(`${engine}: money of another shop is not there for this one`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const other = await openShop(core, 'Other Store', '01811000002');
    const { trxId, text } = money('500.00');
    await other.receive(text);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'transaction_not_found');
    t.is(await answer(core, other, await other.order(50_000), trxId), 'completed');
  });

  test(`${engine}: another brand's session is unknown`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const other = await openShop(core, 'Other Store', '01811000002');
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const id = await shop.order(50_000);
    t.is(await answer(core, other, id, trxId), 'session_not_found');
    t.is(await answer(core, shop, 'f'.repeat(32), trxId), 'session_not_found');
  });

  test(`${engine}: a phone that claims another merchant's number credits nothing of theirs`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const thief = await openShop(core, 'Thief Store', '01911000009');
    const forged = money('500.00');
    await core.store.write((db) =>
      db.query
        .updateTable('device_sims')
        .set({ number: '01711000001' })
        .where('number', '=', '01911000009')
        .execute(),
    );
    await thief.receive(forged.text);
    t.is(await answer(core, shop, await shop.order(50_000), forged.trxId), 'transaction_not_found');
  });

  test(`${engine}: an expired session cannot be verified, and a late SMS does not revive it`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await answer(core, shop, id, trxId);
    clock.advance(60 * MINUTE);
    t.is(await answer(core, shop, id, trxId), 'session_not_found');
    await shop.receive(text);
    t.is(await answer(core, shop, id, trxId), 'under_review', 'the money was sent in time');
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'expired' });
    const counts = async () => {
      const states = ['PENDING', 'FAILED', 'COMPLETED'] as const;
      const lists = await Promise.all(states.map((status) => listPayments(core, { status, limit: 5 })));
      return lists.map((list) => list.length);
    };
    t.deepEqual(await counts(), [0, 1, 0], 'before the job has come by');
    t.is(await expireSessions(core), 0, 'the late SMS has written it down');
    t.deepEqual(await counts(), [0, 1, 0], 'and after it');
    const reviews = await rows(core, 'reviews');
    t.deepEqual(
      reviews.map((row) => [row.reference, row.reason, row.state].join(' ')),
      [`${trxId} late OPEN`],
      'a person decides whether the order is still to be had',
    );
    t.deepEqual(
      (await listPayments(core, { limit: 5 })).map((row) => [row.status, row.reason]),
      [['FAILED', 'expired']],
    );
    const unmatched = await listSms(core, { unmatched: true, limit: 5 });
    t.deepEqual(
      unmatched.map((row) => row.trx_id),
      [trxId],
      'the money is not lost from sight',
    );
  });

  test(`${engine}: a payment from before the window is refused`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    clock.advance(25 * 60 * MINUTE);
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'proof_disagrees');
  });

  test(`${engine}: thirty misses lock a session, a right id included`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    for (let n = 0; n < 30; n += 1) {
      t.is(await answer(core, shop, id, `GUESS${n}0000`), 'transaction_not_found');
    }
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, id, trxId), 'too_many_attempts');
  });

  test(`${engine}: sixteen at once on one proof and eight sessions credit exactly one`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    const ids = await Promise.all(Array.from({ length: 8 }, () => shop.order(50_000)));
    const answers = await Promise.all([...ids, ...ids].map((id) => answer(core, shop, id, trxId)));
    const winners = new Set(
      ids.filter((_, n) => answers[n] === 'completed' || answers[n + 8] === 'completed'),
    );
    t.is(winners.size, 1);
    t.is(answers.filter((word) => word === 'already_credited').length, 14);
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: rejects channels that the payment does not offer and texts that are not an id`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, `0x${'a'.repeat(64)}`, 'bep20'), 'method_unavailable');
    t.is(await answer(core, shop, id, '123456789012345678', 'exchange_pay'), 'method_unavailable');
    t.is(await answer(core, shop, id, '01711000009', 'qr_interbank'), 'method_unavailable');
    t.is(await answer(core, shop, id, 'I have paid'), 'invalid_input');
    t.is(await answer(core, shop, id, 'ট্রানজেকশন'), 'invalid_input');
    t.is(await answer(core, shop, id, 'DHL1000001 or DHL1000002'), 'invalid_input');
    t.is(await answer(core, shop, id, 'NO_SUCH-ID'), 'transaction_not_found');
    t.is((await rows(core, 'claims')).length, 0, 'what can be no id leaves no claim');
    t.is(await answer(core, shop, id, 'DHL 60302ZX'), 'transaction_not_found');
    const claims = await rows(core, 'claims');
    t.deepEqual(
      claims.map(({ reference }) => reference),
      ['DHL60302ZX'],
      'an id with a space in it is one',
    );
  });
}
