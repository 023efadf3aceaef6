/** Phones that call in one moment are noted together, each as it said, before any of them is answered. */
import test from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { createHeartbeatBatch } from '../../../src/actions/core/heartbeats.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Store } from '../../../src/store/store.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, openTestCore, testClock } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';
import { until } from '../../helpers/until.js';

const health = { battery: 80, charging: 1, network: 'wifi', queued: 2, appVersion: '1.0', problem: 'no SMS' };
const none = {
  battery: null,
  charging: null,
  network: null,
  queued: null,
  appVersion: null,
  problem: null,
};

const rowsOf = (core: Core) =>
  core.store.read((db) =>
    db.query
      .selectFrom('devices')
      .select(['last_seen_at', 'battery', 'charging', 'network', 'queued', 'app_version', 'problem'])
      .orderBy('name')
      .execute(),
  );

async function openPhones(core: Core): Promise<[string, string, string]> {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push((await openShop(core, `Shop ${n}`, `0171100000${n}`)).deviceId);
  return ids as [string, string, string];
}

for (const engine of engines) {
  test(`${engine}: phones that call at once share a unit of work, each noted as it said`, async (t) => {
    const core = await openTestCore(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    let units = 0;
    const write: Store['write'] = (work) => {
      units += 1;
      return watched.store.write(work);
    };
    const roll = createHeartbeatBatch({ engine, write });
    const [first, second, third] = await openPhones(core);
    await Promise.all([
      roll.note({ id: third, seenAt: 3, health }),
      roll.note({ id: first, seenAt: 1, health: none }),
      roll.note({ id: second, seenAt: 2, health: null }),
      roll.note({ id: third, seenAt: 4, health: null }),
    ]);
    t.is(units, 1);
    const said = {
      battery: 80,
      charging: 1,
      network: 'wifi',
      queued: 2,
      app_version: '1.0',
      problem: 'no SMS',
    };
    const { appVersion: app_version, ...others } = none;
    const unsaid = { ...others, app_version };
    t.deepEqual(await rowsOf(core), [
      { last_seen_at: 1, ...unsaid },
      { last_seen_at: 2, ...unsaid },
      { last_seen_at: 4, ...said },
    ]);
    await roll.note({ id: third, seenAt: 5, health: { ...none, battery: 7 } });
    await roll.note({ id: third, seenAt: 6, health: null });
    t.deepEqual((await rowsOf(core))[2], { last_seen_at: 6, ...unsaid, battery: 7 });
    await roll.note({ id: third, seenAt: 7, health });
    await Promise.all([
      roll.note({ id: third, seenAt: 8, health: { battery: 8, network: 'lte', problem: null } }),
      roll.note({ id: third, seenAt: 9, health: { battery: null, network: undefined } }),
    ]);
    t.deepEqual(
      (await rowsOf(core))[2],
      { last_seen_at: 9, ...said, battery: null, network: 'lte', problem: null },
      'each thing stays as it was said last',
    );
    await findByIndex(t, core, statements);
  });
}

test('a phone that brings an SMS does not wait for others, and is noted with its SMS', async (t) => {
  const opened = await openTestCore(t, 'sqlite', { clock: testClock() });
  const core = { ...opened, heartbeats: { note: () => new Promise<void>(() => {}) } };
  const { device } = await openShop(core);
  const body = 'Your code is 1234';
  const sms = { id: '1', sender: 'bKash', body, received_at: dhakaIso(core.clock.now()) };
  await syncDevice(core, { device, messages: [sms], health: { battery: 41, charging: true } });
  const [row] = await rowsOf(core);
  t.like(row, { battery: 41, charging: 1, last_seen_at: core.clock.now() });
});

test('a failing store rejects all waiting calls, and the next call is recorded', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const [first, second] = await openPhones(core);
  let isAway = true;
  const roll = createHeartbeatBatch({
    engine: 'sqlite',
    write: (work) => (isAway ? Promise.reject(new Error('away')) : core.store.write(work)),
  });
  const both = [first, second].map((id) => roll.note({ id, seenAt: 1, health: null }));
  for (const noted of both) await t.throwsAsync(noted, { message: 'away' });
  isAway = false;
  await roll.note({ id: first, seenAt: 9, health: null });
  t.is((await rowsOf(core))[0]?.last_seen_at, 9);
});

test('on PostgreSQL one transaction at a time records phones, and calls during it share the next', async (t) => {
  const core = await openTestCore(t, 'postgres');
  const [first, second, third] = await openPhones(core);
  let open = 0;
  let most = 0;
  let units = 0;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const roll = createHeartbeatBatch({
    engine: 'postgres',
    write: async (work) => {
      units += 1;
      open += 1;
      most = Math.max(most, open);
      await held;
      return core.store.write(work).finally(() => {
        open -= 1;
      });
    },
  });
  const noted = roll.note({ id: first, seenAt: 1, health: null });
  await until(() => units === 1);
  const others = [second, third, first].map((id, at) => roll.note({ id, seenAt: at + 2, health: null }));
  // Longer than the others would be gathered.
  await new Promise((resolve) => setTimeout(resolve, 100));
  letGo();
  await Promise.all([noted, ...others]);
  t.is(most, 1);
  t.is(units, 2);
  t.deepEqual((await rowsOf(core)).map((row) => row.last_seen_at).sort(), [2, 3, 4]);
});
