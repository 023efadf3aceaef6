/** Many histories, whose figures are written to docs/development/simulator.md; called by `npm run soak`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { USUAL_SIZE } from './plan.js';
import { runMany } from './pool.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/development/simulator.md', import.meta.url));
const BEGIN = '<!-- figures of npm run soak -->';
const END = '<!-- end of figures -->';
const TELL_EVERY = 1_000;

/** @param count of histories, from the seed `first` on. @returns whether all of them hold. */
export async function soak(count: number, first: number): Promise<boolean> {
  const totals = { histories: 0, payments: 0, completed: 0 };
  const broken: number[] = [];
  const seconds = await runMany({
    first,
    count,
    size: USUAL_SIZE,
    onRan: ({ seed, faults, payments, completed }) => {
      totals.histories += 1;
      totals.payments += payments;
      totals.completed += completed;
      if (faults.length > 0) {
        broken.push(seed);
        console.log(`seed ${seed} failed: ${faults[0]}`);
      }
      if (totals.histories % TELL_EVERY === 0) console.log(`${totals.histories} of ${count} histories`);
    },
  });
  const rate = Math.round(totals.payments / seconds);
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim();
  const rows = [
    ['Date, commit', `${new Date().toISOString().slice(0, 10)}, ${commit}`],
    ['Histories', `${totals.histories} (seeds ${first} to ${first + count - 1})`],
    ['Payments opened, completed', `${totals.payments}, ${totals.completed}`],
    ['Histories that break a promise', broken.length === 0 ? 'none' : `seeds ${broken.join(', ')}`],
    ['Payments for a second of processor time', `${rate}, on Node ${process.versions.node}`],
  ];
  write(rows.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n'));
  return broken.length === 0;
}

function write(rows: string): void {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no place for figures`);
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n| | |\n|---|---|\n${rows}\n${END}${after}`);
}
