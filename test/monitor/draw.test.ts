/** The whole window as a frame, and what a terminal is told of it. */

import test from 'ava';
import { loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { textWidth } from '../../src/base/values/cells.js';
import { expectedJobs } from '../../src/domain/upkeep/jobs.js';
import { lineText } from '../../src/monitor/frame.js';
import { type Appearance, enterText, leaveText, paintText } from '../../src/monitor/painter.js';
import { type Phone, type Snapshot, toSnapshot } from '../../src/monitor/snapshot.js';
import { FIRST_VIEW } from '../../src/monitor/view.js';
import { BANGLA_PHONE, busyShop } from '../helpers/shop/busy-shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { fakeTerminal, frameOf, phone } from './frames.js';

const PLAIN: Appearance = { colours: 16, unicode: true, hasSecondScreen: true, hasTitle: true };
const NOW = Date.UTC(2026, 7, 21, 6, 35);

const phonesAlone = (...changes: Partial<Phone>[]): Snapshot => ({
  phones: changes.map((change) => ({ ...phone, ...change })),
  shop: null,
});

test('every line is exactly as wide as the window, whatever the window and whatever is open', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 12);
  const snapshot = toSnapshot(await loadDashboard(core));
  const views = [
    FIRST_VIEW,
    { ...FIRST_VIEW, isZoomed: true, panel: 'payments' },
    { ...FIRST_VIEW, mode: { kind: 'help', top: 3 } },
    { ...FIRST_VIEW, mode: { kind: 'filter' }, filters: { devices: 'আলো' } },
  ] as const;
  const sizes = [
    [80, 24],
    [160, 50],
    [120, 30],
    [97, 41],
    [220, 70],
    [40, 10],
    [20, 4],
    [5, 2],
    [1, 1],
  ];
  for (const [columns = 0, rows = 0] of sizes) {
    for (const view of views) {
      for (const shown of [snapshot, null]) {
        const frame = frameOf(shown, { columns, rows }, clock.now(), view);
        t.is(frame.length, rows);
        for (const line of frame) {
          t.is(textWidth(lineText(line)), columns, `${columns}x${rows} ${lineText(line)}`);
          let x = 0;
          for (const span of line) {
            t.is(span.x, x);
            x += span.width;
          }
        }
      }
    }
  }
});

test('at 80x24 all panels are there, with what matters of each', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 50);
  const text = frameOf(toSnapshot(await loadDashboard(core)), { columns: 80, rows: 24 }, clock.now())
    .map(lineText)
    .join('\n');
  t.regex(text, /Devices 1 OFFLINE, 1 STALE, 48 ONLINE/);
  t.regex(text, /Counter 04 +OFFLINE ▎░░░░ +4% +wifi +2h 10m +12/);
  t.regex(text, /Payments today \d+: BDT \d+\.\d\d, yesterday \d+: BDT \d+\.\d\d, last hour \d+ PENDING/);
  t.regex(text, /opened [▁-█·]{30} +paid [▁-█·]{30}/);
  for (const summary of [
    'Reviews 2 waiting',
    'Notifications 3 pending, 2 failed',
    'Alerts 2 open',
    'Dispatches 2 queued, 1 leased',
    'Nodes 1 failing, 2 ok',
    `Jobs 1 failed, ${expectedJobs({ domain: '' }).length - 1} ok`,
  ]) {
    t.true(text.includes(summary), summary);
  }
  t.regex(text, /failed recheck-claims/);
});

test('at 120x40 payments name their customers, and no panel has empty lines while others are cut', async (t) => {
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { clock });
  await busyShop(core, clock, 6);
  const lines = frameOf(toSnapshot(await loadDashboard(core)), { columns: 120, rows: 40 }, clock.now()).map(
    lineText,
  );
  const left = lines.map((line) => line.slice(0, 72).trimEnd());
  t.regex(left.join('\n'), /TIME +PAYMENT +BDT STATUS +CHANNEL +CUSTOMER/);
  t.regex(left.join('\n'), /COMPLETED mfs_a +Customer/);
  const devices = left.slice(
    1,
    left.findIndex((line) => line.startsWith('─ Payments')),
  );
  t.is(devices.length, 8);
  t.false(left.slice(1, -1).some((line) => line === ''));
});

test('a question takes its lines from the panels, however small the window is', (t) => {
  const notice = { text: 'Approved. Payment K7Q2M9XW4TZB of Rahim is COMPLETED.', tone: 'good' } as const;
  for (const [columns, rows] of [
    [80, 24],
    [40, 12],
    [20, 4],
    [3, 2],
    [1, 1],
  ] as const) {
    const frame = frameOf(phonesAlone({}), { columns, rows }, NOW, { ...FIRST_VIEW, notice });
    t.is(frame.length, rows);
    t.true(frame.every((line) => textWidth(lineText(line)) === columns));
  }
  const told = frameOf(phonesAlone({}), { columns: 40, rows: 12 }, NOW, { ...FIRST_VIEW, notice });
  t.regex(told.map(lineText).join('\n'), /Approved\. Payment K7Q2M9XW4TZB of\s+Rahim is COMPLETED\.\s+q end/);
});

test('however narrow the window is, the keys that end and help are there, and no key is cut', (t) => {
  const keys = (columns: number) =>
    lineText(frameOf(phonesAlone({}), { columns, rows: 12 }, NOW).at(-1) ?? []).trimEnd();
  t.is(keys(80), ' q end  ? help  Tab panel  ↑↓ row  Enter details  / filter  z zoom  r read');
  t.is(keys(50), ' q end  ? help  Tab panel  ↑↓ row  Enter details');
  t.is(keys(20), ' q end  ? help');
});

test('no line of the help is cut at 80 columns', (t) => {
  const size = { columns: 80, rows: 60 };
  const frame = frameOf(phonesAlone({}), size, NOW, { ...FIRST_VIEW, mode: { kind: 'help', top: 0 } });
  const text = frame.map(lineText);
  t.true(text.some((line) => line.includes('Bangladesh time')));
  t.deepEqual(
    text.filter((line) => line.includes('…') && !line.includes('1 … 9')),
    [],
  );
});

test('phones grow older between two readings: the second ticks, and ONLINE becomes STALE', (t) => {
  const at = (now: number) => lineText(frameOf(phonesAlone({}), { columns: 80, rows: 24 }, now)[3] ?? []);
  t.regex(at(NOW), /Counter 1 +ONLINE .* now 5s/);
  t.regex(at(NOW + 1_000), / now 6s/);
  t.regex(at(NOW + 3 * 60_000), /Counter 1 +STALE .* 3m 05s/);
});

test('text of a stranger moves no cursor, sets no colour and breaks no line', (t) => {
  const name = 'evil \u001b[2J\u001b]0;title\u0007\n{red-fg}x{/}\u202e\u0000';
  const frame = frameOf(phonesAlone({ name }), { columns: 80, rows: 24 }, NOW);
  const text = lineText(frame[3] ?? []);
  t.regex(text, /evil \ufffd\[2J/);
  t.notRegex(text, /[\p{Cc}\u202e]/u);
  const painted = paintText(null, frame, PLAIN);
  t.notRegex(painted, /\u001b(?!\[[\d;]*[mH])/);
  t.false(painted.includes('\u001b[2J') || painted.includes('\u0007'));
});

test('a frame painted over an older one looks as if it were painted from scratch', (t) => {
  const size = { columns: 80, rows: 24 };
  const frames = [
    frameOf(null, size, NOW),
    frameOf(phonesAlone({}, { id: 'b', name: BANGLA_PHONE }), size, NOW),
    frameOf(phonesAlone({}, { id: 'b', name: BANGLA_PHONE, battery: 3 }), size, NOW + 1_000),
    frameOf(phonesAlone({ name: 'Counter 2' }), size, NOW + 2_000),
    frameOf(phonesAlone({}), size, NOW, { ...FIRST_VIEW, mode: { kind: 'help', top: 0 } }),
  ];
  const terminal = fakeTerminal(size);
  frames.forEach((frame, at) => {
    terminal.obey(paintText(frames[at - 1] ?? null, frame, PLAIN));
    const anew = fakeTerminal(size);
    anew.obey(paintText(null, frame, PLAIN));
    t.deepEqual(terminal.cells(), anew.cells());
  });
});

test('a second that passes costs a few bytes, and one in which nothing changes none', (t) => {
  const size = { columns: 80, rows: 24 };
  const [first, second] = [NOW, NOW + 1_000].map((now) => frameOf(phonesAlone({}), size, now));
  t.is(paintText(first ?? null, first ?? [], PLAIN), '');
  const ticked = paintText(first ?? null, second ?? [], PLAIN);
  t.true(ticked.includes('now 6s') && ticked.length < 60, JSON.stringify(ticked));
});

test('after letters whose width terminals disagree on, the next column is put in its place', (t) => {
  const frame = frameOf(phonesAlone({ name: BANGLA_PHONE }), { columns: 80, rows: 24 }, NOW);
  const painted = paintText(null, frame, PLAIN);
  const name = painted.indexOf(BANGLA_PHONE);
  t.true(name > 0);
  t.regex(painted.slice(name + BANGLA_PHONE.length), /^\u001b\[4;\d+H/);
});

test('without UTF-8 only ASCII is sent, without colours only bold and reverse', (t) => {
  const frame = frameOf(
    phonesAlone({ name: BANGLA_PHONE, state: 'REVOKED' }, { id: 'b', battery: 3 }),
    {
      columns: 80,
      rows: 24,
    },
    NOW,
  );
  const painted = paintText(null, frame, {
    colours: 0,
    unicode: false,
    hasSecondScreen: false,
    hasTitle: false,
  });
  t.regex(painted, /^[\x1b\x20-\x7e]*$/);
  t.notRegex(painted, /\u001b\[[\d;]*\b(3\d|9\d|4\d)m/);
  const terminal = fakeTerminal({ columns: 80, rows: 24 });
  terminal.obey(painted);
  t.true(terminal.cells().every((line) => line.length === 80));
});

test('every mode switched on at the start is switched off at the end', (t) => {
  for (const hasSecondScreen of [true, false]) {
    const look = { ...PLAIN, hasSecondScreen };
    const [entered, left] = [enterText(look), leaveText(look, 24)];
    t.true(entered.includes('\u001b[?25l') && left.includes('\u001b[?25h'));
    t.true(entered.includes('\u001b[?7l') && left.includes('\u001b[?7h'));
    t.is(entered.includes('?1049h'), hasSecondScreen);
    t.is(left.includes('?1049l'), hasSecondScreen);
  }
});
