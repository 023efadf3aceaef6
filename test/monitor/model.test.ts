/** The pure parts of the dashboard: times that tick, bars, columns, places, keys. */
import test from 'ava';
import { dhakaIso } from '../../src/base/values/clock.js';
import type { Key } from '../../src/monitor/dialog.js';
import { formatDetails } from '../../src/monitor/frame.js';
import { isSmall, type PanelArea, panelAreas } from '../../src/monitor/layout.js';
import { detectAppearance, hasScreen } from '../../src/monitor/painter.js';
import {
  ageText,
  clockText,
  filtered,
  fitColumns,
  PANEL_IDS,
  type Panel,
  type PanelColumn,
  seenText,
} from '../../src/monitor/panel.js';
import { gauge, sparkline } from '../../src/monitor/panel-devices.js';
import { currentFilter, FIRST_VIEW, markedIndex, pressKey, type View } from '../../src/monitor/view.js';

const NOW = Date.UTC(2026, 7, 21, 6, 35);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const seen: [silentMs: number, text: string][] = [
  [0, 'now 0s'],
  [59_000, 'now 59s'],
  [MINUTE, '1m 00s'],
  [MINUTE + 3_000, '1m 03s'],
  [HOUR - 1_000, '59m 59s'],
  [HOUR, '1h 00m'],
  [DAY - MINUTE, '23h 59m'],
  [DAY, '1d 0h'],
  [7 * DAY - HOUR, '6d 23h'],
  [7 * DAY, '1w'],
  [30 * DAY, '1mo'],
  [365 * DAY, '1y'],
  // A phone whose daemon's clock is ahead of ours.
  [-5_000, 'now 0s'],
];
for (const [silent, text] of seen) {
  test(`a phone that was seen ${silent} ms ago is shown as "${text}"`, (t) => {
    t.is(seenText(dhakaIso(NOW - silent), NOW - (NOW % 1_000)), text);
  });
}

test('a missing time has no age, and a time of another day shows its day', (t) => {
  t.is(seenText(null, NOW), '');
  t.is(ageText(null, NOW), '');
  t.is(ageText(dhakaIso(NOW - 12_000), NOW), '12s');
  t.is(clockText(dhakaIso(NOW - HOUR), NOW), '11:35:00');
  t.is(clockText(dhakaIso(NOW - 2 * DAY), NOW), '19 Aug');
});

test('a gauge fills from left to right, and a sparkline distinguishes zero from little', (t) => {
  t.deepEqual(
    [0, 4, 50, 97, 100, 140].map((percent) => gauge(percent, 5)),
    ['░░░░░', '▎░░░░', '██▌░░', '████▉', '█████', '█████'],
  );
  t.is(sparkline([0, 1, 50, 100, 200], 100), '·▁▄██');
});

const column = (head: string, width: number, rank: number, more: Partial<PanelColumn> = {}): PanelColumn => ({
  head,
  width,
  rank,
  ...more,
});

test('columns that do not fit go, the least important first; the others share what is left', (t) => {
  const columns = [column('A', 6, 0, { least: 3, upTo: 10 }), column('B', 4, 2), column('C', 4, 1)];
  const fitted = (width: number) => fitColumns(columns, width).map((at) => `${at.column.head}${at.width}`);
  t.deepEqual(fitted(20), ['A10', 'B4', 'C4']);
  t.deepEqual(fitted(16), ['A6', 'B4', 'C4']);
  t.deepEqual(fitted(15), ['A10', 'C4']);
  t.deepEqual(fitted(6), ['A6']);
  t.deepEqual(fitted(4), ['A4']);
  t.deepEqual(fitted(2), ['A3']);
});

test('panels cover the window without overlapping, whatever its size', (t) => {
  for (let columns = 80; columns <= 220; columns += 7) {
    for (let rows = 24; rows <= 70; rows += 3) {
      const wanted = (id: string) => (id.length * rows) % 23;
      const places = panelAreas({ columns, rows }, null, { above: 1, below: 1 }, wanted);
      t.deepEqual(places.map(({ id }) => id).toSorted(), PANEL_IDS.toSorted());
      const covered = Array.from({ length: rows }, () => new Set<number>());
      const cover = ({ x, y, width, height }: PanelArea) => {
        for (let at = y; at < y + height; at += 1) {
          for (let cell = x; cell < x + width; cell += 1) {
            t.false(covered[at]?.has(cell));
            covered[at]?.add(cell);
          }
        }
      };
      places.forEach(cover);
      // All but the rules between neighbours, the header and the keys.
      t.true(covered.slice(1, -1).every((line) => line.size >= columns - 2 && line.size <= columns));
      t.true(covered[0]?.size === 0 && covered.at(-1)?.size === 0);
    }
  }
  t.true(isSmall({ columns: 79, rows: 24 }) && isSmall({ columns: 80, rows: 23 }));
  t.false(isSmall({ columns: 80, rows: 24 }));
});

test('height goes to panels that have something to show in it, and what is left over to all', (t) => {
  const heights = (wants: Readonly<Record<string, number>>, rows = 40, below = 1) => {
    const places = panelAreas({ columns: 120, rows }, null, { above: 1, below }, (id) => wants[id] ?? 3);
    return Object.fromEntries(places.map(({ id, height }) => [id, height]));
  };
  t.like(heights({ devices: 6, payments: 53, unclaimed: 3 }), { devices: 6, payments: 29, unclaimed: 3 });
  t.like(heights({ devices: 52, payments: 53, unclaimed: 52 }), { devices: 16, payments: 16, unclaimed: 6 });
  t.like(heights({ reviews: 2, alerts: 20 }), { reviews: 5, alerts: 20, nodes: 3 });
  const idle = heights({});
  t.is((idle.devices ?? 0) + (idle.payments ?? 0) + (idle.unclaimed ?? 0), 38);
  // A long question below leaves nothing of a panel rather than a line too many.
  for (const below of [10, 20, 28]) {
    const { devices = 0, payments = 0, unclaimed = 0, ...right } = heights({ payments: 53 }, 30, below);
    t.is(devices + payments + unclaimed, 29 - below);
    t.true(Object.values({ devices, payments, unclaimed, ...right }).every((height) => height >= 0));
  }
});

const panelOf = (names: readonly string[]): Panel => ({
  id: 'devices',
  title: 'Devices',
  summary: [],
  sparks: [],
  columns: [],
  rows: names.map((name) => ({ key: name, cells: [{ text: name }], thing: { name }, offers: [] })),
  empty: '',
});

function press(view: View, panel: Panel, ...keys: readonly (string | Key)[]) {
  let last = { view, effect: 'none' };
  for (const key of keys) {
    const typed = typeof key === 'string' ? { name: key, text: key.length === 1 ? key : '' } : key;
    const panels = [filtered(panel, last.view.filters.devices ?? '')];
    last = pressKey(last.view, typed, { panels, page: 3, lines: 10 });
  }
  return last;
}

test('the mark stays on its thing when others come before it, and near its place when the thing goes', (t) => {
  const { view } = press(FIRST_VIEW, panelOf(['a', 'b', 'c', 'd']), 'down', 'down');
  t.is(markedIndex(view, panelOf(['a', 'b', 'c', 'd'])), 2);
  t.is(markedIndex(view, panelOf(['new', 'a', 'b', 'c', 'd'])), 3);
  t.is(markedIndex(view, panelOf(['a', 'b'])), 1);
  t.is(markedIndex(view, panelOf([])), 0);
});

test('keys move the mark inside the list; on the first row what is new is marked', (t) => {
  const panel = panelOf(['a', 'b', 'c', 'd', 'e']);
  const at = (...keys: string[]) => markedIndex(press(FIRST_VIEW, panel, ...keys).view, panel);
  t.deepEqual([at('up'), at('down'), at('j', 'j', 'k'), at('end'), at('end', 'down')], [0, 1, 1, 4, 4]);
  t.deepEqual([at('pagedown'), at('end', 'pageup'), at('end', 'home')], [3, 1, 0]);
  const back = press(FIRST_VIEW, panel, 'down', 'up').view;
  t.is(markedIndex(back, panelOf(['new', 'a'])), 0);
});

test('a filter is typed, kept with Enter, and dropped with Esc, in the prompt and on the board', (t) => {
  const panel = panelOf(['Counter 1', 'আলো স্টোর', 'q']);
  const typing = press(FIRST_VIEW, panel, '/', 'q', { name: 'আ', text: 'আ' });
  t.is(currentFilter(typing.view), 'qআ');
  t.is(typing.effect, 'none');
  const kept = press(typing.view, panel, 'backspace', 'backspace', { name: 'আ', text: 'আ' }, 'enter').view;
  t.deepEqual(
    filtered(panel, currentFilter(kept)).rows.map(({ key }) => key),
    ['আলো স্টোর'],
  );
  for (const changed of [[], ['x'], ['backspace']]) {
    const dropped = press(kept, panel, '/', ...changed, 'escape').view;
    t.is(currentFilter(dropped), '');
    t.is(dropped.mode.kind, 'board');
  }
  t.is(currentFilter(press(kept, panel, 'escape').view), '');
});

test('keys that end, read, open and close do so, and Ctrl-C ends from everywhere', (t) => {
  const panel = panelOf(['a']);
  t.is(press(FIRST_VIEW, panel, 'q').effect, 'end');
  t.is(press(FIRST_VIEW, panel, 'r').effect, 'read');
  const open = press(FIRST_VIEW, panel, 'enter');
  t.is(open.effect, 'open');
  t.deepEqual(open.view.mode, { kind: 'details', key: 'a', top: 0 });
  t.is(press(open.view, panel, 'q').view.mode.kind, 'board');
  t.deepEqual(press(open.view, panel, 'end').view.mode, { kind: 'details', key: 'a', top: 7 });
  t.is(press(FIRST_VIEW, panelOf([]), 'enter').effect, 'none');
  for (const key of ['/', '?', 'enter']) t.is(press(FIRST_VIEW, panel, key, 'C-c').effect, 'end');
});

test('details show every field by its words, nested ones below, long ones on several lines', (t) => {
  const thing = {
    cus_name: 'আলো',
    charging: false,
    created_at: '2026-08-21T12:35:00+06:00',
    nothing: null,
    sims: [{ slot: 1 }],
    body: `${'x'.repeat(30)}\nend`,
  };
  const lines = formatDetails(thing, 42).map(({ indent, word, value }) => [indent, word, value]);
  t.deepEqual(lines, [
    [0, 'cus name', 'আলো'],
    [0, 'charging', 'no'],
    [0, 'created at', '2026-08-21 12:35:00'],
    [0, 'nothing', '–'],
    [0, 'sims 1', ''],
    [2, 'slot', '1'],
    [0, 'body', 'x'.repeat(21)],
    [0, '', 'x'.repeat(9)],
    [0, '', 'end'],
  ]);
});

test('details break at spaces, so that no date and no word that fits a line is cut in two', (t) => {
  const message = 'No SMS tells of it between 2026-11-22 00:12 and 2026-11-22 00:40.';
  const values = formatDetails({ message, path: `see ${'x'.repeat(25)} there` }, 42).map(
    ({ value }) => value,
  );
  t.deepEqual(values, [
    'No SMS tells of it',
    'between 2026-11-22',
    '00:12 and 2026-11-22',
    '00:40.',
    'see',
    'x'.repeat(21),
    'xxxx',
    'there',
  ]);
});

test('colours, signs and the second screen follow the terminal and the locale', (t) => {
  const utf8 = { LANG: 'bn_BD.UTF-8' };
  t.deepEqual(detectAppearance({ TERM: 'xterm-256color', ...utf8 }), {
    colours: 16,
    unicode: true,
    hasSecondScreen: true,
    hasTitle: true,
  });
  t.deepEqual(detectAppearance({ TERM: 'vt100', LANG: 'C' }), {
    colours: 0,
    unicode: false,
    hasSecondScreen: false,
    hasTitle: false,
  });
  t.is(detectAppearance({ TERM: 'linux', ...utf8 }).colours, 8);
  t.is(detectAppearance({ TERM: 'tmux-256color', NO_COLOR: '1', ...utf8 }).colours, 0);
  t.false(detectAppearance({ TERM: 'screen', LANG: 'bn_BD.UTF-8', LC_ALL: 'C' }).unicode);
  t.false(detectAppearance({ TERM: 'screen' }).unicode);
  t.deepEqual(
    ['xterm', 'vt100', 'dumb', ''].map((TERM) => hasScreen({ TERM })),
    [true, true, false, false],
  );
});
