/** Payments in parts: what each proof pays, and what stays of a payment that is not completed. */
import test from 'ava';
import fc from 'fast-check';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { verifyAudit } from '../../../src/actions/audit/verify-audit.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { listRefunds } from '../../../src/actions/refunds/list-refunds.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { approveReview, rejectReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { settleClaim } from '../../../src/actions/settlement/settle-claim.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { claimedSession } from '../../../src/store/tables/sessions.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { walletPayment } from '../../helpers/shop/wallets.js';
import { engines } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const who = 'test';

async function stage(t: Parameters<typeof scene>[0], engine: (typeof engines)[number], fees: string[] = []) {
  const on = await scene(t, engine);
  const { core, shop } = on;
  if (fees.length > 0) await updateBrand(core, { brand: shop.brand.name, fees, who });
  const open = async (amountPaisa: number, takesParts = true) => {
    const brand = await brandContext(core, shop.brand.name);
    const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
    // Only hosted payments have fees.
    const address = { successUrl: null, cancelUrl: null, webhookUrl: null, returnType: 'GET' } as const;
    const hosted = fees.length > 0 ? address : null;
    const opened = await createSession(core, { brand, hosted, amountPaisa, ...customer, takesParts });
    return { id: opened.id, ref: opened.paymentReference ?? '' };
  };
  const session = async (id: string) => {
    const row = (await rows(core, 'sessions')).find((one) => one.id === id);
    return [row?.status, row?.reason, row?.paid_paisa, row?.paid_fee_paisa];
  };
  const credits = async () =>
    (await rows(core, 'transactions')).map(({ amount_paisa, rest_paisa }) => [amount_paisa, rest_paisa]);
  const events = async () => (await rows(core, 'notifications')).map(({ event }) => event);
  const reviews = () => listReviews(core, { state: 'OPEN', limit: 50 });
  const claim = (id: string, trxId: string) => answer(core, shop, id, trxId);
  const pay = async (id: string, taka: string) => claim(id, await on.receive(taka));
  const isVerified = async () => {
    const { signal } = new AbortController();
    return (await verifyAudit(core, { expected: null, isDeep: true, signal, onRows: () => {} })).ok;
  };
  return { ...on, open, session, credits, events, reviews, claim, pay, isVerified };
}

for (const engine of engines) {
  test(`${engine}: each claim pays a part, and the last one completes the payment`, async (t) => {
    const { shop, money, open, session, credits, claim, isVerified } = await stage(t, engine);
    const { id } = await open(100_000);
    const [one, two, three] = [money('300.00'), money('450.50'), money('249.50')];
    await shop.receive(one.text);
    t.is(await claim(id, one.trxId), 'part');
    t.is(await claim(id, one.trxId), 'part', 'the same answer as before');
    t.deepEqual(await session(id), ['PENDING', 'partial', 30_000, 0]);
    t.is(await claim(id, two.trxId), 'transaction_not_found');
    await shop.receive(two.text);
    t.deepEqual(await session(id), ['PENDING', 'partial', 75_050, 0]);
    t.is(await claim(id, three.trxId), 'transaction_not_found');
    await shop.receive(three.text);
    t.deepEqual(await session(id), ['COMPLETED', 'credited', 100_000, 0]);
    t.deepEqual(await credits(), [
      [30_000, 70_000],
      [45_050, 24_950],
      [24_950, 0],
    ]);
    for (const { trxId } of [one, two, three]) t.is(await claim(id, trxId), 'completed');
    const { id: next } = await open(100_000);
    t.is(await claim(next, one.trxId), 'already_credited');
    t.true(await isVerified());
  });

  test(`${engine}: without parts less than is due pays nothing`, async (t) => {
    const { open, session, pay } = await stage(t, engine);
    const { id } = await open(100_000, false);
    t.is(await pay(id, '300.00'), 'proof_disagrees');
    t.deepEqual(await session(id), ['PENDING', 'initiated', 0, 0]);
  });

  test(`${engine}: parts that come in one delivery count one after the other, named or claimed`, async (t) => {
    const { shop, money, open, session, claim } = await stage(t, engine);
    const named = await open(100_000);
    const texts = ['300.00', '200.00', '500.00'].map((taka) => money(taka, { ref: named.ref }).text);
    await shop.receive(...texts);
    t.deepEqual(await session(named.id), ['COMPLETED', 'credited', 100_000, 0]);
    const claimed = await open(60_000);
    const [one, two] = [money('200.00'), money('400.00')];
    for (const { trxId } of [one, two]) await claim(claimed.id, trxId);
    await shop.receive(two.text, one.text);
    t.deepEqual(await session(claimed.id), ['COMPLETED', 'credited', 60_000, 0]);
  });

  test(`${engine}: every part pays the fee of what it brings, and too much is reviewed`, async (t) => {
    const { open, session, reviews, pay } = await stage(t, engine, ['mfs_a=10+2%']);
    const { id } = await open(100_000);
    t.is(await pay(id, '10.00'), 'proof_disagrees', 'it is all fee');
    t.is(await pay(id, '520.00'), 'part');
    // 500.00 and 10.00 + 2% of it.
    t.deepEqual(await session(id), ['PENDING', 'partial', 52_000, 2_000]);
    t.is(await pay(id, '600.00'), 'under_review');
    t.deepEqual(
      (await reviews()).map(({ reason }) => reason),
      ['overpaid'],
    );
    t.is(await pay(id, '520.00'), 'completed');
    t.deepEqual(await session(id), ['COMPLETED', 'credited', 104_000, 4_000]);
  });

  test(`${engine}: a part keeps the payment open, and what came stays credited when it expires`, async (t) => {
    const { clock, core, shop, money, open, session, events, claim, pay, isVerified } = await stage(
      t,
      engine,
    );
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: 'https://shop.example.com/hook', who });
    const { id } = await open(100_000);
    clock.advance(50 * MINUTE);
    const late = money('700.00');
    t.is(await pay(id, '300.00'), 'part');
    clock.advance(59 * MINUTE);
    await expireSessions(core);
    t.deepEqual(await session(id), ['PENDING', 'partial', 30_000, 0]);
    clock.advance(2 * MINUTE);
    await expireSessions(core);
    t.deepEqual(await session(id), ['FAILED', 'expired', 30_000, 0]);
    t.deepEqual(await events(), ['payment.partial', 'payment.failed']);
    const [alert] = await listAlerts(core, { open: false, limit: 5 });
    t.like(alert, { event: 'payment.unfinished', detail: { paid: '300.00', price: '1000.00' } });
    t.true(await isVerified());
    await shop.receive(late.text);
    t.is(await claim(id, late.trxId), 'under_review', 'sent in time, claimed late');
    t.like(await showPayment(core, id), { status: 'FAILED', paid: '300.00', amount: '1000.00' });
  });

  test(`${engine}: an operator's decision on a part leaves the payment open`, async (t) => {
    const { core, shop, money, open, session, events, reviews, claim, pay } = await stage(t, engine);
    await updateBrand(core, { brand: shop.brand.name, webhookUrl: 'https://shop.example.com/hook', who });
    const { id } = await open(100_000);
    const forged = (n: number, taka: string) => money(taka, { trxId: `AHL6030${n}ZX` });
    const [one, two] = [forged(1, '300.00'), forged(2, '200.00')];
    await shop.receive(one.text, two.text);
    t.is(await claim(id, one.trxId), 'under_review');
    t.is(await claim(id, two.trxId), 'under_review');
    const [first, second] = await reviews();
    await approveReview(core, { id: first?.id ?? '', note: 'seen', who, force: true });
    t.deepEqual(await session(id), ['PENDING', 'review', 30_000, 0], 'the other is still open');
    await rejectReview(core, { id: second?.id ?? '', note: 'not there', who });
    t.deepEqual(await session(id), ['PENDING', 'partial', 30_000, 0]);
    t.deepEqual(await events(), ['payment.pending', 'payment.pending', 'payment.partial']);
    t.is(await pay(id, '700.00'), 'completed');
  });

  test(`${engine}: a part under an id that can be guessed needs review, unless its payer named the payment`, async (t) => {
    const { clock, core, shop, open, session } = await stage(t, engine);
    const channel: MfsChannel = 'mfs_b';
    await setAccount(core, { brand: shop.brand.name, channel, type: 'personal', number: WALLET, who });
    const { id, ref } = await open(100_000);
    clock.advance(MINUTE);
    const part = walletPayment(channel, '300.00', clock.now());
    const receive = (body: string, n: number) => {
      const at = { received_at: dhakaIso(clock.now()), sim_slot: 1 };
      const message = { id: `n${n}`, sender: part.sender, body, ...at };
      return syncDevice(core, { device: shop.device, messages: [message], health: null });
    };
    clock.advance(5_000);
    await receive(part.text, 1);
    t.is(await answer(core, shop, id, part.trxId, channel), 'under_review');
    const named = walletPayment(channel, '200.00', clock.now(), 1);
    await receive(named.text.replace('Hello', ref), 2);
    t.deepEqual((await session(id))[2], 20_000);
  });

  test(`${engine}: after a part, money on another channel or for the complete price is reviewed`, async (t) => {
    const { core, shop, open, session, reviews, pay } = await stage(t, engine);
    const { id } = await open(100_000);
    await pay(id, '300.00');
    const { brandId: brand, merchantId } = shop.brand;
    await core.store.write(async (db) => {
      const claim = { channel: 'exchange_pay', reference: 'M_P_1' } as const;
      const row = await claimedSession.first(db, { id, brand, ...claim });
      if (row === undefined) throw new Error('the session is gone');
      const known = { merchant_id: merchantId, proof_window_hours: 24, accounts_stamp: '' };
      const match = { outcome: 'credit', paisa: 70_000 } as const;
      const [proved] = await db.query.selectFrom('proofs').select('id').execute();
      const proof = { id: proved?.id ?? '', scope: 'binance', ...claim };
      const settling = { session: { ...row, ...known }, proof, claimed: claim.reference, match };
      t.deepEqual(await settleClaim(core, db, settling), { outcome: 'under_review', reason: 'overpaid' });
    });
    t.is((await reviews()).length, 1);
    t.deepEqual((await session(id)).slice(0, 3), ['PENDING', 'review', 30_000]);
  });

  test(`${engine}: while a part is disputed the rest does not complete the payment`, async (t) => {
    const { core, shop, money, open, session, reviews, claim } = await stage(t, engine);
    const { id } = await open(100_000);
    const [part, rest] = [money('300.00'), money('700.00')];
    const reversal = `Tk 300.00 of transaction ${part.trxId} has been reversed. Balance Tk 1.00. TrxID ${part.trxId}`;
    await shop.receive(part.text);
    t.is(await claim(id, part.trxId), 'part');
    await shop.receive(reversal, rest.text);
    const [dispute] = await reviews();
    t.like(dispute, { reason: 'disputed', reference: part.trxId });
    t.is(await claim(id, rest.trxId), 'under_review');
    t.deepEqual(await session(id), ['PENDING', 'review', 30_000, 0]);
    await approveReview(core, { id: dispute?.id ?? '', note: 'it is there', who, force: true });
    t.is(await claim(id, rest.trxId), 'completed');
    t.deepEqual(await session(id), ['COMPLETED', 'credited', 100_000, 0]);
  });

  test(`${engine}: the ID of a part refunds that part, and a dispute of any part cancels the refunds`, async (t) => {
    const { core, shop, receive, open, claim } = await stage(t, engine, ['mfs_a=2%']);
    const { id } = await open(100_000);
    const [one, two] = [await receive('306.00'), await receive('714.00')];
    for (const trxId of [one, two]) await claim(id, trxId);
    const create = async (of: string) => {
      const made = await createRefund(core, { of, note: 'Out of stock', who });
      return made.map(({ transaction_id, amount }) => [transaction_id, amount]);
    };
    t.deepEqual(await create(one), [[one, '300.00']], 'without its fee');
    t.deepEqual(await create(id), [[two, '700.00']]);
    await shop.receive(`Tk 306.00 of transaction ${one} has been reversed. Balance Tk 1.00. TrxID ${one}`);
    const refunds = await listRefunds(core, { limit: 9 });
    t.deepEqual(
      refunds.map(({ status }) => status),
      ['CANCELLED', 'CANCELLED'],
    );
  });

  test(`${engine}: parts claimed at the same moment are credited once each`, async (t) => {
    const { shop, money, open, session, credits, claim } = await stage(t, engine);
    const { id } = await open(100_000);
    const sent = ['250.00', '250.00', '250.00', '250.00', '250.00'].map((taka) => money(taka));
    await shop.receive(...sent.map(({ text }) => text));
    const all = await Promise.all([...sent, ...sent].map(({ trxId }) => claim(id, trxId)));
    t.deepEqual(await session(id), ['COMPLETED', 'credited', 100_000, 0], all.join(' '));
    t.is((await credits()).length, 4);
    t.true(all.includes('completed'), all.join(' '));
  });

  test(`${engine}: whatever comes, the credits add up to the sum of the payment`, async (t) => {
    const { core, open, pay } = await stage(t, engine, ['mfs_a=1.85%+whole']);
    const amounts = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 90_000 }), amounts, async (price, parts) => {
        const { id } = await open(price);
        for (const paisa of parts) await pay(id, formatTaka(paisa));
        const own = (await rows(core, 'transactions')).filter(({ session_id }) => session_id === id);
        const row = (await rows(core, 'sessions')).find((one) => one.id === id);
        const sum = (of: 'amount_paisa' | 'fee_paisa') => own.reduce((total, one) => total + one[of], 0);
        const isPaid = own.some(({ rest_paisa }) => rest_paisa === 0);
        return (
          sum('amount_paisa') === row?.paid_paisa &&
          sum('fee_paisa') === row.paid_fee_paisa &&
          (row.status === 'COMPLETED') === isPaid &&
          (!isPaid || row.paid_paisa - row.paid_fee_paisa === price) &&
          own.every(({ fee_paisa, amount_paisa }) => fee_paisa < amount_paisa)
        );
      }),
      { numRuns: 60 },
    );
    t.pass();
  });
}
