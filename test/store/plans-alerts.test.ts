/** Device status and the telling of alerts find their rows by an index, however many phones there are. */
import test from 'ava';
import { addAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { recordDelivery, takeAlertMessages } from '../../src/actions/alerts/deliver-alerts.js';
import { endAlert, raiseAlert } from '../../src/actions/alerts/raise-alert.js';
import { readDeviceStatus } from '../../src/actions/devices/device-status.js';
import { countAlertsOf, openAlertsOf } from '../../src/store/tables/alerts.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

for (const engine of engines) {
  test(`${engine}: the status of phones, an alert and its telling are found by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { deviceKey, deviceId, merchantId } = await openShop(core);
    await addAlertTarget(core, { target: { kind: 'command', command: 'true' }, who: 'test' });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);

    await readDeviceStatus(watched, { keys: [deviceKey, 'dk_1', 'dk_2'].join() });
    t.is(statements.size, 1, 'one query for all keys');
    const kind = 'device.battery_low';
    const news = { kind, merchantId, deviceId, incident: 'a', detail: { battery: 7 } } as const;
    await watched.store.write((db) => raiseAlert(watched, db, news));
    await watched.store.read((db) => countAlertsOf.all(db, { device: deviceId, kind }));
    await watched.store.read((db) => openAlertsOf.all(db, { device: deviceId }));
    const [message] = (await takeAlertMessages(watched, { busy: new Set() })).taken;
    if (message === undefined) return t.fail('nothing was due');
    await recordDelivery(watched, message, {
      isDelivered: true,
      isBusy: false,
      detail: '',
      retryAfterS: null,
    });
    await watched.store.write((db) => endAlert(watched, db, 'a'));

    // Targets are few, and for which of them something waits is read from the index of what waits alone.
    const found = [...statements].filter(([text]) => !/from "alert_targets"|group by/.test(text));
    t.true(found.length > 8, `${found.length} statements were seen`);
    await findByIndex(t, core, new Map(found));
  });
}
