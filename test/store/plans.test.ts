/**
 * Nothing on a request's way scans a table: every statement of create, verify, sync and authentication is
 * caught as it runs and shown to the engine's planner.
 */
import test from 'ava';
import { authenticateBrand } from '../../src/actions/access/authenticate-brand.js';
import { authenticateDevice } from '../../src/actions/access/authenticate-device.js';
import { findPicture } from '../../src/actions/brands/brand-theme.js';
import { claimBankTransfer } from '../../src/actions/claims/claim-bank-transfer.js';
import { claimCheckout } from '../../src/actions/claims/claim-checkout.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import { cancelSession } from '../../src/actions/sessions/cancel-session.js';
import { findPayment } from '../../src/actions/sessions/find-payment.js';
import { loadCheckout } from '../../src/actions/sessions/load-checkout.js';
import { expireSessions } from '../../src/actions/sessions/transition-session.js';
import { insertAccount } from '../../src/store/tables/accounts.js';
import { answeredSessions, movedSessions } from '../../src/store/tables/checkout.js';
import { waitingClaims } from '../../src/store/tables/proofs.js';
import { forgetSlips } from '../../src/store/tables/reviews.js';
import { bkashId, bkashText, openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, planOf, recorded } from '../helpers/stores/plans.js';

for (const engine of engines) {
  test(`${engine}: every statement on a request's way finds its rows by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const shop = await openShop(core);
    const watchedShop = await openShop(watched, 'Watched Store', '01811000002');
    statements.clear();

    await authenticateBrand(watched, { credentials: [shop.brandKey], ip: '192.0.2.1' });
    await authenticateDevice(watched, { key: shop.deviceKey });
    const trxIds = [1, 2].map((n) => bkashId(clock.now(), n));
    const texts = trxIds.map((trxId) => bkashText({ taka: '500.00', trxId, at: clock.now() }));
    for (const [n, reference] of trxIds.entries()) {
      const sessionId = await watchedShop.order(50_000);
      const claim = { brand: watchedShop.brand, sessionId, method: 'mfs_a' as const, reference };
      if (n === 0) await t.throwsAsync(verifyClaim(watched, claim));
      await watchedShop.receive(...texts);
      t.is((await verifyClaim(watched, claim)).outcome, 'completed');
    }
    await watchedShop.receive(bkashText({ taka: '500.00', trxId: bkashId(clock.now(), 3), at: clock.now() }));
    clock.advance(2 * 3_600_000);
    await watchedShop.order(50_000);
    clock.advance(2 * 3_600_000);
    t.is(await expireSessions(watched), 1);

    t.true(statements.size > 15, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });
}

for (const engine of engines) {
  test(`${engine}: every statement of a hosted payment finds its rows by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const shop = await openShop(watched);
    await core.store.write((db) =>
      insertAccount(db, {
        id: 'acc_bank',
        brand_id: shop.brand.brandId,
        channel: 'bank',
        type: 'account',
        number: '1234567890',
        active: 1,
        created_at: clock.now(),
        disabled_at: null,
        details: '{}',
      }),
    );
    statements.clear();

    const trxId = bkashId(clock.now(), 1);
    const [paid, cancelled, transferred] = [
      await shop.link(50_000),
      await shop.link(100),
      await shop.link(100),
    ];
    t.is(
      (await claimCheckout(watched, { sessionId: paid, channel: 'mfs_a', text: trxId })).outcome,
      'waiting',
    );
    await shop.receive(bkashText({ taka: '500.00', trxId, at: clock.now() }));
    t.is(await findPicture(watched, 'none.png'), null);
    t.is((await loadCheckout(watched, paid))?.state, 'completed');
    t.is((await findPayment(watched, { brand: shop.brand, reference: trxId })).status, 'COMPLETED');
    t.true(await cancelSession(watched, cancelled));
    const transfer = { sessionId: transferred, text: 'SLIP 7', slip: Buffer.from('%PDF-1.7') };
    t.is((await claimBankTransfer(watched, transfer)).outcome, 'under_review');
    t.is((await loadCheckout(watched, transferred))?.state, 'review');
    t.is(await watched.store.write((db) => forgetSlips(db, clock.now(), 5)), 0);
    const pages = [paid, cancelled, transferred];
    t.is((await watched.store.read((db) => movedSessions(db, pages))).length, 3);
    t.deepEqual(
      (await watched.store.read((db) => answeredSessions(db, pages))).sort(),
      [paid, transferred].sort(),
    );

    t.true(statements.size > 15, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });

  test(`${engine}: the planner's word for a scan is known, so that the test above can fail`, async (t) => {
    const core = await openTestCore(t, engine);
    const plan = await core.store.read((db) => planOf(db, "SELECT id FROM sms WHERE body = 'x'", []));
    t.regex(plan, /\bSCAN |Seq Scan/);
  });
}

const MANY = 50;

test('PostgreSQL looks up the claims of many SMS one by one, also in a table that it has not counted yet', async (t) => {
  const core = await openTestCore(t, 'postgres');
  // As it is in the minute before autovacuum comes by.
  await core.store.write((db) => db.execute('ALTER TABLE claims SET (autovacuum_enabled = off)', []));
  const shop = await openShop(core);
  for (let claim = 0; claim < MANY; claim += 1) {
    const sessionId = await shop.order(50_000);
    const reference = bkashId(core.clock.now(), claim);
    await t.throwsAsync(verifyClaim(core, { brand: shop.brand, sessionId, method: 'mfs_a', reference }));
  }
  const statements = new Map<string, readonly unknown[]>();
  const { read } = recorded(core, statements).store;
  const ids = Array.from({ length: MANY }, (_, claim) => bkashId(core.clock.now(), claim));
  const found = await read((db) => waitingClaims(db, { merchant: shop.brand.merchantId }, ids));
  t.is(found.length, MANY);
  const [[sql, parameters] = ['', []]] = [...statements];
  const plan = await core.store.read((db) => planOf(db, sql, parameters));
  t.regex(plan, /Index Cond: \(\(merchant_id = .*\) AND \(reference = r\.reference\)\)/);
});
