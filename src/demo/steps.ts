/** Runs, measures, prints and records the steps of the demo. Knows nothing about a step's content. */
import { styleText } from 'node:util';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { wrap } from '../base/values/cells.js';
import { quoted } from '../base/values/text.js';
import { type Column, table } from '../cli/text/table.js';

/** Kind of a line: `$` command, `>` request, `<` response, `.` remark. */
type LineMark = '$' | '>' | '<' | '.';
export type Say = (mark: LineMark, text: string) => void;

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly ok: boolean;
  readonly ms: number;
  readonly lines: readonly { readonly mark: LineMark; readonly text: string }[];
}

export interface StepReporter {
  begins(number: number, title: string): void;
  ended(number: number, step: Step): void;
  /** Reports a skipped part of the demo with the reason. */
  skipped(why: string): void;
}

export class Steps {
  readonly done: Step[] = [];
  /** Reasons why parts of the demo were skipped. */
  readonly skipped: string[] = [];
  /** Rejected with the reason of the signal, once there is one. */
  readonly ended: Promise<never>;

  /** @param signal aborts when the demo fails or ends. */
  constructor(
    private readonly audience: StepReporter,
    readonly signal: AbortSignal,
  ) {
    this.ended = new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Between two steps nobody listens; the next one does.
    this.ended.catch(() => {});
  }

  skip(why: string): void {
    this.skipped.push(why);
    this.audience.skipped(why);
  }

  /** @returns what `work` returns. @throws KashboxError */
  async run<T>(name: string, title: string, work: (say: Say) => Promise<T>): Promise<T> {
    this.audience.begins(this.done.length + 1, title);
    const lines: { mark: LineMark; text: string }[] = [];
    const started = performance.now();
    const end = (ok: boolean) => {
      const step = { name, title, ok, ms: Math.round(performance.now() - started), lines };
      this.done.push(step);
      this.audience.ended(this.done.length, step);
    };
    try {
      const result = await Promise.race([this.ended, work((mark, text) => lines.push({ mark, text }))]);
      end(true);
      return result;
    } catch (error) {
      end(false);
      // What ended the demo explains a step better than the broken connection that it left there.
      throw named(this.signal.aborted ? this.signal.reason : error);
    }
  }
}

/** Error for Ctrl-C, which is not a failure of the demo and is not converted. */
export class DemoInterrupted extends Error {
  override readonly name = 'Interrupted';
}

function named(error: unknown): unknown {
  if (isKashboxError(error) || error instanceof DemoInterrupted) return error;
  return new KashboxError('internal', {
    cause: error,
    message: error instanceof Error ? error.message : String(error),
  });
}

/** @throws KashboxError `internal` with the expected and the actual result, if `holds` is false. */
export function assertResult(holds: boolean, wanted: string, got: string): asserts holds {
  if (holds) return;
  throw new KashboxError('internal', {
    message: `Expected ${wanted}, got ${got}`,
    hint: 'Run the demo again with --once; if it fails again, report it with what it printed.',
  });
}

const LONGEST_WORD = 20;
const KEPT = 8;

/**
 * @returns JSON on one line for people: long words such as keys and ids are cut, and empty, null and false
 * values are omitted, except for `status`.
 */
export function shortJson(value: unknown): string {
  return JSON.stringify(value, (name, item: unknown) => {
    if (typeof item === 'string' && item !== '') return shortWord(item);
    const isOff = item === '' || item === null || item === false;
    return isOff && name !== 'status' ? undefined : item;
  });
}

/** Cuts a long single word; sentences remain complete. */
function shortWord(text: string): string {
  return text.length > LONGEST_WORD && !text.includes(' ') ? `${text.slice(0, KEPT)}…` : text;
}

/** @returns "12 ms" or "1.24 s". */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** @returns a word as it must be typed in a shell. */
export function shellWord(text: string): string {
  return /^[\w=:/.-]+$/.test(text) ? text : quoted(text);
}

export interface StepOutput {
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
const SIGNS: Readonly<Record<LineMark, { readonly sign: string; readonly style: Style | null }>> = {
  $: { sign: '$', style: 'cyan' },
  '>': { sign: '→', style: null },
  '<': { sign: '←', style: null },
  '.': { sign: '·', style: 'gray' },
};

function painter(screen: StepOutput) {
  return (style: Style | null, text: string) =>
    screen.colour && style !== null ? styleText(style, text, { validateStream: false }) : text;
}

/** @returns a reporter that prints the title of each running step, and the step when it has ended. */
export function createStepPrinter(screen: StepOutput): StepReporter {
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
