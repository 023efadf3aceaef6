/** What a claim costs, and claims that come after the end of a headless payment. */
import test from 'ava';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { answer, rows, scene } from '../../helpers/shop/scene.js';
import { bkashId } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;

for (const engine of engines) {
  test(`${engine}: asking for one reference again and again costs nothing, only different ones count to 30`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    for (let n = 0; n < 40; n += 1) t.is(await answer(core, shop, session, trxId), 'transaction_not_found');
    for (let n = 100; n < 129; n += 1) {
      t.is(await answer(core, shop, session, bkashId(clock.now(), n)), 'transaction_not_found', `${n}`);
    }
    t.is(await answer(core, shop, session, bkashId(clock.now(), 129)), 'too_many_attempts');
    t.is(await answer(core, shop, session, trxId), 'transaction_not_found', 'that one was asked for before');
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'completed');
  });

  test(`${engine}: a mismatching or already credited id costs one attempt, however often claimed`, async (t) => {
    const { core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    const [less, spent] = [money('499.00'), money('500.00')];
    await shop.receive(less.text, spent.text);
    t.is(await answer(core, shop, await shop.order(50_000), spent.trxId), 'completed');
    for (let n = 0; n < 20; n += 1) {
      t.is(await answer(core, shop, session, less.trxId), 'proof_disagrees');
      t.is(await answer(core, shop, session, spent.trxId), 'already_credited');
      t.is(await answer(core, shop, session, 'no-id!'), 'transaction_not_found');
    }
    const found = await core.store.read((db) =>
      db.query.selectFrom('sessions').where('id', '=', session).select('misses').executeTakeFirst(),
    );
    t.is(found?.misses, 2);
  });

  test(`${engine}: headless money received in time but claimed after expiry goes to review`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    clock.advance(50 * MINUTE);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    clock.advance(20 * MINUTE);
    await expireSessions(core);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    t.is(await answer(core, shop, session, trxId), 'under_review');
    const [review, ...others] = await listReviews(core, { state: 'OPEN', limit: 5 });
    t.like(review, { reason: 'late', payment: session, payment_status: 'FAILED' });
    t.deepEqual(others, []);
  });

  test(`${engine}: a claim after the end waits for the SMS of money that was sent in time`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    clock.advance(50 * MINUTE);
    const { trxId, text } = money('500.00');
    clock.advance(20 * MINUTE);
    t.is(await answer(core, shop, session, trxId), 'session_not_found');
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'under_review');
    t.is((await rows(core, 'transactions')).length, 0);
  });

  test(`${engine}: to a shop a session that is over is gone where no money came in its time`, async (t) => {
    const { clock, core, shop, money } = await scene(t, engine);
    const session = await shop.order(50_000);
    const small = money('1.00');
    await shop.receive(small.text);
    clock.advance(70 * MINUTE);
    const { trxId, text } = money('500.00');
    await shop.receive(text);
    t.is(await answer(core, shop, session, trxId), 'session_not_found', 'it was sent after the end');
    t.is(await answer(core, shop, session, small.trxId), 'session_not_found');
    t.is(await answer(core, shop, session, 'NEVERSEEN1'), 'session_not_found');
    t.deepEqual(await listReviews(core, { state: 'OPEN', limit: 5 }), []);
    clock.advance(48 * 60 * MINUTE);
    t.is(await answer(core, shop, session, trxId), 'session_not_found');
  });
}
