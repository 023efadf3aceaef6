/** Nothing on the way of an outbound SMS scans a table. */
import test from 'ava';
import { authenticateGateway } from '../../src/actions/access/authenticate-gateway.js';
import { rotateDevice } from '../../src/actions/devices/enroll-device.js';
import { cancelDispatch, endDispatches, findDispatch } from '../../src/actions/dispatches/dispatches.js';
import { sendDispatch } from '../../src/actions/dispatches/send-dispatch.js';
import { leaseToPhone } from '../../src/actions/relay/lease-dispatches.js';
import { idsOf, openSendingShop, sent } from '../helpers/shop/dispatches.js';
import { engines } from '../helpers/stores/engines.js';
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
