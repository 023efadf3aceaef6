/** What each phone brought, missed and sent; on both engines. */
import test from 'ava';
import { enrollDevice, revokeDevice } from '../../../src/actions/devices/enroll-device.js';
import { reportDevices } from '../../../src/actions/reports/report-devices.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { MINUTE, till } from '../../helpers/shop/balance-till.js';
import { putRelayRows } from '../../helpers/shop/relay-rows.js';
import { answer } from '../../helpers/shop/scene.js';
import { engines } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;

for (const engine of engines) {
  test(`${engine}: a phone's SMS, payments, gaps and dispatches of these days are counted`, async (t) => {
    const { core, shop, paid, clock } = await till(t, engine);
    await enrollDevice(core, { merchant: 'Alo Store', name: 'spare', sims: ['1=01811000001'], who: 'test' });
    const text = paid(50_050, 1);
    await shop.receive(
      text,
      'Your verification code is 1234',
      paid(100, 2).replace('You have received', 'Got'),
    );
    const order = await shop.order(50_050);
    t.is(await answer(core, shop, order, /TrxID (\w+)/.exec(text)?.[1] ?? ''), 'completed');
    await putRelayRows(core, shop, clock.now());
    await core.store.write((db) =>
      db.query
        .updateTable('devices')
        .set({ last_seen_at: clock.now() })
        .where('name', '!=', 'spare')
        .execute(),
    );
    const rows = await reportDevices(core, { fromMs: clock.now() });
    t.deepEqual(
      rows.map(({ name }) => name),
      ['Alo Store phone', 'spare'],
    );
    t.like(rows[0], {
      merchant: 'Alo Store',
      state: 'ONLINE',
      last_seen_at: dhakaIso(clock.now()),
      sms: 3,
      money: 1,
      unread: 1,
      other: 1,
      completed: 1,
      paid: '500.50',
      gaps: 2,
      open_gaps: 1,
      sent: 1,
      failed: 0,
      unknown: 0,
    });
    t.like(rows[1], { state: 'OFFLINE', last_seen_at: null, sms: 0, paid: '0.00', silences: 0 });
    clock.advance(DAY);
    t.like((await reportDevices(core, { fromMs: clock.now() }))[0], {
      sms: 0,
      completed: 0,
      gaps: 0,
      sent: 0,
    });
  });

  test(`${engine}: silence counts from the last contact, and only within the reported days`, async (t) => {
    const { core, shop, clock } = await till(t, engine);
    const silence = (id: string, from: number, ended_at: number | null) =>
      core.store.write((db) =>
        db.query
          .insertInto('alerts')
          .values({
            id,
            kind: 'device.offline',
            merchant_id: shop.merchantId,
            device_id: shop.deviceId,
            incident: id,
            detail: JSON.stringify({ last_seen_at: dhakaIso(from) }),
            at: from + 15 * MINUTE,
            ended_at,
          })
          .execute(),
      );
    // The clock stands at 12:30 in Bangladesh.
    const now = clock.now();
    const midnight = now - 750 * MINUTE;
    await silence('over_night', midnight - 60 * MINUTE, midnight + 20 * MINUTE);
    await silence('over', midnight - 3 * DAY, midnight - 3 * DAY + 40 * MINUTE);
    await silence('lasts', now - 30 * MINUTE, null);
    const [today] = await reportDevices(core, { fromMs: now });
    t.like(today, { silences: 2, silent_minutes: 50 });
    const [before] = await reportDevices(core, { fromMs: midnight - DAY, toMs: midnight });
    t.like(before, { silences: 1, silent_minutes: 60 });
  });

  test(`${engine}: a revoked phone is listed only for days on which it was active`, async (t) => {
    const { core, shop, paid, clock } = await till(t, engine);
    await shop.receive(paid(100, 1));
    await revokeDevice(core, { device: 'Alo Store phone', who: 'test' });
    t.like((await reportDevices(core, { fromMs: clock.now() }))[0], { state: 'REVOKED', sms: 1 });
    t.deepEqual(await reportDevices(core, { fromMs: clock.now() - 2 * DAY, toMs: clock.now() - DAY }), []);
    await t.throwsAsync(reportDevices(core, { fromMs: 0, merchant: 'none' }), { code: 'invalid_input' });
    await t.throwsAsync(reportDevices(core, { fromMs: clock.now(), merchant: 'none' }), {
      code: 'not_found',
    });
  });
}
