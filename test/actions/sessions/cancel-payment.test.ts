/** An operator cancels what is open, and nothing in which there may be money. */
import test from 'ava';
import { cancelPayment } from '../../../src/actions/sessions/cancel-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { hostedScene, OPERATOR } from '../../helpers/shop/hosted.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

for (const engine of enginesOfTier) {
  test(`${engine}: an open payment is cancelled once, by its number, and the audit names who`, async (t) => {
    const { core, shop, money, order, claim } = await hostedScene(t, engine);
    const id = await order(50_000);
    const { gateway_reference: number } = await showPayment(core, id);
    const cancelled = await cancelPayment(core, { payment: number.toLowerCase(), who: OPERATOR });
    t.like(cancelled, { id, status: 'FAILED', reason: 'cancelled' });
    const rows = await core.store.read((db) =>
      db.query.selectFrom('audit').where('subject', '=', id).select(['who', 'action']).execute(),
    );
    t.deepEqual(
      rows.filter(({ action }) => action === 'payment.cancel').map(({ who }) => who),
      [OPERATOR],
    );
    await t.throwsAsync(cancelPayment(core, { payment: id, who: OPERATOR }), {
      code: 'state_refused',
      message: `Only an open payment can be cancelled; ${number} is FAILED (cancelled)`,
    });
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    await claim(id, trxId);
    t.not((await showPayment(core, id)).status, 'COMPLETED', 'what comes later completes nothing by itself');
  });

  test(`${engine}: a payment that is under review or paid cannot be cancelled`, async (t) => {
    const { core, shop, money, order, claim } = await hostedScene(t, engine);
    const pay = async (due: number) => {
      const { trxId, text } = money('500.00');
      await shop.receive(text);
      const id = await order(due);
      await claim(id, trxId);
      return id;
    };
    const [paid, tooMuch] = [await pay(50_000), await pay(40_000)];
    for (const [payment, message] of [
      [paid, /is COMPLETED \(credited\)/],
      [tooMuch, /is under review/],
    ] as const) {
      await t.throwsAsync(cancelPayment(core, { payment, who: OPERATOR }), {
        code: 'state_refused',
        message,
      });
    }
    await t.throwsAsync(cancelPayment(core, { payment: 'NOBODY', who: OPERATOR }), { code: 'not_found' });
  });
}
