/** What `/metrics` counts of payments and SMS: each once, whichever process took it, and never fewer. */
import test from 'ava';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { type Activity, openActivity } from '../../../src/actions/upkeep/count-activity.js';
import { answer, refundSent, scene } from '../../helpers/shop/scene.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const NO_REFUNDS = { refunds: {}, refundedPaisa: {} };
const NONE: Activity = { opened: {}, completed: {}, paisa: {}, failed: {}, sms: {}, ...NO_REFUNDS };

for (const engine of enginesOfTier) {
  test(`${engine}: payments, money and SMS are counted once, however often and late they are counted`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    await shop.order(100);
    clock.advance(1);
    const count = openActivity(core);
    t.deepEqual(await count(), NONE, 'what was there before is not counted');
    const order = await shop.order(50_000);
    const { text, trxId } = money('500.00');
    await shop.receive(text, 'Hello');
    t.is(await answer(core, shop, order, trxId), 'completed');
    await refundSent(core, trxId, 20_000);
    const cancelled = await shop.link(20_000);
    await cancelSession(core, cancelled);
    await shop.link(30_000);
    const first: Activity = {
      opened: { headless: 1, hosted: 2 },
      completed: { mfs_a: 1 },
      paisa: { mfs_a: 50_000 },
      failed: { cancelled: 1 },
      sms: { received: 1, notice: 1 },
      ...{ refunds: { mfs_a: 1 }, refundedPaisa: { mfs_a: 20_000 } },
    };
    t.deepEqual(await count(), first);
    t.deepEqual(await Promise.all([count(), count()]), [first, first], 'at the same time');
    for (const seconds of [1, 29, 30, 31, 3_000]) {
      clock.advance(seconds * 1_000);
      t.deepEqual(await count(), first, `${seconds} s later`);
    }
    clock.advance(10 * MINUTE);
    await expireSessions(core);
    t.deepEqual(await count(), { ...first, failed: { cancelled: 1, expired: 2 } });
  });
}

test('a clock that is set back, and rows of a clock that is ahead, change nothing of what was counted', async (t) => {
  const { core, shop, clock } = await scene(t, 'sqlite');
  const count = openActivity(core);
  await shop.order(100);
  t.deepEqual((await count()).opened, { headless: 1 });
  clock.advance(-20 * MINUTE);
  t.deepEqual((await count()).opened, { headless: 1 });
  clock.advance(25 * MINUTE);
  await shop.order(100);
  clock.advance(-4 * MINUTE);
  t.deepEqual((await count()).opened, { headless: 2 }, 'from the future');
  clock.advance(60 * MINUTE);
  t.deepEqual((await count()).opened, { headless: 2 });
});

test('after a pause of more than an hour the hour is counted, and nothing is taken back', async (t) => {
  const { core, shop, clock } = await scene(t, 'sqlite');
  const count = openActivity(core);
  await shop.order(100);
  t.deepEqual((await count()).opened, { headless: 1 });
  clock.advance(10 * MINUTE);
  await shop.order(100);
  clock.advance(60 * MINUTE);
  await shop.order(100);
  clock.advance(10 * MINUTE);
  t.deepEqual((await count()).opened, { headless: 2 }, 'that of before the hour is left out');
});
