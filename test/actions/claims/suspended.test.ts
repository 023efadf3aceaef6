/** A merchant is suspended while customers are paying: what they give is kept, and settles later. */
import test, { type ExecutionContext } from 'ava';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { changeMerchantStatus } from '../../../src/actions/merchants/change-merchant.js';
import { listReviews, loadSlip } from '../../../src/actions/reviews/list-reviews.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank, PAYER } from '../../helpers/shop/bank.js';
import { hostedScene, OPERATOR, onlyReview, pngOf } from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;

async function suspendedScene(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await hostedScene(t, engine);
  const { core, shop } = stage;
  const become = (status: 'ACTIVE' | 'SUSPENDED') =>
    changeMerchantStatus(core, { merchant: shop.merchantId, status, who: OPERATOR });
  return {
    ...stage,
    suspend: () => become('SUSPENDED'),
    activate: () => become('ACTIVE'),
    stateOf: async (id: string) => (await loadCheckout(core, id))?.state,
    number: async (sessionId: string, text: string) =>
      (await claimCheckout(core, { sessionId, channel: 'qr_interbank', text })).outcome,
  };
}

for (const engine of enginesOfTier) {
  test(`${engine}: an id that is given while the merchant is suspended settles with the next SMS after that`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, order, claim, money, shop, suspend, activate, stateOf } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await suspend();
    t.is(await claim(id, trxId), 'waiting');
    t.like(await loadCheckout(core, id), {
      state: 'waiting',
      isSuspended: true,
      claim: { reference: trxId, isWaiting: true },
    });
    await activate();
    t.is(await stateOf(id), 'waiting');
    await shop.receive(text);
    t.is(await stateOf(id), 'completed');
  });

  test(`${engine}: an id whose SMS is here already settles when the merchant is active again, and not before`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, order, claim, money, shop, suspend, activate, stateOf } = stage;
    const [before, during, less] = [await order(50_000), await order(60_000), await order(70_000)];
    const [first, second, third] = [money('500.00'), money('600.00'), money('699.00')];
    await shop.receive(first.text, third.text);
    await suspend();
    t.is(await claim(before, first.trxId), 'waiting');
    t.is(await claim(during, second.trxId), 'waiting');
    t.is(await claim(less, third.trxId), 'waiting');
    const typed = { merchant: shop.merchantId, sender: 'bKash', recipient: WALLET, who: OPERATOR };
    t.like(await addSms(core, { ...typed, text: second.text }), { state: 'stored', settled: [] });
    t.deepEqual([await stateOf(before), await stateOf(during)], ['waiting', 'waiting']);
    t.deepEqual(await rows(core, 'transactions'), []);
    const moved: string[] = [];
    for (const id of [before, during]) core.moved.listen(id, () => moved.push(id));
    await activate();
    t.deepEqual([await stateOf(before), await stateOf(during)], ['completed', 'completed']);
    t.like(await loadCheckout(core, less), { state: 'open', claim: { refusedFor: 'amount' } });
    t.deepEqual(moved.sort(), [before, during].sort(), 'pages that wait are told');
    await activate();
    t.is((await rows(core, 'transactions')).length, 2);
  });

  test(`${engine}: a claim that waited before the merchant was suspended settles with the others`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { order, claim, money, shop, suspend, activate, stateOf } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    t.is(await claim(id, trxId), 'waiting');
    await suspend();
    await shop.receive(text);
    t.is(await stateOf(id), 'waiting');
    await activate();
    t.is(await stateOf(id), 'completed');
  });

  test(`${engine}: an activation that was interrupted is finished by the next one`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, order, claim, money, shop, suspend, activate, stateOf } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await shop.receive(text);
    await suspend();
    await claim(id, trxId);
    await core.store.write((db) => db.query.updateTable('merchants').set({ status: 'ACTIVE' }).execute());
    t.is(await stateOf(id), 'waiting');
    await activate();
    t.is(await stateOf(id), 'completed');
  });

  test(`${engine}: money goes to review when its payment is over by the time the merchant is reactivated`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { clock, order, claim, money, shop, suspend, activate } = stage;
    const [id, { trxId, text }] = [await order(50_000), money('500.00')];
    await shop.receive(text);
    await suspend();
    t.is(await claim(id, trxId), 'waiting');
    clock.advance(2 * HOUR);
    t.like(await loadCheckout(stage.core, id), { state: 'expired', claim: { isWaiting: true } });
    await activate();
    t.like((await stage.open())[0], { reason: 'late', reference: trxId, payment: id });
  });

  test(`${engine}: a customer of a suspended merchant has the same number of attempts as any other`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, clock, order, claim, money, suspend } = stage;
    const [id, late, refused] = [await order(50_000), await order(50_000), await order(50_000)];
    await stage.bank(refused, 'FT9');
    await stage.reject(await onlyReview(stage));
    await suspend();
    t.is(await claim(refused, money('500.00').trxId), 'over', 'a person has decided');
    t.is(await claim(id, 'not an id!'), 'no_reference');
    for (let tries = 0; tries < core.settings.missesPerSession; tries += 1) {
      t.is(await claim(id, money('500.00').trxId), 'waiting');
    }
    t.is(await claim(id, money('500.00').trxId), 'too_many_attempts');
    clock.advance(2 * HOUR);
    const { trxId } = money('500.00');
    t.is(await claim(late, trxId), 'under_review');
    t.is(await claim(late, trxId), 'under_review');
    t.like((await stage.open())[0], { reason: 'late_claim', reference: trxId });
    t.is((await stage.open()).length, 1);
  });

  test(`${engine}: a bank transfer to a suspended merchant goes to review with its slip`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, order, suspend, stateOf } = stage;
    const id = await order(50_000);
    await suspend();
    const slip = pngOf(500);
    t.is(await stage.bank(id, 'FT 77', slip), 'under_review');
    t.is(await stateOf(id), 'review');
    const [review] = await listReviews(core, { state: 'OPEN', limit: 10 });
    t.is(review?.reference, 'FT 77');
    t.true((await loadSlip(core, review?.id ?? '')).bytes.equals(slip));
    t.deepEqual(await rows(core, 'transactions'), []);
  });

  test(`${engine}: numbers and pushes of banks that came for a suspended merchant meet when they are active`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, shop, order, number, suspend, activate, stateOf } = stage;
    const bank = await openBank(core, shop);
    const [early, later, scanned, nobody] = [
      await order(50_000),
      await order(60_000),
      await order(70_000),
      await order(80_000),
    ];
    await bank.push({ reference: 'EARLY', amount: '500.00' });
    await suspend();
    t.is(await number(early, PAYER), 'waiting');
    t.is(await number(later, PAYER.slice(-4)), 'waiting');
    t.is(await number(nobody, '01999999999'), 'waiting');
    t.is((await bank.push({ reference: 'LATER', amount: '600.00' })).state, 'stored');
    t.is((await bank.push({ reference: 'OTHER', amount: '800.00' })).state, 'stored');
    const bill = (await loadCheckout(core, scanned))?.gatewayReference;
    await bank.push({ reference: 'SCAN', amount: '700.00', payer: null, bill });
    t.deepEqual(await rows(core, 'transactions'), []);
    await activate();
    t.deepEqual(
      (await rows(core, 'transactions')).map(({ session_id, reference }) => [session_id, reference]).sort(),
      [
        [early, 'EARLY'],
        [later, 'LATER'],
        [scanned, 'SCAN'],
      ].sort(),
    );
    t.is(await stateOf(nobody), 'waiting', 'the money is of somebody else');
    await activate();
    t.is((await rows(core, 'transactions')).length, 3);
    t.deepEqual(await stage.open(), []);
  });

  test(`${engine}: money with a payment code that was rejected is not reviewed again`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, clock, shop, order, suspend, activate } = stage;
    const bank = await openBank(core, shop);
    const id = await order(50_000);
    const bill = (await loadCheckout(core, id))?.gatewayReference;
    clock.advance(2 * HOUR);
    await bank.push({ reference: 'LATE', bill });
    await stage.reject(await onlyReview(stage));
    const before = await rows(core, 'claims');
    await suspend();
    await activate();
    t.deepEqual(await rows(core, 'claims'), before);
    t.deepEqual(await stage.open(), []);
  });

  test(`${engine}: no id claimed during the reactivation of a merchant is left waiting`, async (t) => {
    const stage = await suspendedScene(t, engine);
    const { core, order, claim, money, shop, suspend, activate, stateOf } = stage;
    const orders: { readonly id: string; readonly trxId: string }[] = [];
    for (let count = 0; count < 12; count += 1) {
      const [id, { trxId, text }] = [await order(50_000), money('500.00')];
      await shop.receive(text);
      orders.push({ id, trxId });
    }
    await suspend();
    const half = orders.slice(0, 6).map(({ id, trxId }) => claim(id, trxId));
    await Promise.all([...half, activate(), ...orders.slice(6).map(({ id, trxId }) => claim(id, trxId))]);
    const states = [];
    for (const { id } of orders) states.push(await stateOf(id));
    t.deepEqual(new Set(states), new Set(['completed']));
    t.is((await rows(core, 'transactions')).length, 12);
  });
}
