/** Matching end to end over a real store, on both engines: claim, SMS, and every way in which they meet. */
import test from 'ava';
import type { Core } from '../../src/actions/core.js';
import { expireSessions } from '../../src/actions/expire-sessions.js';
import { listPayments, showPayment } from '../../src/actions/list-payments.js';
import { listSms } from '../../src/actions/list-sms.js';
import { verifyClaim } from '../../src/actions/verify-claim.js';
import { isKashboxError } from '../../src/base/errors.js';
import { engines, openTestCore, type TestClock, testClock } from '../helpers/engines.js';
import { bkashId, bkashText, openShop, type Shop } from '../helpers/shop.js';

const MINUTE = 60_000;

/** The outcome of a verification as one word: what was answered, or the code that was thrown. */
async function answer(core: Core, shop: Shop, sessionId: string, reference: string, method = 'mfs_a') {
  try {
    return (await verifyClaim(core, { brand: shop.brand, sessionId, method, reference })).outcome;
  } catch (error) {
    if (isKashboxError(error)) return error.code;
    throw error;
  }
}

async function rows(core: Core, table: 'transactions' | 'claims' | 'reviews' | 'sms' | 'proofs' | 'audit') {
  return core.store.read((db) => db.query.selectFrom(table).selectAll().execute());
}

async function scene(t: Parameters<typeof openTestCore>[0], engine: (typeof engines)[number]) {
  const clock: TestClock = testClock();
  const core = await openTestCore(t, engine, { clock });
  const shop = await openShop(core);
  let next = 0;
  const money = (taka: string, change: { at?: number; trxId?: string; ref?: string } = {}) => {
    next += 1;
    const at = change.at ?? clock.now();
    const trxId = change.trxId ?? bkashId(at, next);
    return {
      trxId,
      text: bkashText({ taka, trxId, at, ...(change.ref === undefined ? {} : { ref: change.ref }) }),
    };
  };
  return { clock, core, shop, money };
}

for (const engine of engines) {
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
        amountPaisa: 50_000,
        transactionId: trxId,
        metaJson: '{"order":7}',
        channel: 'mfs_a',
        status: 'COMPLETED',
      },
    });
    const [transaction, ...more] = (await rows(core, 'transactions')) as { reference: string }[];
    t.is(transaction?.reference, trxId);
    t.is(more.length, 0);
    const actions = ((await rows(core, 'audit')) as { action: string }[]).map((row) => row.action);
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

  test(`${engine}: a claim that comes before its SMS settles when the SMS comes`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const id = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await answer(core, shop, id, trxId), 'transaction_not_found');
    clock.advance(20 * MINUTE);
    await shop.receive(text);
    t.like(await showPayment(core, id), { status: 'COMPLETED', transaction_id: trxId });
    t.is(await answer(core, shop, id, trxId), 'completed');
  });

  test(`${engine}: of several sessions that wait for one SMS the first claim gets it`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const [first, second] = [await shop.order(50_000), await shop.order(50_000)];
    const { trxId, text } = money('500.00');
    await answer(core, shop, second, trxId);
    clock.advance(1_000);
    await answer(core, shop, first, trxId);
    await shop.receive(text);
    t.is(await answer(core, shop, second, trxId), 'completed');
    t.is(await answer(core, shop, first, trxId), 'already_credited');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: a waiting claim that disagrees with its SMS is not settled, and the next one may be`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [dear, right] = [await shop.order(60_000), await shop.order(50_000)];
    const { trxId, text } = money('500.00');
    await answer(core, shop, dear, trxId);
    await answer(core, shop, right, trxId);
    await shop.receive(text);
    t.like(await showPayment(core, dear), { status: 'PENDING' });
    t.like(await showPayment(core, right), { status: 'COMPLETED' });
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

  test(`${engine}: an amount that differs by a paisa is refused, too much goes to a person`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [less, more] = [money('499.99'), money('500.01')];
    await shop.receive(less.text, more.text);
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, less.trxId), 'proof_disagrees');
    t.is(await answer(core, shop, id, more.trxId), 'under_review');
    t.is(await answer(core, shop, id, more.trxId), 'under_review', 'asking again changes nothing');
    const reviews = (await rows(core, 'reviews')) as { reason: string }[];
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
    t.is(await answer(core, shop, id, trxId), 'session_not_found');
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'expired' });
    t.is(await expireSessions(core), 1);
    t.is(await expireSessions(core), 0);
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

  test(`${engine}: the same text delivered again is a duplicate, the same second with other text is not`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const [one, two] = [money('500.00'), money('500.00')];
    t.deepEqual(
      (await shop.receive(one.text, one.text, two.text)).map((result) => result.state),
      ['stored', 'duplicate', 'stored'],
    );
    t.deepEqual(
      (await shop.receive(two.text)).map((result) => result.state),
      ['duplicate'],
    );
    t.is((await rows(core, 'sms')).length, 2);
  });

  test(`${engine}: what was typed by the payer changes neither amount nor id`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const inner = money('9,999.00');
    const outer = money('10.00', { ref: `You have received Tk 9,999.00 from 01700000001` });
    await shop.receive(outer.text);
    const id = await shop.order(999_900);
    t.not(await answer(core, shop, id, outer.trxId), 'completed');
    t.is(await answer(core, shop, id, inner.trxId), 'transaction_not_found');
    t.is((await rows(core, 'transactions')).length, 0);
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

  test(`${engine}: a claim and its SMS at the same moment always meet`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const pairs = await Promise.all(
      Array.from({ length: 12 }, async () => ({ id: await shop.order(50_000), ...money('500.00') })),
    );
    await Promise.all(
      pairs.flatMap(({ id, trxId, text }) => [answer(core, shop, id, trxId), shop.receive(text)]),
    );
    const states = await Promise.all(pairs.map(async ({ id }) => (await showPayment(core, id)).status));
    t.deepEqual(
      states,
      pairs.map(() => 'COMPLETED'),
    );
  });

  test(`${engine}: channels that this version does not serve, and texts that are no id, are refused`, async (t) => {
    const { core, shop } = await scene(t, engine);
    const id = await shop.order(50_000);
    t.is(await answer(core, shop, id, 'DHL60302ZX', 'bep20'), 'method_unavailable');
    t.is(await answer(core, shop, id, 'DHL 60302ZX'), 'invalid_input');
    t.is(await answer(core, shop, id, 'NO_SUCH-ID'), 'transaction_not_found');
    t.is((await rows(core, 'claims')).length, 0, 'what can be no id leaves no claim');
  });
}
