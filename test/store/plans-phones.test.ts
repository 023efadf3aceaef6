/** Nothing on the way of an outbound SMS, of an app's call or of an alert scans a table. */
import { createHmac } from 'node:crypto';
import test from 'ava';
import { authenticateApp, authenticateWebhook } from '../../src/actions/access/authenticate-device.js';
import { authenticateGateway } from '../../src/actions/access/authenticate-gateway.js';
import { addAlertTarget } from '../../src/actions/alerts/alert-targets.js';
import { recordDelivery, takeAlertMessages } from '../../src/actions/alerts/deliver-alerts.js';
import { endAlert, raiseAlert } from '../../src/actions/alerts/raise-alert.js';
import { getDeviceStatus } from '../../src/actions/devices/device-status.js';
import { rotateDevice } from '../../src/actions/devices/enroll-device.js';
import { cancelDispatch, endDispatches, findDispatch } from '../../src/actions/dispatches/dispatches.js';
import { sendDispatch } from '../../src/actions/dispatches/send-dispatch.js';
import { appOutbox, leaseToPhone, takeAppReports } from '../../src/actions/relay/lease-dispatches.js';
import { countDeviceAlerts, openDeviceAlerts } from '../../src/store/tables/alerts.js';
import { idsOf, openSendingShop, sent } from '../helpers/shop/dispatches.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

for (const engine of engines) {
  test(`${engine}: every statement of sending, handing out and reporting finds its rows by an index`, async (t) => {
    const { core, clock, shop } = await openSendingShop(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const { deviceId } = shop;
    const key = (await rotateDevice(core, { device: deviceId, who: 'test' })).gateway_key;
    const gateway = await authenticateGateway(watched, { keys: [key], ip: '127.0.0.1' });
    const send = async (idempotencyKey: string) => {
      const input = {
        gateway,
        number: '01812345678',
        message: 'Hello',
        simSlot: 1,
        idempotencyKey,
        who: null,
      };
      return (await sendDispatch(watched, input)).dispatch.id;
    };
    const ask = async (held: readonly string[], told: readonly string[]) => {
      const reports = told.map((id) => sent(id));
      return idsOf(await leaseToPhone(watched, { deviceId, outbox: { journal: 'j1', held }, reports }));
    };
    const [held, told, lost] = [await send('a'), await send('b'), await send('c')];
    t.is((await ask([], [])).length, 3);
    t.deepEqual(await ask([held], [told]), [lost]);
    clock.advance(6 * 60_000);
    await ask([held, lost], []);
    await cancelDispatch(watched, { id: await send('d'), who: 'test' });
    await send('e');
    await findDispatch(watched, { id: held, deviceId });
    clock.advance(60 * 60_000);
    t.is(await endDispatches(watched), 3);

    t.true(statements.size >= 15, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });
}

for (const engine of engines) {
  test(`${engine}: every statement of the app's calls finds its rows by an index`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const { deviceId, merchantId, deviceKey } = await openShop(watched);
    const gateway = { deviceId, merchantId, name: 'Alo Store phone', lastSeenAt: null };
    await sendDispatch(watched, { gateway, who: null, number: '01711000009', message: 'hello' });
    statements.clear();

    const phone = await authenticateApp(watched, { key: deviceKey });
    const [message] = await appOutbox(watched, phone);
    const id = message?.id ?? '';
    await takeAppReports(watched, phone, [
      { id, state: 'SENT' },
      { id, state: 'DELIVERED_PART', envelope: 'one' },
      { id, state: 'DELIVERED' },
    ]);
    const body = Buffer.from('{}');
    const timestamp = String(Math.floor(core.clock.now() / 1000));
    const signature = createHmac('sha256', phone.signingKey).update(`{}${timestamp}`).digest('hex');
    const caller = await authenticateWebhook(watched, { deviceId, body, signature, timestamp });
    t.is(caller.registration, phone.registration);

    t.true(statements.size > 10, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });
}

for (const engine of engines) {
  test(`${engine}: the status of phones, an alert and its delivery are found by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const { deviceKey, deviceId, merchantId } = await openShop(core);
    await addAlertTarget(core, { target: { kind: 'command', command: 'true' }, who: 'test' });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);

    await getDeviceStatus(watched, { keys: [deviceKey, 'dk_1', 'dk_2'].join() });
    t.is(statements.size, 1, 'one query for all keys');
    const kind = 'device.battery_low';
    const news = { kind, merchantId, deviceId, incident: 'a', detail: { battery: 7 } } as const;
    await watched.store.write((db) => raiseAlert(watched, db, news));
    await watched.store.read((db) => countDeviceAlerts.all(db, { device: deviceId, kind }));
    await watched.store.read((db) => openDeviceAlerts.all(db, { device: deviceId }));
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
