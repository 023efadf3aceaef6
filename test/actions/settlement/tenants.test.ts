/** What one merchant's phone, account or address says decides nothing for another. */

import test from 'ava';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { checkTenants } from '../../../src/actions/doctor/check-shops.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { inEnglish } from '../../helpers/in-english.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

for (const engine of engines) {
  test(`${engine}: an id that another merchant's phone made up on its own number takes nothing from this one`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const thief = await openShop(core, 'Thief Store', '01911000009');
    const { trxId, text } = money('500.00');
    await thief.receive(text);
    t.is(await answer(core, thief, await thief.order(50_000), trxId), 'completed');
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, trxId), 'transaction_not_found');
    await shop.receive(text);
    t.is((await showPayment(core, session)).status, 'COMPLETED');
    t.is(
      await answer(core, shop, await shop.order(50_000), trxId),
      'already_credited',
      'here it is spent once',
    );
    t.is((await rows(core, 'transactions')).length, 2);
  });

  test(`${engine}: when two merchants claim one wallet, the second credit needs manual review, once`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const thief = await openShop(core, 'Thief Store', WALLET);
    const { trxId, text } = money('500.00');
    await thief.receive(text);
    t.is(await answer(core, thief, await thief.order(50_000), trxId), 'completed');
    await shop.receive(text);
    const session = await shop.order(50_000);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
    t.like(review, { reason: 'other_merchant', payment: session, seen_amount: '500.00' });
    const [alert] = await listAlerts(core, { open: false, limit: 5 });
    t.like(alert, { event: 'payment.other_merchant', merchant_id: shop.merchantId });
    await approveReview(core, { id: review?.id ?? '', note: 'it is in our wallet', who: 'test' });
    t.like(await showPayment(core, session), { status: 'COMPLETED', transaction_id: trxId });
    t.is(await answer(core, shop, session, trxId), 'completed');
    t.is(await answer(core, shop, await shop.order(50_000), trxId), 'already_credited');
    t.is(await answer(core, thief, await thief.order(50_000), trxId), 'already_credited');
    t.is((await rows(core, 'transactions')).length, 2);
  });

  test(`${engine}: the doctor fails where two merchants claim one wallet number`, async (t) => {
    const { core } = await scene(t, engine);
    t.deepEqual(await inEnglish(checkTenants(core)), []);
    await openShop(core, 'Other Store', '01911000009');
    t.deepEqual(await inEnglish(checkTenants(core)), []);
    await openShop(core, 'Thief Store', WALLET);
    const [check, ...others] = await inEnglish(checkTenants(core));
    t.like(check, { state: 'fail', name: `account ${WALLET}` });
    t.regex(check?.message ?? '', /Alo Store and Thief Store share/);
    t.regex(check?.remedy ?? '', /kashbox accounts disable acc_/);
    t.deepEqual(others, []);
  });
}
