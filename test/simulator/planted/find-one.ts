/** Runs histories of a product with a planted fault until one shows it, and prints what was found as JSON. */
import { LONG_SIZE } from '../plan.js';
import { run } from '../run.js';
import { makeGround } from '../world/ground.js';

/** A fault that hides longer is not found. */
const MOST_SEEDS = 200;

async function find(): Promise<{ seeds: number | null; fault: string }> {
  const ground = await makeGround(LONG_SIZE.phones);
  for (let seed = 1; seed <= MOST_SEEDS; seed += 1) {
    const { faults } = await run(seed, { ground, size: LONG_SIZE });
    const [first] = faults;
    if (first !== undefined) return { seeds: seed, fault: first.split('\n')[0] ?? '' };
  }
  return { seeds: null, fault: '' };
}

console.log(JSON.stringify(await find()));
