/** Nothing on the way of a call of the app "SMS Gateway for Android" scans a table. */
import { createHmac } from 'node:crypto';
import test from 'ava';
import { authenticateApp, authenticateWebhook } from '../../src/actions/access/authenticate-device.js';
import { sendDispatch } from '../../src/actions/dispatches/send-dispatch.js';
import { appOutbox, takeAppReports } from '../../src/actions/relay/lease-dispatches.js';
import { openShop } from '../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

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
