/** Two merchants of one installation who name the same exchange account: one payment is credited to one. */
import test from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { EXCHANGE_KEY, EXCHANGE_SECRET, EXCHANGE_USER } from '../../helpers/outside/exchange-server.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { IDS, order, pay, scene, verify } from './scene.js';

const who = 'test';

for (const engine of enginesOfTier) {
  for (const [first, second] of [
    [IDS.orderId, IDS.transactionId],
    [IDS.transactionId, IDS.orderId],
    [IDS.orderId, IDS.orderId],
  ] as const) {
    const how = `${first === IDS.orderId ? 'order' : 'transaction'} id, then ${second === IDS.orderId ? 'order' : 'transaction'} id`;
    test(`${engine}: money credited to another merchant needs manual review, under either id (${how})`, async (t) => {
      const given = await scene(t, { engine });
      const { core } = given.api;
      await createMerchant(core, { name: 'Other Store', allowIps: [], who });
      await setRate(core, { brand: 'Other Store', rate: '120', who });
      await setAccount(core, {
        ...{ brand: 'Other Store', channel: 'exchange_pay', type: 'personal', number: EXCHANGE_USER, who },
        details: { base_url: given.exchange.url },
        credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
      });
      const brand = await brandContext(core, 'Other Store');
      const about = { brand, hosted: null, cusName: 'T', cusEmail: '', metaJson: null };
      const theirs = await createSession(core, { ...about, amountPaisa: 50_000 });
      const mine = await order(given.api);
      pay(given, IDS);
      const claim = { brand, sessionId: theirs.id, method: 'exchange_pay', reference: first } as const;
      t.is((await verifyClaim(core, claim)).outcome, 'completed');
      const asked = await verify(given.api, mine.id, second);
      t.is(asked.statusCode, 202, asked.body);
      const [review, ...others] = await listReviews(core, { state: 'OPEN', limit: 5 });
      t.like(review, { reason: 'other_merchant', payment: mine.id });
      t.deepEqual(others, []);
      const alerts = await listAlerts(core, { open: false, limit: 5 });
      t.deepEqual(alerts.map(({ event }) => event).sort(), ['payment.other_merchant', 'review.waiting']);
      t.is((await verify(given.api, mine.id, first)).statusCode, 202);
      t.is((await listReviews(core, { state: 'OPEN', limit: 5 })).length, 1, 'a person is asked once');
    });
  }
}
