/** Claims that come after a payment's time, or for money that pays another: nothing is lost from sight. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { codeOf, hostedScene, OPERATOR, onlyReview, pngOf } from '../../helpers/shop/hosted.js';
import { engines } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;

for (const engine of engines) {
  test(`${engine}: a late id without its SMS goes to review, as the money may have been seen elsewhere`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock, money, order, claim, approve } = stage;
    const [id, { trxId }] = [await order(50_000), money('500.00')];
    clock.advance(2 * HOUR);
    t.is(await claim(id, trxId), 'under_review');
    t.is((await loadCheckout(core, id))?.state, 'review');
    t.is((await loadCheckout(core, id))?.facts.status, 'FAILED', 'the shop was told so');
    const [review] = await stage.open();
    t.like(review, { reason: 'late_claim', reference: trxId, seen_amount: null });
    await approve(await onlyReview(stage));
    const done = await loadCheckout(core, id);
    t.like(done, { state: 'completed', paid: { channel: 'mfs_a', reference: trxId, paidPaisa: 50_000 } });
  });

  test(`${engine}: when the SMS of a late id comes after all it is shown with it, and is credited once`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock, money, order, claim, shop, approve } = stage;
    const id = await order(50_000);
    clock.advance(2 * HOUR);
    const { trxId, text } = money('500.00');
    t.is(await claim(id, trxId), 'under_review');
    await shop.receive(text);
    const review = await onlyReview(stage);
    t.like((await stage.open())[0], { reason: 'late', seen_amount: '500.00' });
    t.is(await claim(id, trxId), 'under_review', 'the same word again is the same review');
    await approve(review);
    t.is((await loadCheckout(core, id))?.state, 'completed');
    t.is(await claim(await order(50_000), trxId), 'already_credited');
  });

  test(`${engine}: an SMS that does not pay ends the review of a late id, so that nobody approves it unseen`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock, money, order, claim, shop } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('5.00')];
    clock.advance(2 * HOUR);
    t.is(await claim(id, trxId), 'under_review');
    const review = await onlyReview(stage);
    await shop.receive(text);
    t.is(await codeOf(stage.approve(review)), 'state_refused');
    t.like(await loadCheckout(core, id), { state: 'expired', claim: { refusedFor: 'amount' } });
  });

  test(`${engine}: a rejected late id is not reviewed again, and no page claims that it is`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { clock, money, order, claim, shop } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    clock.advance(2 * HOUR);
    await claim(id, trxId);
    await stage.reject(await onlyReview(stage));
    t.is(await claim(id, trxId), 'over');
    await shop.receive(text);
    t.is(await claim(id, trxId), 'over');
    t.is(await claim(id, money('500.00').trxId), 'under_review', 'another id was not rejected');
    await stage.reject(await onlyReview(stage));
    await stage.bank(id, 'FT100');
    await stage.reject(await onlyReview(stage));
    t.is(await stage.bank(id, 'FT100', pngOf(100)), 'over');
    t.deepEqual(await stage.open(), []);
  });

  test(`${engine}: two ids of a payment that has run out and is not closed yet may arrive together`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { clock, money, order, claim, shop } = stage;
    const [id, one, other] = [await order(50_000), money('500.00'), money('500.00')];
    await claim(id, one.trxId);
    await claim(id, other.trxId);
    clock.advance(2 * HOUR);
    await shop.receive(one.text, other.text);
    const open = await stage.open();
    t.deepEqual(
      open.map(({ reason, payment_status }) => [reason, payment_status]),
      [
        ['late', 'FAILED'],
        ['late', 'FAILED'],
      ],
    );
  });

  test(`${engine}: a customer who cancelled and then claims a payment gets a review, too`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, money, order, claim, shop } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await shop.receive(text);
    t.true(await cancelSession(core, id));
    t.is(await claim(id, trxId), 'under_review');
    t.like((await stage.open())[0], { reason: 'late', payment_status: 'FAILED' });
  });

  test(`${engine}: strangers' ids do not flood the queue of a payment that is over`, async (t) => {
    const { clock, core, money, order, claim, open } = await hostedScene(t, engine);
    const id = await order(50_000);
    clock.advance(2 * HOUR);
    await expireSessions(core);
    for (let n = 0; n < 8; n += 1) await claim(id, money('500.00').trxId);
    t.is((await open()).length, 3);
  });

  test(`${engine}: when two customers wait for one id, one is paid and the other is notified`, async (t) => {
    const { core, money, order, claim, shop } = await hostedScene(t, engine);
    const [first, second] = [await order(50_000), await order(50_000)];
    const { trxId, text } = money('500.00');
    t.deepEqual([await claim(first, trxId), await claim(second, trxId)], ['waiting', 'waiting']);
    let told = 0;
    core.moved.listen(second, () => {
      told += 1;
    });
    await shop.receive(text);
    t.is((await loadCheckout(core, first))?.state, 'completed');
    t.is(told, 1);
    t.like(await loadCheckout(core, second), { state: 'open', claim: { refusedFor: 'already_credited' } });
  });

  test(`${engine}: the id of another wallet, given on the wrong card, pays by its own`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, money, order, shop } = stage;
    await setAccount(core, {
      brand: shop.brand.name,
      channel: 'mfs_b',
      type: 'personal',
      number: '01711000001',
      who: OPERATOR,
    });
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await shop.receive(text);
    const claimed = await claimCheckout(core, { sessionId: id, channel: 'mfs_b', text });
    t.deepEqual(claimed, { outcome: 'completed', claimed: { channel: 'mfs_a', reference: trxId } });
  });

  test(`${engine}: after several ids the one that was credited is the customer's`, async (t) => {
    const { core, money, order, claim, shop } = await hostedScene(t, engine);
    const [id, right, wrong] = [await order(50_000), money('500.00'), money('500.00')];
    await claim(id, right.trxId);
    await claim(id, wrong.trxId);
    await shop.receive(right.text);
    t.like(await loadCheckout(core, id), { state: 'completed', claim: { reference: right.trxId } });
  });
}
