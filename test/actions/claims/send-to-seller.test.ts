/** A customer puts before the seller what no rule decides, and what becomes of it. */
import test, { type ExecutionContext } from 'ava';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { ASK_AFTER_MS, MAX_NOTE, sendToSeller } from '../../../src/actions/claims/send-to-seller.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { showReview } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { codeOf, hostedScene, OPERATOR } from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

async function askingScene(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await hostedScene(t, engine);
  const { core, clock } = stage;
  return {
    ...stage,
    ask: async (sessionId: string, text: string, note = '') =>
      (await sendToSeller(core, { sessionId, channel: 'mfs_a', text, note })).outcome,
    wait: () => clock.advance(ASK_AFTER_MS),
    stateOf: async (id: string) => (await loadCheckout(core, id))?.state,
  };
}

for (const engine of enginesOfTier) {
  test(`${engine}: less money is put before the seller at once with what came, and may be accepted`, async (t) => {
    const { approve, ask, claim, core, money, order, shop, stateOf, ...stage } = await askingScene(t, engine);
    const [id, { trxId, text }] = [await order(50_000), money('480.00')];
    await shop.receive(text);
    t.is(await claim(id, trxId), 'disagrees');
    t.is(await ask(id, trxId), 'under_review');
    const [open] = await stage.open();
    const review = await showReview(core, open?.id ?? '');
    t.like(review, {
      seen_amount: '480.00',
      customer_note: null,
      claim: { state: 'REFUSED', reason: 'amount' },
    });
    t.is(await codeOf(approve(review.id)), 'state_refused');
    await approve(review.id, { acceptLess: true });
    t.is(await stateOf(id), 'completed');
    t.like(await showPayment(core, id), { status: 'COMPLETED', reason: 'approved' });
  });

  test(`${engine}: an id that nobody has seen is put before the seller after a minute, with the customer's words`, async (t) => {
    const { ask, claim, clock, core, money, order, stateOf, ...stage } = await askingScene(t, engine);
    const [id, { trxId }] = [await order(50_000), money('500.00')];
    t.is(await claim(id, trxId), 'waiting');
    clock.advance(ASK_AFTER_MS - 1);
    t.is(await ask(id, trxId), 'too_early');
    t.deepEqual(await stage.open(), []);
    clock.advance(1);
    const note = '  from 01799\u0000, at noon\n';
    t.is(await ask(id, `TrxID ${trxId.toLowerCase()} of today`, note), 'under_review');
    t.is(await stateOf(id), 'review');
    const [asked] = await stage.open();
    const review = await showReview(core, asked?.id ?? '');
    t.like(review, {
      reason: 'customer_asked',
      channel: 'mfs_a',
      reference: trxId,
      due: '500.00',
      seen_at: null,
      customer_note: `from 01799␀, at noon\n\nTrxID ${trxId.toLowerCase()} of today`,
      claim: { state: 'WAITING' },
    });
    clock.advance(DAY);
    await expireSessions(core);
    t.like(await showPayment(core, id), { status: 'PENDING', reason: 'review' });
  });

  test(`${engine}: the same question again is one question, and money that comes answers it`, async (t) => {
    const { ask, claim, money, open, order, shop, stateOf, wait } = await askingScene(t, engine);
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await claim(id, trxId);
    wait();
    t.is(await ask(id, trxId, 'first'), 'under_review');
    t.is(await ask(id, trxId, 'second'), 'under_review');
    const [review, ...others] = await open();
    t.is(review?.customer_note, 'first');
    t.deepEqual(others, []);
    await shop.receive(text);
    t.is(await stateOf(id), 'completed');
    t.deepEqual(await open(), []);
    t.is(await ask(id, trxId), 'completed');
  });

  test(`${engine}: mismatching money that arrives after the question is shown in the review`, async (t) => {
    const { ask, claim, core, money, open, order, reject, shop, stateOf, wait } = await askingScene(
      t,
      engine,
    );
    const [id, { trxId, text }] = [await order(50_000), money('480.00')];
    await claim(id, trxId);
    wait();
    await ask(id, trxId);
    await shop.receive(text);
    t.is(await stateOf(id), 'review');
    const [review] = await open();
    t.like(review, { reason: 'customer_asked', seen_amount: '480.00' });
    await reject(review?.id ?? '');
    t.is(await stateOf(id), 'rejected');
    t.is(await ask(id, trxId), 'over');
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'rejected' });
  });

  test(`${engine}: a customer who asked and then gives the right id is paid, and no review stays open`, async (t) => {
    const { ask, claim, core, money, open, order, shop, stateOf, wait } = await askingScene(t, engine);
    const [id, wrong, right] = [await order(50_000), money('500.00'), money('500.00')];
    await shop.receive(right.text);
    await claim(id, wrong.trxId);
    wait();
    await ask(id, wrong.trxId);
    t.like(await loadCheckout(core, id), { state: 'review', isAsked: true });
    t.is(await claim(id, right.trxId), 'completed');
    t.is(await stateOf(id), 'completed');
    t.deepEqual(await open(), []);
  });

  test(`${engine}: money credited elsewhere may be asked about and is never credited twice`, async (t) => {
    const { approve, ask, claim, core, money, order, shop, ...stage } = await askingScene(t, engine);
    const [first, second, { trxId, text }] = [await order(50_000), await order(50_000), money('500.00')];
    await shop.receive(text);
    t.is(await claim(first, trxId), 'completed');
    t.is(await claim(second, trxId), 'already_credited');
    t.is(await ask(second, trxId), 'under_review');
    const [review] = await stage.open();
    t.is(await codeOf(approve(review?.id ?? '')), 'already_credited');
    t.is((await rows(core, 'transactions')).length, 1);
  });

  test(`${engine}: an unclaimed id, an invalid id and a closed payment create no review`, async (t) => {
    const { ask, claim, clock, core, money, open, order, shop } = await askingScene(t, engine);
    const [id, { trxId }] = [await order(50_000), money('500.00')];
    t.is(await ask(id, trxId), 'over');
    t.is(await ask('f'.repeat(32), trxId), 'over');
    await claim(id, trxId);
    clock.advance(ASK_AFTER_MS);
    for (const text of ['', 'hello', '<b>', '\u0000'])
      t.is(await ask(id, text), 'over', JSON.stringify(text));
    const other = { sessionId: id, channel: 'mfs_b', text: trxId, note: '' } as const;
    t.is((await sendToSeller(core, other)).outcome, 'over');
    t.is((await sendToSeller(core, { ...other, channel: null })).outcome, 'over');
    const become = (status: 'ACTIVE' | 'SUSPENDED') =>
      changeMerchantStatus(core, { merchant: shop.merchantId, status, who: OPERATOR });
    await become('SUSPENDED');
    t.is(await ask(id, trxId), 'over');
    await become('ACTIVE');
    t.deepEqual(await open(), []);
  });

  test(`${engine}: money that does not fit a payment whose time is over is put before the seller too`, async (t) => {
    const { ask, approve, claim, clock, core, money, open, order, shop, stateOf } = await askingScene(
      t,
      engine,
    );
    const [id, { trxId, text }] = [await order(50_000), money('480.00')];
    await shop.receive(text);
    clock.advance(2 * HOUR);
    await expireSessions(core);
    t.is(await claim(id, trxId), 'disagrees');
    t.is(await ask(id, trxId), 'under_review');
    t.is(await stateOf(id), 'review');
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'expired' });
    const [review] = await open();
    await approve(review?.id ?? '', { acceptLess: true });
    t.is(await stateOf(id), 'completed');
  });

  test(`${engine}: a payment takes five questions, and words of any length`, async (t) => {
    const { ask, core, money, open, order, wait } = await askingScene(t, engine);
    const id = await order(50_000);
    const ids = Array.from({ length: 6 }, () => money('500.00').trxId);
    for (const text of ids) await claimCheckout(core, { sessionId: id, channel: 'mfs_a', text });
    wait();
    for (const trxId of ids.slice(0, 5)) t.is(await ask(id, trxId, 'x'.repeat(9_999)), 'under_review');
    t.is(await ask(id, ids[5] ?? ''), 'too_many_attempts');
    t.is(await ask(id, ids[4] ?? ''), 'under_review', 'one of the five again is no sixth');
    const asked = await open();
    t.deepEqual(
      asked.map((review) => review.customer_note?.length),
      Array(5).fill(MAX_NOTE),
    );
  });
}
