/**
 * Waits for something that happens elsewhere and says so: a line that moves on a terminal, without one a line
 * that stands. Enter goes on without it.
 */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Left } from './questions.js';

const LOOK_MS = 500;
const FRAMES = ['|', '/', '-', '\\'];
const ESCAPE = String.fromCharCode(27);
const CLEARED = `\r${ESCAPE}[K`;

export interface Waiting<T> {
  /** What is waited for, as the line says it. */
  readonly what: string;
  /** @returns null while it has not come. */
  look(): Promise<T | null>;
  /** Milliseconds; infinite where a person ends it by Enter. */
  readonly limitMs: number;
}

export type Waited<T> =
  | { readonly outcome: 'came'; readonly value: T }
  | { readonly outcome: 'passed_over' | 'too_late' };

/** @throws Left if a person presses Ctrl-C, and what `look` throws */
export async function waitFor<T>({ what, look, limitMs }: Waiting<T>): Promise<Waited<T>> {
  const line = openLine(what);
  const keys = openKeys();
  const endMs = performance.now() + limitMs;
  try {
    for (let turn = 0; ; turn += 1) {
      line.clear();
      const value = await look();
      if (value !== null) return { outcome: 'came', value };
      if (keys.pressed() === 'ctrl-c') throw new Left();
      if (keys.pressed() === 'enter') return { outcome: 'passed_over' };
      if (performance.now() >= endMs) return { outcome: 'too_late' };
      line.turn(turn);
      await Promise.race([sleep(LOOK_MS), keys.press]);
    }
  } finally {
    keys.close();
    line.clear();
  }
}

function openLine(what: string) {
  const { stderr } = process;
  if (!stderr.isTTY) stderr.write(`${what}\n`);
  return {
    turn(turn: number): void {
      // A line that is longer than the window would leave its beginning behind at each turn.
      const room = Math.max(1, (stderr.columns || 80) - 3);
      const shown = [...what].slice(0, room).join('');
      if (stderr.isTTY) stderr.write(`${CLEARED}${FRAMES[turn % FRAMES.length]} ${shown}`);
    },
    clear(): void {
      if (stderr.isTTY) stderr.write(CLEARED);
    },
  };
}

/** Nobody presses a key where there is no terminal; a signal ends the program there. */
function openKeys() {
  let pressed: 'enter' | 'ctrl-c' | null = null;
  let wake: () => void = () => {};
  const press = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const note = (key: typeof pressed) => {
    pressed = key;
    wake();
  };
  // What is typed meanwhile is shown to nobody.
  const muted = new PassThrough().resume();
  const lines = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: muted, terminal: true })
    : null;
  lines?.once('line', () => note('enter'));
  lines?.once('SIGINT', () => note('ctrl-c'));
  return { press, pressed: () => pressed, close: () => lines?.close() };
}
