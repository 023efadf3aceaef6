/** Tells the steps of the demo to a person and sums them up. Knows how it looks, not what it means. */
import { styleText } from 'node:util';
import { wrap } from '../base/values/cells.js';
import { type Column, table } from '../cli/text/table.js';
import type { Audience, Mark, Step } from './steps.js';
import { duration } from './text.js';

export interface Screen {
  write(text: string): void;
  /** Cells of a line. */
  readonly width: number;
  readonly colour: boolean;
  /** True where a line can be written over. */
  readonly live: boolean;
}

type Style = Parameters<typeof styleText>[0];

const INDENT = '       ';
const WIDEST = 100;
const SIGNS: Readonly<Record<Mark, { readonly sign: string; readonly style: Style | null }>> = {
  $: { sign: '$', style: 'cyan' },
  '>': { sign: '→', style: null },
  '<': { sign: '←', style: null },
  '.': { sign: '·', style: 'gray' },
};

function painter(screen: Screen) {
  return (style: Style | null, text: string) =>
    screen.colour && style !== null ? styleText(style, text, { validateStream: false }) : text;
}

/** @returns who prints each step when it has ended, and its title while it runs. */
export function narrator(screen: Screen): Audience {
  const paint = painter(screen);
  const width = Math.min(screen.width, WIDEST);
  return {
    begins(number, title) {
      if (screen.live) screen.write(`   ${String(number).padStart(2)}  ${title} …`);
    },
    ended(number, step) {
      const time = duration(step.ms);
      const head = ` ${step.ok ? '✓' : '✗'} ${String(number).padStart(2)}  `;
      const gap = ' '.repeat(Math.max(2, width - head.length - step.title.length - time.length));
      const mark = paint(step.ok ? 'green' : 'red', head);
      if (screen.live) screen.write('\r\u001b[K');
      screen.write(`${mark}${paint('bold', step.title)}${gap}${paint('gray', time)}\n`);
      for (const line of step.lines) screen.write(lineText(line, width, paint));
      screen.write('\n');
    },
    skipped(why) {
      screen.write(
        `${wrap(why, width - INDENT.length - 2)
          .map((line, at) => `${at === 0 ? ' –     ' : INDENT}${line}\n`)
          .join('')}\n`,
      );
    },
  };
}

function lineText(
  { mark, text }: Step['lines'][number],
  width: number,
  paint: (style: Style | null, text: string) => string,
): string {
  const { sign, style } = SIGNS[mark];
  const [first = '', ...rest] = wrap(text, width - INDENT.length - 2);
  const lines = [`${sign} ${first}`, ...rest.map((part) => `  ${part}`)];
  return lines.map((line) => `${INDENT}${paint(style, line)}\n`).join('');
}

const SUMMARY: readonly Column<Step & { readonly number: number }>[] = [
  { head: '', text: (step) => (step.ok ? '✓' : '✗') },
  { head: '', text: ({ number }) => String(number), align: 'right' },
  { head: 'Step', text: ({ title }) => title, shrinks: true },
  { head: 'Time', text: ({ ms }) => duration(ms), align: 'right' },
];

/** @returns a table of all steps. */
export function summary(steps: readonly Step[], width: number): string[] {
  const rows = steps.map((step, at) => ({ ...step, number: at + 1 }));
  const total = duration(steps.reduce((sum, { ms }) => sum + ms, 0));
  const held = steps.filter(({ ok }) => ok).length;
  return [...table(SUMMARY, rows, width), '', `${held} of ${steps.length} steps held, in ${total}.`];
}
