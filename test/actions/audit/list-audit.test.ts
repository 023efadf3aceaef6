/** The audit can be read: by what changed, by whom, by action and by time; on both engines. */
import test from 'ava';
import { listAudit } from '../../../src/actions/audit/list-audit.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { listPayments } from '../../../src/actions/sessions/list-payments.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

for (const engine of engines) {
  test(`${engine}: entries are found by subject, number of a payment, who, action and time, newest first`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    const begun = clock.now();
    clock.advance(60_000);
    const order = await shop.order(50_000);
    const { text, trxId } = money('500.00');
    await shop.receive(text);
    await answer(core, shop, order, trxId);
    const other = await shop.link(50_000);
    await cancelSession(core, other);
    const all = await listAudit(core, { limit: 1_000 });
    t.deepEqual(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    t.true(all.some(({ action }) => action === 'merchant.create'));
    const [payment] = (await listPayments(core, { limit: 5 })).filter(({ id }) => id === order);
    const number = payment?.gateway_reference.toLowerCase() ?? '';
    for (const of of [order, number]) {
      const own = await listAudit(core, { of, limit: 10 });
      t.true(own.length > 0, of);
      t.true(
        own.every(({ subject }) => subject === order),
        of,
      );
    }
    const credits = await listAudit(core, { action: 'payment.credit', limit: 10 });
    t.deepEqual(
      credits.map(({ subject, who }) => [subject, who]),
      [[order, 'rule']],
    );
    const nouns = await listAudit(core, { action: 'payment', limit: 100 });
    t.true(nouns.length > 1 && nouns.every(({ action }) => action.startsWith('payment.')));
    t.deepEqual(await listAudit(core, { action: 'pay', limit: 10 }), [], 'a noun is whole');
    t.true((await listAudit(core, { who: 'test', limit: 100 })).every(({ who }) => who === 'test'));
    const later = await listAudit(core, { sinceMs: begun + 1, limit: 100 });
    t.true(later.length > 0 && later.length < all.length);
    const earlier = await listAudit(core, { untilMs: begun + 1, limit: 100 });
    t.is(earlier.length + later.length, all.length);
    t.is((await listAudit(core, { limit: 2 })).length, 2);
    t.deepEqual(await listAudit(core, { of: 'nothing', limit: 5 }), []);
  });
}
