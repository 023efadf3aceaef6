/** The captured screens of docs/monitor.md are what the dashboard shows, whole. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadDashboard } from '../../src/actions/upkeep/load-dashboard.js';
import { textWidth } from '../../src/base/values/cells.js';
import { lineText } from '../../src/monitor/frame.js';
import { buildPanels } from '../../src/monitor/panels.js';
import { toSnapshot } from '../../src/monitor/snapshot.js';
import { busyShop } from '../helpers/shop/busy-shop.js';
import { openTestCore, testClock } from '../helpers/stores/engines.js';
import { frameOf } from './frames.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

for (const [columns, rows] of [
  [80, 24],
  [160, 50],
] as const) {
  const name = `monitor-${columns}x${rows}`;
  test(`docs/screens/${name}.txt is the whole screen as it is drawn today`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, 'sqlite', { clock });
    await busyShop(core, clock, 50);
    const snapshot = toSnapshot(await loadDashboard(core));
    const drawn = frameOf(snapshot, { columns, rows }, clock.now()).map((line) => lineText(line).trimEnd());
    const kept = read(`docs/screens/${name}.txt`).trimEnd().split('\n');
    t.is(kept.length, rows);
    t.true(kept.every((line) => textWidth(line) <= columns));
    for (const { title, summary } of buildPanels(snapshot, clock.now())) {
      t.true(kept.join('\n').includes(`${title} ${summary[0]?.text ?? ''}`), title);
    }
    // Ids and times differ, and what happened just then; the heads of columns, the bars and the keys do not.
    const fixed = (lines: readonly string[]) => [
      lines[2],
      lines.at(-1),
      ...lines.filter((line) => /^─/.test(line)),
    ];
    const shape = (lines: readonly string[]) =>
      fixed(lines).map((line = '') => line.replace(/\d+/g, '0').replace(/─+/g, '─'));
    t.deepEqual(shape(kept).length, shape(drawn).length);
    t.is(shape(kept)[0], shape(drawn)[0]);
    t.is(shape(kept)[1], shape(drawn)[1]);
  });

  test(`docs/monitor.md shows ${name} as it is kept`, (t) => {
    t.true(
      read('docs/monitor.md').includes(`\`\`\`text\n${read(`docs/screens/${name}.txt`).trimEnd()}\n\`\`\``),
    );
  });
}
