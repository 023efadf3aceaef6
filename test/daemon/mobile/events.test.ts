/** The stream on which the app waits: it is told what to fetch, and ends with its key. */
import test from 'ava';
import { rotateDevice } from '../../../src/actions/devices/enroll-device.js';
import { sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { findDevices } from '../../../src/store/tables/devices.js';
import { until } from '../../helpers/until.js';
import { openPorts, openTlsWire, type Ports, requestText } from '../wire.js';

const DEVICE = 'Alo Store phone';

function events({ shop }: Ports): string {
  const authorization = `Bearer ${shop.deviceKey}`;
  return requestText('GET /mobile/v1/events', { authorization, accept: 'text/event-stream' });
}

test('the app is asked to fetch its settings, then each SMS, then its inbox, until its key is invalid', async (t) => {
  const ports = await openPorts(t);
  const { core, shop } = ports;
  const wire = await openTlsWire(t, ports.httpsPort);
  wire.socket.write(events(ports));
  const heard = (event: string) => until(() => wire.received().includes(`event: ${event}\ndata: {`));
  await heard('WebhooksUpdated');
  t.regex(wire.received(), /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream/);
  t.true(wire.received().includes('event: SettingsUpdated\n'));
  t.false(wire.received().includes('MessageEnqueued'));

  const { deviceId, merchantId } = shop;
  const gateway = { deviceId, merchantId, name: DEVICE, lastSeenAt: null };
  await sendDispatch(core, { gateway, who: null, number: '01711000009', message: 'hello' });
  await heard('MessageEnqueued');

  const since = core.clock.now() - 3_600_000;
  await core.store.write((db) =>
    db.query.updateTable('devices').set({ resend_since: since }).where('id', '=', deviceId).execute(),
  );
  core.called.tell(deviceId);
  await heard('MessagesExportRequested');
  t.true(wire.received().includes(`"since":"${new Date(since).toISOString()}"`));
  const [device] = await core.store.read((db) => findDevices(db, DEVICE));
  t.is(device?.resend_since, null);

  await rotateDevice(core, { device: DEVICE, who: 'test' });
  await wire.closed;
  const again = await openTlsWire(t, ports.httpsPort);
  again.socket.write(events(ports));
  await until(() => again.received().includes('\r\n\r\n'));
  t.regex(again.received(), /^HTTP\/1\.1 401 /);
});

test('an SMS queued before the app connects is announced with the first lines', async (t) => {
  const ports = await openPorts(t);
  const { deviceId, merchantId } = ports.shop;
  const gateway = { deviceId, merchantId, name: DEVICE, lastSeenAt: null };
  await sendDispatch(ports.core, { gateway, who: null, number: '01711000009', message: 'hello' });
  const wire = await openTlsWire(t, ports.httpsPort);
  wire.socket.write(events(ports));
  await until(() => wire.received().includes('event: MessageEnqueued\n'));
  t.pass();
});
