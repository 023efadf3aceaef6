/** Runs one history: a plan made from a seed, until all is calm and what can settle has settled. */
import { type Ledger, readLedger } from './check/ledger.js';
import { check, unsettled } from './check/model.js';
import { seedSqlite } from './disk/vfs.js';
import { type Item, makePlan, type Size } from './plan.js';
import { buy, dispatch, forge, guess, operate } from './world/customers.js';
import type { Ground } from './world/ground.js';
import { forgeSent, payParts, refund } from './world/refunds.js';
import { World } from './world/world.js';

export interface Ran {
  readonly seed: number;
  /** Hash of all that happened, 16 hex digits. */
  readonly trace: string;
  /** What is wrong, one line each. */
  readonly faults: readonly string[];
  /** How many payments were opened. */
  readonly payments: number;
  /** How many of them are completed. */
  readonly completed: number;
  /** Number of credits that paid a part, and of refunds that a rule has completed. */
  readonly parts: number;
  readonly refunded: number;
  /** The last things that happened, where they were asked for. */
  readonly lines: readonly string[];
}

/** Troubles may outlast the plan by so much. */
const TAIL_MS = 25_000;
const ROUND_MS = 4_000;
const ROUNDS = 40;
/** From the second round on the machine sleeps between rounds, in the end for hours: so long retries wait. */
const FIRST_SLEEP_MS = 20_000;
const SLEEPY_ROUND = 14;
const LONGEST_SLEEP_MS = 12 * 3_600_000;

/** @param items the plan of the seed unless others are given. */
export async function run(
  seed: number,
  { ground, size, items = makePlan(seed, size), keptLines = 0 }: RunOptions,
): Promise<Ran> {
  seedSqlite(seed);
  const world = new World({ seed, ground, daemons: size.daemons, keptLines });
  const faults: string[] = [];
  let ledger: Ledger | null = null;
  try {
    world.start();
    for (const item of items) world.timers.after(item.at, () => begin(world, item));
    await world.time.run((items.at(-1)?.at ?? 0) + TAIL_MS);
    world.calm();
    ledger = await settle(world);
    faults.push(...check(world.observed, ledger));
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    for (const daemon of world.machine.daemons) daemon.kill();
    for (const phone of world.phones) phone.kill();
    // Frees what they had open.
    await world.time.run(world.time.now).catch(() => {});
  }
  for (const credit of ledger?.credits ?? []) world.trace.add(...Object.values(credit));
  for (const [id, { status, reason }] of ledger?.sessions ?? []) world.trace.add(id, status, reason);
  return {
    seed,
    trace: world.trace.end(),
    faults,
    payments: world.observed.orders.length,
    completed: ledger?.credits.filter(({ rest }) => rest === 0).length ?? 0,
    parts: ledger?.credits.filter(({ rest }) => rest > 0).length ?? 0,
    refunded: ledger?.refunds.filter(({ by }) => by === 'rule').length ?? 0,
    lines: world.trace.last,
  };
}

export interface RunOptions {
  readonly ground: Ground;
  readonly size: Size;
  readonly items?: readonly Item[];
  readonly keptLines?: number;
}

function begin(world: World, item: Item): void {
  doing(world, item).catch(world.time.fail);
}

function doing(world: World, item: Item): Promise<void> {
  switch (item.kind) {
    case 'order':
      return buy(world, item.seed, item.way);
    case 'forgery':
      return forge(world, item.seed);
    case 'guesses':
      return guess(world, item.seed);
    case 'dispatch':
      return dispatch(world, item.seed);
    case 'parts':
      return payParts(world, item.seed);
    case 'refund':
      return refund(world, item.seed);
    case 'forged_transfer':
      return forgeSent(world, item.seed);
    case 'operator':
      return operate(world, item.seed);
    case 'problem':
      return world.problem(item.what, item.seed, item.ms);
    default:
      return item satisfies never;
  }
}

/** Waits until nothing is left to be done. @returns the ledger as it is then. */
async function settle(world: World): Promise<Ledger> {
  const { time } = world;
  for (let round = 1; ; round += 1) {
    await time.run(time.now + ROUND_MS);
    const ledger = await peek(world);
    if (ledger !== null && (isQuiet(world, ledger) || round >= ROUNDS)) return ledger;
    if (round > ROUNDS + 10) throw new Error('no daemon can read the store, long after all is calm');
    time.sleep(Math.min(LONGEST_SLEEP_MS, FIRST_SLEEP_MS * 2 ** Math.max(0, round - SLEEPY_ROUND)));
  }
}

function isQuiet(world: World, ledger: Ledger): boolean {
  return world.phones.every(({ isDrained }) => isDrained) && unsettled(world.observed, ledger).length === 0;
}

/** @returns null where no daemon answers. */
async function peek(world: World): Promise<Ledger | null> {
  let found: Ledger | null = null;
  let isOver = false;
  for (const daemon of world.machine.daemons) {
    if (!daemon.isUp || found !== null) continue;
    isOver = false;
    daemon
      .serve((core) => core.store.read((db) => readLedger((sql) => db.execute(sql, []))))
      .then(
        (ledger) => {
          found = ledger;
          isOver = true;
        },
        () => {
          isOver = true;
        },
      );
    await world.time.run(world.time.now + 1_000, () => isOver);
  }
  return found;
}
