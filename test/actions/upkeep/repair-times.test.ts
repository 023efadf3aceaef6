/** A clock was days ahead and was set right: nothing that it has written waits until its time comes. */
import test from 'ava';
import { listGaps } from '../../../src/actions/balance-gaps/list-gaps.js';
import { watchDevices } from '../../../src/actions/devices/watch-devices.js';
import { endDispatches } from '../../../src/actions/dispatches/dispatches.js';
import { repairTimes } from '../../../src/actions/upkeep/repair-times.js';
import { MINUTE, START, till } from '../../helpers/shop/balance-till.js';
import { idsOf, openSendingShop } from '../../helpers/shop/dispatches.js';
import { engines } from '../../helpers/stores/engines.js';

const DAY = 1_440 * MINUTE;

for (const engine of engines) {
  test(`${engine}: missing SMS are found again`, async (t) => {
    const { clock, core, shop, paid, look } = await till(t, engine);
    clock.advance(2 * DAY);
    await shop.receive(paid(50_000, 0));
    await look();
    clock.advance(-2 * DAY);
    const [, last] = [paid(20_000, 3), paid(10_000, 6)];
    await repairTimes(core);
    await shop.receive(last);
    await look();
    t.like(await listGaps(core, { limit: 10 }), [{ missing: '200.00', closed_at: null }]);
  });

  test(`${engine}: the follow-up of a gap continues`, async (t) => {
    const { clock, core, shop, paid, look } = await till(t, engine, 'forwarder');
    clock.advance(2 * DAY);
    const [first, , last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
    await shop.receive(first, last);
    await look();
    t.is((await listGaps(core, { limit: 10 })).length, 1);
    clock.advance(-2 * DAY);
    await repairTimes(core);
    clock.advance(6 * MINUTE);
    t.is((await look()).told.length, 1);
  });

  test(`${engine}: a phone that falls silent is reported`, async (t) => {
    const { clock, core, shop, paid } = await till(t, engine);
    clock.advance(2 * DAY);
    await shop.receive(paid(50_000, 0));
    await watchDevices(core, { listeningSince: START });
    clock.advance(-2 * DAY);
    await repairTimes(core);
    clock.advance(16 * MINUTE);
    const told = await watchDevices(core, { listeningSince: START });
    t.deepEqual(
      told.map(({ kind }) => kind),
      ['device.offline'],
    );
  });

  test(`${engine}: a phone continues to send, and dispatches without an answer end`, async (t) => {
    const { core, clock, send, ask } = await openSendingShop(t, engine);
    clock.advance(2 * DAY);
    for (let n = 0; n < 24; n += 1) await send();
    t.is(idsOf(await ask(null)).length, 24);
    clock.advance(-2 * DAY);
    await repairTimes(core);
    await send();
    t.is(idsOf(await ask(null)).length, 1, 'the minute in which it has sent so many is not now');
    clock.advance(11 * MINUTE);
    t.is(await endDispatches(core), 25);
  });

  test(`${engine}: claims on a chain are asked for again soon, and those that are due soon stay so`, async (t) => {
    const { clock, core, shop } = await till(t, engine);
    const session = await shop.order(50_000);
    const now = clock.now();
    const claim = {
      merchant_id: shop.merchantId,
      session_id: session,
      channel: 'bep20' as const,
      state: 'WAITING' as const,
    };
    const waits = { a: now + 2 * MINUTE, b: now + 2 * DAY };
    await core.store.write(async (db) => {
      for (const [id, next_at] of Object.entries(waits)) {
        await db.query
          .insertInto('claims')
          .values({ ...claim, id, reference: id, reason: '', created_at: now, decided_at: null, next_at })
          .execute();
      }
    });
    await repairTimes(core);
    const found = await core.store.read((db) =>
      db.query.selectFrom('claims').select(['id', 'next_at']).orderBy('id').execute(),
    );
    t.deepEqual(found, [
      { id: 'a', next_at: waits.a },
      { id: 'b', next_at: now },
    ]);
  });
}
