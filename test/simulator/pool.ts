/** Runs many histories, in as many processes as the machine has processors. */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Size } from './plan.js';
import type { Ran } from './run.js';

/** What came of one history, without its trace. */
export type Summary = Pick<
  Ran,
  'seed' | 'trace' | 'faults' | 'payments' | 'completed' | 'parts' | 'refunded'
>;

export interface Many {
  readonly first: number;
  readonly count: number;
  readonly size: Size;
  /** Called with each, in no particular order. */
  readonly onRan?: (summary: Summary) => void;
}

/** @returns processor time used by all of them, in seconds. @throws where a process ends before its time */
export async function runMany({ first, count, size, onRan = () => {} }: Many): Promise<number> {
  const processes = Math.min(count, availableParallelism());
  const share = (at: number) => ({ first: first + at, step: processes, end: first + count, size });
  const seconds = await Promise.all(Array.from({ length: processes }, (_, at) => runShare(share(at), onRan)));
  return seconds.reduce((sum, one) => sum + one, 0);
}

export interface Share {
  readonly first: number;
  readonly step: number;
  readonly end: number;
  readonly size: Size;
}

function runShare(share: Share, onRan: (summary: Summary) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = fileURLToPath(new URL('pool-worker.js', import.meta.url));
    // Without those of a test runner: source maps take as long to load as the program.
    const child = fork(worker, { stdio: 'inherit', execArgv: [] });
    let seconds: number | null = null;
    child.on('message', (message: Summary | number) => {
      if (typeof message === 'number') seconds = message;
      else onRan(message);
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (seconds === null) reject(new Error(`a process of the simulator ended with ${code}`));
      else resolve(seconds);
    });
    child.send(share);
  });
}
