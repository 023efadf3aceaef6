/** Payments are told as they move, each event once, also those of another process; on both engines. */
import test from 'ava';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { followPayments } from '../../../src/actions/sessions/follow-payments.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const SECOND = 1_000;

for (const engine of engines) {
  test(`${engine}: lists opened, completed, reviewed and failed payments once, in order, of one brand or all`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    const other = await openShop(core, 'Other Store', '01711000055');
    await shop.order(5_000);
    clock.advance(60 * SECOND);
    const ending = new AbortController();
    const options = { sinceMs: clock.now(), everyMs: 5, signal: ending.signal };
    const all = followPayments(core, options);
    const own = followPayments(core, { ...options, brand: 'Alo Store' });
    const next = async (from: typeof all) => {
      const { value } = await from.next();
      return value === undefined ? [] : [value.event, value.payment.id, value.payment.status];
    };
    const order = await shop.order(50_000);
    t.deepEqual(await next(all), ['opened', order, 'PENDING']);
    clock.advance(SECOND);
    const { text, trxId } = money('500.00');
    await shop.receive(text);
    await answer(core, shop, order, trxId);
    t.deepEqual(await next(all), ['completed', order, 'COMPLETED']);
    clock.advance(SECOND);
    const failed = await other.link(60_000);
    t.deepEqual(await next(all), ['opened', failed, 'PENDING']);
    clock.advance(SECOND);
    await cancelSession(core, failed);
    t.deepEqual(await next(all), ['failed', failed, 'FAILED']);
    clock.advance(SECOND);
    const waiting = await shop.order(70_000);
    clock.advance(SECOND);
    const over = money('710.00');
    await shop.receive(over.text);
    await answer(core, shop, waiting, over.trxId);
    t.deepEqual(await next(all), ['opened', waiting, 'PENDING']);
    t.deepEqual(await next(all), ['review', waiting, 'PENDING']);
    clock.advance(SECOND);
    const late = await shop.order(80_000);
    clock.advance(60 * SECOND);
    t.deepEqual(await next(all), ['opened', late, 'PENDING'], 'the reader was stopped for a minute');
    const events: unknown[] = [];
    for (let n = 0; n < 4; n += 1) events.push(await next(own));
    t.deepEqual(events, [
      ['opened', order, 'COMPLETED'],
      ['completed', order, 'COMPLETED'],
      ['opened', waiting, 'PENDING'],
      ['review', waiting, 'PENDING'],
    ]);
    ending.abort();
    t.true((await all.next()).done);
    t.true((await own.next()).done);
    await t.throwsAsync(followPayments(core, { ...options, brand: 'none' }).next(), { code: 'not_found' });
  });
}
