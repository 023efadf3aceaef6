/** Runs histories of a product with a planted fault until one shows it. Loaded from a copy of the program. */
import { LONG_SIZE } from '../plan.js';
import { run } from '../run.js';
import { makeGround } from '../world/ground.js';
import type { Found } from './find.js';

/** A fault that hides longer is not found. */
const MOST_SEEDS = 200;

/** @returns with how many seeds it was found, and the first thing that is wrong. */
export async function findOne(): Promise<Omit<Found, 'name'>> {
  const ground = await makeGround(LONG_SIZE.phones);
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const { faults } = await run(seed, { ground, size: LONG_SIZE });
    const [first] = faults;
    if (first !== undefined) return { seeds: seed, fault: first.split('\n')[0] ?? '' };
  }
  return { seeds: null, fault: '' };
}
