/** `npm run simulate`: runs histories from seeds. What it tries: docs/development/simulator.md. */
import { parseArgs } from 'node:util';
import { makePlan, type Size, USUAL_SIZE } from './plan.js';
import { PLANTED_FAULTS } from './planted/faults.js';
import { findPlanted } from './planted/find.js';
import { type Ran, run } from './run.js';
import { itemText, shrink } from './shrink.js';
import { type Ground, makeGround } from './world/ground.js';

const USAGE = `Runs the payments of a simulated installation from a seed, and checks what must hold of money.

  npm run simulate -- --seed N    one history; the same seed is the same history
      --seeds COUNT               this seed and those behind it
      --days D                    how long customers come (${USUAL_SIZE.days})
      --daemons K                 daemons on one store (${USUAL_SIZE.daemons})
      --phones P                  relay phones, of two shops (${USUAL_SIZE.phones})
      --trace                     prints what happened
  npm run simulate -- --planted   looks for each of ${PLANTED_FAULTS.length} faults that are planted, one at a time
`;

const options = {
  seed: { type: 'string', default: '1' },
  seeds: { type: 'string', default: '1' },
  days: { type: 'string', default: String(USUAL_SIZE.days) },
  daemons: { type: 'string', default: String(USUAL_SIZE.daemons) },
  phones: { type: 'string', default: String(USUAL_SIZE.phones) },
  trace: { type: 'boolean', default: false },
  planted: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

class UsageError extends Error {}

function number(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least) return value;
  throw new UsageError(`--${name} must be a number, at least ${least}: ${text}`);
}

function whole(name: string, text: string, least: number): number {
  const value = number(name, text, least);
  if (Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${name} must be a whole number: ${text}`);
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(USAGE);
    return true;
  }
  if (values.planted) return findAllPlanted();
  const size: Size = {
    days: number('days', values.days, 0),
    daemons: whole('daemons', values.daemons, 1),
    phones: whole('phones', values.phones, 2),
  };
  const first = whole('seed', values.seed, 0);
  const seeds = whole('seeds', values.seeds, 1);
  const ground = await makeGround(size.phones);
  for (let seed = first; seed < first + seeds; seed += 1) {
    const ran = await run(seed, { ground, size, keptLines: values.trace ? Number.POSITIVE_INFINITY : 0 });
    for (const line of ran.lines) console.log(line);
    if (ran.faults.length > 0) {
      await report(ran, ground, size);
      return false;
    }
    console.log(`seed ${seed} trace ${ran.trace} ok`);
  }
  return true;
}

/** Prints the shortest history that still shows the fault. */
async function report(ran: Ran, ground: Ground, size: Size): Promise<void> {
  const { seed, faults } = ran;
  console.log(faults.join('\n'));
  const kind = kindOf(faults[0] ?? '');
  const shows = async (items: ReturnType<typeof makePlan>) => {
    const again = await run(seed, { ground, size, items });
    return again.faults.some((fault) => kindOf(fault) === kind);
  };
  const items = await shrink(makePlan(seed, size), (some) => shows([...some]));
  console.log(`The shortest history that shows it, of seed ${seed}:`);
  for (const item of items) console.log(`  ${itemText(item)}`);
  const { faults: left } = await run(seed, { ground, size, items });
  console.log(left.join('\n'));
  console.log(`seed ${seed} trace ${ran.trace} failed: ${faults[0]?.split('\n')[0] ?? ''}`);
}

/** What is wrong, without what it is wrong of. */
const kindOf = (fault: string) => fault.split(/[:\d]/)[0] ?? '';

async function findAllPlanted(): Promise<boolean> {
  const found = await findPlanted(PLANTED_FAULTS, 'first');
  for (const { name, seed, fault } of found) {
    console.log(seed === null ? `${name}: NOT FOUND` : `${name}: found with ${seed} seeds: ${fault}`);
  }
  const missed = found.filter(({ seed }) => seed === null).length;
  console.log(`${found.length - missed} of ${found.length} planted faults found`);
  return missed === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof TypeError && 'code' in error)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
