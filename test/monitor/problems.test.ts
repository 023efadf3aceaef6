/** What the dashboard says of problem: what comes first, what is over, and nothing cut in two. */
import test from 'ava';
import { type BoardAlert, type BoardJob, loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { textWidth } from '../../src/base/values/cells.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { lineText } from '../../src/monitor/frame.js';
import { devicesPanel } from '../../src/monitor/panel-devices.js';

import { buildPanels, jobsPanel } from '../../src/monitor/panels.js';
import { type Phone, type Snapshot, toSnapshot } from '../../src/monitor/snapshot.js';
import { FIRST_VIEW, type View } from '../../src/monitor/view.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { frameOf, phone } from './frames.js';

const NOW = Date.UTC(2026, 7, 21, 6, 35);

test('at 80x24 ended alerts are distinguished from open ones without colours', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const frame = frameOf(toSnapshot(await loadDashboard(core)), { columns: 80, rows: 24 }, clock.now());
  const alerts = frame.map((line) => /│([!✓]) +\d+s (.{7}) (.*)$/.exec(lineText(line))?.slice(1, 4));
  t.deepEqual(
    alerts.flatMap((alert) => (alert === undefined ? [] : [alert.map((word) => word.trim())])),
    [
      ['!', 'offline', 'Counter 04         open'],
      ['!', 'battery', 'Counter 03         open'],
      ['✓', 'back', 'Amar Dokan phone   over'],
    ],
  );
});

test('in a shop where nothing has happened yet no sentence is cut, at 80x24 and in a window of 50', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const snapshot = toSnapshot(await loadDashboard(core));
  const text = frameText(snapshot, 80, FIRST_VIEW);
  const empties = buildPanels(snapshot, NOW).filter(({ rows }) => rows.length === 0);
  t.is(empties.length, 8);
  for (const { id, empty } of empties) {
    t.true(text.includes(empty), empty);
    t.true(frameText(snapshot, 50, { ...FIRST_VIEW, panel: id, isZoomed: true }).includes(empty), empty);
  }
  t.true(text.includes('silent'));
});

function frameText(snapshot: Snapshot, columns: number, view: View): string {
  return frameOf(snapshot, { columns, rows: 24 }, NOW, view).map(lineText).join('\n');
}

test('why the store is away is said whole, in as many lines as it takes', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 12);
  const snapshot = toSnapshot(await loadDashboard(core));
  const path = `/srv/${'kashbox-of-the-shop/'.repeat(4)}kashbox.db`;
  const reason = `12:35:04  Away since 12:35:00, trying again: The store's file is gone: ${path}`;
  for (const columns of [160, 80, 50]) {
    const status = { text: reason, tone: 'alarm' } as const;
    const lines = frameOf(snapshot, { columns, rows: 24 }, clock.now(), FIRST_VIEW, status);
    t.is(lines.length, 24);
    t.true(lines.every((line) => textWidth(lineText(line)) === columns));
    const head = lines.filter((line) => line[0]?.tone === 'alarm').map((line) => lineText(line).trim());
    t.is(head.join('').replace(/\s/g, ''), reason.replace(/\s/g, ''));
    t.regex(lineText(lines[head.length] ?? []), /^━ Devices 1 OFFLINE/);
    t.is(
      lines.map(lineText).some((line) => line.startsWith('─ Payments')),
      columns > 50,
    );
  }
});

test('phones with a problem come first, also those that are there; the revoked come last', (t) => {
  const alert = (device_id: string, ended_at: string | null): BoardAlert => ({
    id: `alert of ${device_id}`,
    kind: 'sms.gap',
    device_id,
    device: device_id,
    at: dhakaIso(NOW),
    ended_at,
    message: 'SMS are missing',
    detail: { battery: 1 },
    gaps: [],
  });
  const seen = (silentMs: number) => dhakaIso(NOW - silentMs);
  const named = (name: string, change: Partial<Phone> = {}) => ({ ...phone, id: name, name, ...change });
  const phones = [
    named('a well'),
    named('b revoked', { state: 'REVOKED', battery: 3, charging: false }),
    named('c low and charging', { battery: 3, charging: true }),
    named('d low', { battery: 20, charging: false }),
    named('e late', { last_seen_at: seen(5 * 60_000) }),
    named('f alert'),
    named('g alert is over'),
    named('i may not read', { problem: 'SMS may not be read' }),
    named('h offline', { last_seen_at: seen(60 * 60_000) }),
  ];
  const alerts = [alert('f alert', null), alert('g alert is over', dhakaIso(NOW))];
  const { rows } = devicesPanel(phones, alerts, NOW);
  t.deepEqual(
    rows.map(({ cells }) => [cells[0]?.text, cells[1]?.text]),
    [
      ['i may not read', 'ONLINE!'],
      ['h offline', 'OFFLINE'],
      ['e late', 'STALE'],
      ['d low', 'ONLINE!'],
      ['f alert', 'ONLINE!'],
      ['a well', 'ONLINE'],
      ['c low and charging', 'ONLINE'],
      ['g alert is over', 'ONLINE'],
      ['b revoked', 'REVOKED'],
    ],
  );
  t.like(rows[4]?.thing, { alerts: ['SMS are missing'] });
});

test('phones that were never seen hide none that has died: they come behind it and are counted apart', (t) => {
  const named = (name: string, change: Partial<Phone> = {}) => ({ ...phone, id: name, name, ...change });
  const silent = { state: 'OFFLINE', last_seen_at: null, last_active: '', downtime: '14 minutes' } as const;
  const fresh = { ...silent, battery: null, charging: null, network: null, pending_sms: null };
  const phones = [
    ...Array.from({ length: 6 }, (_, at) => named(`A new ${at + 1}`, fresh)),
    named('Z dead', { last_seen_at: dhakaIso(NOW - 60 * 60_000), downtime: '1 hour' }),
    named('Z late', { last_seen_at: dhakaIso(NOW - 5 * 60_000), downtime: '5 minutes' }),
    named('Z low', { battery: 5, charging: false }),
    named('Z well'),
    named('A key', { ...silent, state: 'UNKNOWN', downtime: '' }),
    named('A revoked', { ...silent, state: 'REVOKED' }),
  ];
  const { rows, summary, columns } = devicesPanel(phones, [], NOW);
  t.deepEqual(
    rows.map(({ cells }) => cells[0]?.text),
    ['Z dead', 'Z late', 'A key', 'Z low', 'Z well']
      .concat([1, 2, 3, 4, 5, 6].map((at) => `A new ${at}`))
      .concat(['A revoked']),
  );
  t.deepEqual(
    summary.map(({ text }) => text),
    ['1 OFFLINE', '1 STALE', '1 UNKNOWN', '1 ONLINE!', '1 ONLINE', '6 never seen', '1 REVOKED'],
  );
  const shown = (name: string, head: string) =>
    rows.find(({ key }) => key === name)?.cells[columns.findIndex((column) => column.head === head)]?.text;
  t.deepEqual(
    ['STATE', 'ACTIVE', 'DOWNTIME'].map((head) => shown('A new 1', head)),
    ['OFFLINE', 'never', 'never seen'],
  );
  t.deepEqual([shown('Z dead', 'ACTIVE'), shown('Z dead', 'DOWNTIME')], ['1h 00m', '1 hour']);
  t.is(shown('A key', 'ACTIVE'), '');
  t.like(rows[5]?.thing, { state: 'OFFLINE', last_active: 'never', downtime: 'never seen' });

  const text = frameText({ phones, shop: null }, 80, FIRST_VIEW);
  t.regex(text, /Devices 1 OFFLINE, 1 STALE, 1 UNKNOWN, 1 ONLINE!, 1 ONLINE, 6 never seen/);
  t.regex(text, /Z dead[^\n]*\nZ late/);
});

test('a gap shows its amount and its wallet, as far as the width allows, followed by its phone', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const { shop, phones } = toSnapshot(await loadDashboard(core));
  if (shop === null) return t.fail('a store holds a shop');
  const gap = (missing: string, recipient: string, direction: 'in' | 'out'): BoardAlert => ({
    id: `${missing} ${recipient}`,
    kind: 'sms.gap',
    device_id: 'ph6',
    device: 'ph6',
    at: dhakaIso(clock.now() - 2_000),
    ended_at: direction === 'in' ? dhakaIso(clock.now()) : null,
    message: `No SMS tells of ${missing} BDT that left ${recipient} (mfs_a) between then and now.`,
    detail: {
      channel: 'mfs_a',
      recipient,
      missing,
      direction,
      from: '2026-11-22T00:12:00+06:00',
      until: '2026-11-22T00:40:00+06:00',
    },
    gaps: [],
  });
  const latest = [
    gap('103.00', '01713000003', 'out'),
    gap('103.00', '01713000104', 'out'),
    gap('12500.00', '01713000104', 'in'),
  ];
  const snapshot = { phones, shop: { ...shop, alerts: { open: 2, latest } } };
  const told = (columns: number, rows: number, view: View = FIRST_VIEW) =>
    frameOf(snapshot, { columns, rows }, clock.now(), view)
      .map((line) => /(?:^|│)[!✓] +\d+s (.*)$/.exec(lineText(line))?.[1]?.trimEnd())
      .filter((line) => line !== undefined);
  t.deepEqual(told(80, 24), [
    'gap -103.00 01713000003    open',
    'gap -103.00 01713000104    open',
    'gap +12500.00 01713000104  over',
  ]);
  const wide = told(160, 50).map((line) => line.replace(/ +/g, ' '));
  t.deepEqual(wide, [
    'sms gap -103.00 01713000003 open ph6, 22 Nov 00:12 …',
    'sms gap -103.00 01713000104 open ph6, 22 Nov 00:12 …',
    'sms gap +12500.00 01713000104 over ph6, 22 Nov 00:12 …',
  ]);
  t.regex(
    told(160, 50, { ...FIRST_VIEW, panel: 'alerts', isZoomed: true })[0] ?? '',
    /^sms gap -103\.00 01713000003 +open +ph6, 22 Nov 00:12 to 22 Nov 00:40, mfs_a$/,
  );
  // Every phone, and every wallet as a whole, is found by the filter however narrow the list is.
  const found = (filter: string) =>
    told(80, 24, { ...FIRST_VIEW, panel: 'alerts', filters: { alerts: filter } }).length;
  t.deepEqual([found('01713000104'), found('ph6'), found('-103.00')], [2, 3, 2]);
  t.is(buildPanels(snapshot, clock.now()).find(({ id }) => id === 'alerts')?.rows[0]?.thing, latest[0]);
});

test('a job that never rests shows no seconds, unless it is silent', (t) => {
  const job = {
    name: 'deliver-alerts',
    state: 'ok',
    runs: 9,
    errors: 0,
    last_at: dhakaIso(NOW - 29_000),
    last_ms: 4,
    continuous: true,
    last_error: null,
  } as const;
  const last = (change: Partial<BoardJob>) => jobsPanel([{ ...job, ...change }], NOW).rows[0]?.cells[2]?.text;
  t.is(last({}), 'live');
  t.is(last({ continuous: false }), '29s');
  t.is(last({ state: 'silent', last_at: dhakaIso(NOW - 600_000) }), '10m');
});
