/** What the dashboard says of trouble: what comes first, what is over, and nothing cut in two. */
import test from 'ava';
import { type BoardAlert, type BoardJob, readBoard } from '../../src/actions/read-board.js';
import { textWidth } from '../../src/base/cells.js';
import { dhakaIso } from '../../src/base/clock.js';
import { lineText } from '../../src/monitor/frame.js';
import { devicesPanel } from '../../src/monitor/panel-devices.js';
import { jobsPanel } from '../../src/monitor/panel-works.js';
import { panelsOf } from '../../src/monitor/panels.js';
import { type Phone, type Snapshot, snapshotOf } from '../../src/monitor/snapshot.js';
import { FIRST_VIEW, type View } from '../../src/monitor/view.js';
import { busyShop } from '../helpers/busy-shop.js';
import { openTestCore, testClock } from '../helpers/engines.js';
import { frameOf, phone } from './frames.js';

const NOW = Date.UTC(2026, 7, 21, 6, 35);

test('at 80x24 what is over is told from what lasts without colours', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 4);
  const frame = frameOf(snapshotOf(await readBoard(core)), { columns: 80, rows: 24 }, clock.now());
  const alerts = frame.map((line) => /│([!✓]) +\d+s (.{7}) (.*)$/.exec(lineText(line))?.slice(1, 4));
  t.deepEqual(
    alerts.flatMap((alert) => (alert === undefined ? [] : [alert.map((word) => word.trim())])),
    [
      ['!', 'offline', 'Counter 04'],
      ['!', 'battery', 'Counter 03'],
      ['✓', 'back', 'Amar Doka…'],
    ],
  );
});

test('in a shop where nothing has happened yet no sentence is cut, at 80x24 and in a window of 50', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  const snapshot = snapshotOf(await readBoard(core));
  const text = frameText(snapshot, 80, FIRST_VIEW);
  const empties = panelsOf(snapshot, NOW).filter(({ rows }) => rows.length === 0);
  t.is(empties.length, 7);
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
  const snapshot = snapshotOf(await readBoard(core));
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

test('phones in trouble come first, also those that are there; the revoked come last', (t) => {
  const alert = (device_id: string, ended_at: string | null): BoardAlert => ({
    id: `alert of ${device_id}`,
    kind: 'sms.gap',
    device_id,
    device: device_id,
    at: dhakaIso(NOW),
    ended_at,
    message: 'SMS are missing',
    detail: { battery: 1 },
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
    named('i may not read', { trouble: 'SMS may not be read' }),
    named('h offline', { last_seen_at: seen(60 * 60_000) }),
  ];
  const alerts = [alert('f alert', null), alert('g alert is over', dhakaIso(NOW))];
  const { rows } = devicesPanel(phones, alerts, NOW);
  t.deepEqual(
    rows.map(({ cells }) => [cells[0]?.text, cells[1]?.text]),
    [
      ['i may not read', 'ONLINE!'],
      ['h offline', 'OFFLINE'],
      ['e late', 'LATE'],
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
