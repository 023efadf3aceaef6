/** What owners hear of money: completed payments where somebody wants them, and what waits for a person. */
import test from 'ava';
import { addAlertTarget } from '../../../src/actions/alerts/alert-targets.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import type { Core } from '../../../src/actions/core/core.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { prune } from '../../../src/actions/upkeep/prune.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';
import { recorded } from '../../helpers/stores/plans.js';

const DAY = 86_400_000;
const want = (core: Core, events: string) =>
  addAlertTarget(core, { target: { kind: 'command', command: events }, choices: { events }, who: 'test' });
const told = async (core: Core) =>
  (await listAlerts(core, { open: false, limit: 20 })).map(({ event, message }) => `${event}: ${message}`);

for (const engine of engines) {
  test(`${engine}: a completed payment raises one alert, however often it is claimed`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    await want(core, 'payment.completed');
    const session = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    for (let n = 0; n < 2; n += 1) await answer(core, shop, session, trxId);
    const [only, ...others] = await listAlerts(core, { open: false, limit: 20 });
    t.deepEqual(others, []);
    t.like(only, { event: 'payment.completed', state: 'over', merchant: 'Alo Store' });
    t.like(only?.detail, { channel: 'mfs_a', reference: trxId, amount: '500.00', customer: 'Customer' });
    t.regex(only?.message ?? '', /^500\.00 BDT from Customer for Alo Store \(mfs_a\)\. Payment \w{12} is/);
  });

  test(`${engine}: a payment under review raises one alert, and its approval one for the payment`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    await want(core, 'money');
    const session = await shop.order(50_000);
    const { trxId, text } = money('900.00');
    t.is(await answer(core, shop, session, trxId), 'transaction_not_found');
    await shop.receive(text);
    await answer(core, shop, session, trxId);
    const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
    const [first, ...others] = await told(core);
    t.deepEqual(others, []);
    t.true(first?.includes(`owes Alo Store 500.00 BDT and claims ${trxId}`), first);
    t.true(first?.includes(`kashbox verifications show ${review?.id}`), first);
    await approveReview(core, { id: review?.id ?? '', note: 'seen', who: 'test' });
    t.true((await told(core)).some((line) => line.startsWith('payment.completed: 900.00 BDT')));
  });

  test(`${engine}: with nobody who wants it a payment costs no row and no question more`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    await want(core, 'default');
    const statements = new Map<string, readonly unknown[]>();
    const session = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(recorded(core, statements), shop, session, trxId), 'completed');
    t.true(statements.size > 0);
    t.deepEqual(
      [...statements.keys()].filter((sql) => /^(insert|select).*"?alert/i.test(sql)),
      [],
    );
    t.deepEqual(await told(core), []);
  });

  test(`${engine}: alerts of payments are forgotten after a week, whatever else is kept`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    await want(core, 'all');
    const session = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    await answer(core, shop, session, trxId);
    clock.advance(7 * DAY);
    await prune(core);
    t.is((await told(core)).length, 1);
    clock.advance(1);
    await prune(core);
    t.deepEqual(await told(core), []);
  });
}
