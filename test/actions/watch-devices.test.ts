/** Phones that fall silent and come back: noted, audited and told of once, however many look. */
import test from 'ava';
import type { Core } from '../../src/actions/core.js';
import { revokeDevice } from '../../src/actions/revoke-device.js';
import { watchDevices } from '../../src/actions/watch-devices.js';
import { type DeviceState, deviceNews } from '../../src/domain/device-state.js';
import { engines, openTestCore, testClock } from '../helpers/engines.js';
import { auditOf } from '../helpers/rows.js';
import { openShop } from '../helpers/shop.js';

const MINUTE = 60_000;

const newsOf = async (core: Core) => (await watchDevices(core)).map(({ news }) => news);

async function auditedNews(core: Core, deviceId: string): Promise<string[]> {
  const rows = await auditOf(core, deviceId);
  return rows
    .filter(({ action }) => /^device\.(on|off)line$/.test(action))
    .map(({ who, action, before, after }) => `${who} ${action} ${before} ${after}`);
}

for (const engine of engines) {
  test(`on ${engine}, a phone that goes offline or comes back is news and in the audit once`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await shop.receive('Hello');
    t.deepEqual(await newsOf(core), [], 'the first look only notes');
    clock.advance(3 * MINUTE);
    t.deepEqual(await newsOf(core), [], 'late is no news');
    clock.advance(12 * MINUTE);
    const gone = await watchDevices(core);
    t.deepEqual(gone, [{ device: shop.deviceId, name: 'Alo Store phone', news: 'offline' }]);
    t.deepEqual(await newsOf(core), []);
    clock.advance(MINUTE);
    await shop.receive('Hello again');
    t.deepEqual(await newsOf(core), ['online']);
    t.deepEqual(await newsOf(core), []);
    t.deepEqual(await auditedNews(core, shop.deviceId), [
      'rule device.offline {"state":"LATE"} {"state":"OFFLINE"}',
      'rule device.online {"state":"OFFLINE"} {"state":"ONLINE"}',
    ]);
  });

  test(`on ${engine}, of several daemons that look at once one tells of it`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await shop.receive('Hello');
    await watchDevices(core);
    clock.advance(15 * MINUTE);
    const told = await Promise.all([1, 2, 3, 4].map(() => newsOf(core)));
    t.deepEqual(told.flat(), ['offline']);
    t.is((await auditedNews(core, shop.deviceId)).length, 1);
  });
}

test('a phone that was never seen is noted, and is news when it is seen at last', async (t) => {
  const core = await openTestCore(t, 'sqlite', { clock: testClock() });
  const shop = await openShop(core);
  t.deepEqual(await newsOf(core), []);
  await shop.receive('Hello');
  t.deepEqual(await newsOf(core), ['online']);
});

test('a phone that is revoked is no news: who did it knows', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  const shop = await openShop(core);
  await shop.receive('Hello');
  await watchDevices(core);
  await revokeDevice(core, { device: shop.deviceId, who: 'test' });
  clock.advance(60 * MINUTE);
  t.deepEqual(await newsOf(core), []);
});

test('only the step into silence and the step out of it are news', (t) => {
  const states: readonly DeviceState[] = ['ONLINE', 'LATE', 'OFFLINE', 'REVOKED'];
  const told = ['', ...states].flatMap((before) =>
    states.map((now) => [before, now, deviceNews(before, now)].join(' ')),
  );
  t.deepEqual(
    told.filter((line) => !line.endsWith(' none')),
    ['ONLINE OFFLINE offline', 'LATE OFFLINE offline', 'OFFLINE ONLINE online', 'OFFLINE LATE online'],
  );
});
