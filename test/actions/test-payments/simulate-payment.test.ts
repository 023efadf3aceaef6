/** The wallet is played for payments of a brand for tests, and for no others. */
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { verifyPayment } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { parseTaka } from '../../../src/base/values/money.js';
import { parseSms } from '../../../src/channels/mfs/index.js';
import { mobileNumber } from '../../../src/domain/accounts/channels.js';
import { TEST_ACCOUNTS } from '../../../src/domain/accounts/test-accounts.js';
import { scene } from '../../helpers/shop/scene.js';
import { type engines, enginesOfTier } from '../../helpers/stores/engines.js';

async function testShop(t: ExecutionContext, engine: (typeof engines)[number]) {
  const on = await scene(t, engine);
  const { core, shop } = on;
  const merchant = shop.merchantId;
  const made = await createBrand(core, { merchant, name: 'Test shop', test: true, who: 'test' });
  return { ...on, made };
}

async function openPayment(core: Core, named: string, amountPaisa = 50_000) {
  const brand = await brandContext(core, named);
  return createSession(core, {
    ...{ brand, hosted: null, cusName: 'Customer', cusEmail: '', amountPaisa, metaJson: null },
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: each account of a test brand is paid as with real money`, async (t) => {
    const { core } = await testShop(t, engine);
    for (const { channel, type, number } of TEST_ACCOUNTS) {
      const { id, paymentReference } = await openPayment(core, 'Test shop', 123_450);
      const played = await simulatePayment(core, { payment: id, channel, type, play: 'exact', who: 'test' });
      t.is(played.outcome, 'completed', `${channel} ${type}: ${played.text}`);
      t.is(played.number, number);
      const reading = parseSms(await core.smsEngine(), {
        sender: played.sender,
        body: played.text,
        receivedAtMs: core.clock.now(),
      });
      t.is(reading.settle, 'auto', played.text);
      t.is(reading.amountPaisa, 123_450);
      t.is(reading.trxId, played.transaction_id);
      if (reading.payerReference !== null) t.is(reading.payerReference, paymentReference ?? '');
      const { status, transaction_id, paid } = await showPayment(core, id);
      t.deepEqual([status, transaction_id, paid], ['COMPLETED', played.transaction_id, '1234.50']);
    }
  });

  test(`${engine}: mismatching money is refused or reviewed like real money`, async (t) => {
    const { core } = await testShop(t, engine);
    for (const { channel } of TEST_ACCOUNTS.filter(({ type }) => type === 'personal')) {
      const cases = [
        ['less', 'refused', 'amount'],
        ['more', 'under_review', null],
        ['other_type', 'refused', 'account_type'],
        ['old', 'refused', 'time'],
      ] as const;
      for (const [play, outcome, about] of cases) {
        const { id } = await openPayment(core, 'Test shop');
        const played = await simulatePayment(core, { payment: id, channel, play, who: 'test' });
        t.deepEqual([played.outcome, played.about], [outcome, about], `${channel} ${play}: ${played.text}`);
        t.is((await showPayment(core, id)).status, 'PENDING');
      }
    }
  });

  test(`${engine}: an SMS that nobody claims waits until its id is given`, async (t) => {
    const { core } = await testShop(t, engine);
    const { id } = await openPayment(core, 'Test shop');
    const played = await simulatePayment(core, { payment: id, play: 'unclaimed', who: 'test' });
    t.is(played.outcome, 'waiting');
    t.is((await showPayment(core, id)).status, 'PENDING');
    t.is((await verifyPayment(core, id, played.channel, played.transaction_id)).outcome, 'completed');
  });

  test(`${engine}: nothing is played for a brand that takes real money`, async (t) => {
    const { core, shop } = await testShop(t, engine);
    const { id, gatewayReference } = await openPayment(core, shop.brand.name);
    for (const payment of [id, gatewayReference]) {
      await t.throwsAsync(simulatePayment(core, { payment, play: 'exact', who: 'test' }), {
        code: 'state_refused',
      });
    }
    t.deepEqual(await core.store.read((db) => db.query.selectFrom('sms').select('id').execute()), []);
  });

  test(`${engine}: a payment that is over is not paid twice, and an expired one goes to review`, async (t) => {
    const { core, clock } = await testShop(t, engine);
    const { id } = await openPayment(core, 'Test shop');
    await simulatePayment(core, { payment: id, play: 'exact', who: 'test' });
    await t.throwsAsync(simulatePayment(core, { payment: id, play: 'exact', who: 'test' }), {
      code: 'session_completed',
    });
    const late = await openPayment(core, 'Test shop');
    clock.advance(2 * 3_600_000);
    const played = await simulatePayment(core, { payment: late.id, play: 'exact', who: 'test' });
    t.is(played.outcome, 'under_review');
  });

  test(`${engine}: amounts from a taka to a million are written as wallets write them`, async (t) => {
    const { core } = await testShop(t, engine);
    for (const amount of ['1.00', '999.99', '1000.00', '99999.05', '1000000.00']) {
      const taka = parseTaka(amount);
      if (!taka.ok) return t.fail();
      for (const channel of ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'] as const) {
        const { id } = await openPayment(core, 'Test shop', taka.paisa);
        const played = await simulatePayment(core, { payment: id, channel, play: 'exact', who: 'test' });
        t.is(played.outcome, 'completed', played.text);
      }
    }
  });
}

test('numbers of test accounts are of no operator, and each is another one', (t) => {
  t.deepEqual(
    TEST_ACCOUNTS.filter(({ number }) => mobileNumber(number) !== null || !/^010\d{8}$/.test(number)),
    [],
  );
  t.is(new Set(TEST_ACCOUNTS.map(({ number }) => number)).size, TEST_ACCOUNTS.length);
});
