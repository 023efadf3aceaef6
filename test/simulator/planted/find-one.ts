/** Runs histories of a product with a planted fault until one shows it. Loaded from a copy of the program. */
import { LONG_SIZE } from '../plan.js';
import { run } from '../run.js';
import { makeGround } from '../world/ground.js';
import type { Found } from './find.js';

/** A fault that hides longer is not found. */
const MOST_SEEDS = 200;

/** @param first tried before all others. @returns the seed that has shown it, and what is wrong first. */
export async function findOne(first: number): Promise<Omit<Found, 'name'>> {
  const ground = await makeGround(LONG_SIZE.phones);
  const all = Array.from({ length: MOST_SEEDS }, (_, at) => at + 1);
  for (const seed of [first, ...all.filter((one) => one !== first)]) {
    const { faults } = await run(seed, { ground, size: LONG_SIZE });
    const [fault] = faults;
    if (fault !== undefined) return { seed, fault: fault.split('\n')[0] ?? '' };
  }
  return { seed: null, fault: '' };
}
