/** What is open is read anew: what became of it, that it is gone, and why it could not be read. */
import test from 'ava';
import { loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { loadDetails } from '../../src/monitor/reader.js';
import { storeSource } from '../../src/monitor/source-store.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { operator } from './frames.js';

test('an open thing is what the store says of it by now, and what the panel says where the store has no more', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const source = storeSource(async () => core, operator);
  const { notifications, devices } = await loadDashboard(core);
  const { id: key = '' } = notifications.failing[0] ?? {};
  const open = () =>
    loadDetails(source, { panel: 'notifications', key, row: null, last: { state: 'FAILED', id: key } });
  t.like(await open(), { key, thing: { state: 'FAILED', id: key, attempts: [] }, note: null });
  await core.store.write((db) =>
    db.query.updateTable('notifications').set({ state: 'PENDING' }).where('id', '=', key).execute(),
  );
  t.like(await open(), { thing: { state: 'PENDING' }, note: null });

  await core.store.write((db) => db.query.deleteFrom('notifications').where('id', '=', key).execute());
  t.deepEqual(await open(), {
    key,
    thing: { state: 'FAILED', id: key },
    note: 'It is not in the list any more. This was read last.',
  });

  const row = devices[0] ?? {};
  const phone = { panel: 'devices', key: 'dev', row, last: { state: 'STALE' } } as const;
  t.deepEqual(await loadDetails(source, phone), { key: 'dev', thing: row, note: null });
  t.like(await loadDetails(source, { ...phone, row: null }), {
    thing: { state: 'STALE' },
    note: 'It is not in the list any more. This was read last.',
  });
});

test('an open thing stays as it was read last while the store is away, and the reason is said', async (t) => {
  const away = storeSource(() => Promise.reject(new Error('no way to the store')), operator);
  const last = { state: 'PENDING' };
  t.deepEqual(await loadDetails(away, { panel: 'payments', key: 'p', row: null, last }), {
    key: 'p',
    thing: last,
    note: 'The rest could not be read: no way to the store',
  });
});
