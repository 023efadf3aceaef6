/** Looks for planted faults, each in a process of its own, one for each processor at a time. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PlantedFault } from './faults.js';

export interface Found {
  readonly name: string;
  /** With how many seeds; null where it was not found. */
  readonly seeds: number | null;
  /** The first thing that is wrong. */
  readonly fault: string;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const runFile = promisify(execFile);

/** @param faults in this order, each looked for in as many seeds as find-one.ts says. */
export async function findPlanted(faults: readonly PlantedFault[]): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = [...faults.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, { name }] = next;
      found[at] = await findOne(name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return found;
}

async function findOne(name: string): Promise<Found> {
  const args = ['--import', here('register.js'), here('find-one.js')];
  const { stdout } = await runFile(process.execPath, args, { env: { ...process.env, PLANTED_FAULT: name } });
  return { name, ...(JSON.parse(stdout) as Omit<Found, 'name'>) };
}
