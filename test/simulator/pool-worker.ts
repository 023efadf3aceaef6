/** One process of pool.ts: is told its share, and tells what came of it, then its processor time. */
import type { Share, Summary } from './pool.js';
import { run } from './run.js';
import { makeGround } from './world/ground.js';

async function work({ first, step, end, size }: Share): Promise<void> {
  const ground = await makeGround(size.phones);
  const before = process.cpuUsage();
  for (let seed = first; seed < end; seed += step) {
    const { trace, faults, payments, completed, parts, refunded } = await run(seed, { ground, size });
    process.send?.({ seed, trace, faults, payments, completed, parts, refunded } satisfies Summary);
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.((user + system) / 1e6, () => process.disconnect());
}

process.once('message', (share) => void work(share as Share));
