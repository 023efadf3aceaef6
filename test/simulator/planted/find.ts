/** Looks for planted faults, each in a copy of the program, in one process for each processor. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change, PlantedFault } from './faults.js';
import type { Wanted } from './find-worker.js';

export interface Found {
  readonly name: string;
  /** The seed that has shown it; null where none did. */
  readonly seed: number | null;
  /** The first thing that is wrong. */
  readonly fault: string;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * @param faults in this order, each looked for in as many seeds as find-one.ts says.
 * @param from the first seed, or the one that has shown the fault before: then the others, if it does not.
 */
export async function findPlanted(
  faults: readonly PlantedFault[],
  from: 'first' | 'known',
): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = [...faults.entries()];
  const work = async () => {
    const file = fileURLToPath(new URL('find-worker.js', import.meta.url));
    // Without those of a test runner: source maps take as long to load as the program.
    const worker = fork(file, { stdio: 'inherit', execArgv: [] });
    const ended = endOf(worker);
    ended.catch(() => {});
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, fault] = next;
        found[at] = await findIn(worker, fault, from === 'known' ? fault.seed : 1, ended);
      }
    } finally {
      worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

/** @param ended rejects when the worker has ended. */
async function findIn(
  worker: ChildProcess,
  { name, changes }: PlantedFault,
  first: number,
  ended: Promise<never>,
): Promise<Found> {
  // Below the root, so that packages are found as usual.
  const copy = join(root, 'dist', 'planted', name);
  try {
    copyProgram(copy);
    for (const change of changes) plant(copy, change);
    const file = join(copy, 'dist', 'test', 'simulator', 'planted', 'find-one.js');
    worker.send({ file, first } satisfies Wanted);
    const [found] = await Promise.race([once(worker, 'message'), ended]);
    return { name, ...(found as Omit<Found, 'name'>) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function endOf(worker: ChildProcess): Promise<never> {
  const [code] = await once(worker, 'exit');
  throw new Error(`the process that looks for planted faults ended with ${code}`);
}

/** What the simulator runs, compiled. */
const PARTS = ['dist/src', 'dist/daemon', 'dist/relay-android-ts/src', 'dist/test/simulator', 'package.json'];

function copyProgram(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const filter = (path: string) => !path.endsWith('.map');
  for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true, filter });
}

/** @throws Error where the text is not there exactly once: then the table of faults is out of date. */
function plant(folder: string, { module, from, to }: Change): void {
  const path = join(folder, 'dist', module);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2)
    throw new Error(`${module} has "${from}" ${parts.length - 1} times, once is wanted`);
  writeFileSync(path, parts.join(to));
}
