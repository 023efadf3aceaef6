/** Histories of a simulated installation: the product holds, and a product with a fault in it does not. */
import test from 'ava';
import { amount, isSoak } from '../helpers/tiers.js';
import { makePlan, USUAL_SIZE } from './plan.js';
import { PLANTED_FAULTS } from './planted/faults.js';
import { findPlanted } from './planted/find.js';
import { runMany, type Summary } from './pool.js';
import { itemText, shrink } from './shrink.js';

/** Machines that are busy with other tests take long for it. */
const MINUTES = 60_000;
const HISTORIES = amount(20, 200);
/** The others are planted in the soak. */
const PLANTED = isSoak ? PLANTED_FAULTS : PLANTED_FAULTS.slice(0, 1);

async function runSeeds(first: number, count: number): Promise<readonly Summary[]> {
  const ran: Summary[] = [];
  await runMany({ first, count, size: USUAL_SIZE, onRan: (one) => ran.push(one) });
  return ran;
}

let usual: Promise<readonly Summary[]> | undefined;

/** Those of the first seeds, which two tests look at. */
function runUsual(): Promise<readonly Summary[]> {
  usual ??= runSeeds(1, HISTORIES);
  return usual;
}

test.serial('histories lose nothing, credit nothing twice, and settle what can settle', async (t) => {
  t.timeout(10 * MINUTES);
  const ran = await runUsual();
  t.is(ran.length, HISTORIES);
  t.deepEqual(
    ran.filter(({ faults }) => faults.length > 0).map(({ seed, faults }) => ({ seed, faults })),
    [],
    'replay it with: npm run simulate -- --seed N',
  );
  const [opened, completed] = [sumOf(ran, 'payments'), sumOf(ran, 'completed')];
  t.log(`${opened} payments, ${completed} completed`);
  t.true(completed > HISTORIES && completed < opened, 'some are paid, and some are not');
  const [parts, refunded] = [sumOf(ran, 'parts'), sumOf(ran, 'refunded')];
  t.log(`${parts} parts, ${refunded} refunds completed by rule`);
  t.true(parts > HISTORIES / 2 && refunded > HISTORIES / 4, 'some pay in parts, and some get money back');
});

const sumOf = (ran: readonly Summary[], field: 'payments' | 'completed' | 'parts' | 'refunded') =>
  ran.reduce((sum, one) => sum + one[field], 0);

test.serial('a seed gives the same history every time, and another one another', async (t) => {
  t.timeout(10 * MINUTES);
  const ran = await runUsual();
  const [again] = await runSeeds(7, 1);
  const traceOf = (seed: number) => ran.find((one) => one.seed === seed)?.trace;
  t.regex(traceOf(7) ?? '', /^[0-9a-f]{16}$/);
  t.is(traceOf(7), again?.trace);
  t.not(traceOf(7), traceOf(8));
});

test.serial('a log that had no space to be renewed loses nothing that is committed later', async (t) => {
  t.timeout(5 * MINUTES);
  const [ran] = await runSeeds(30_799, 1);
  t.deepEqual(ran?.faults, []);
});

test.serial('each planted fault is found within 200 histories', async (t) => {
  t.timeout(15 * MINUTES);
  const found = await findPlanted(PLANTED, 'known');
  for (const { name, seed, fault } of found) t.log(`${name}: seed ${seed} (${fault.slice(0, 60)})`);
  t.deepEqual(
    found.filter(({ seed }) => seed === null).map(({ name }) => name),
    [],
  );
  t.is(found.length, PLANTED.length);
});

test('a history is made as short as what it must show', async (t) => {
  const items = makePlan(3, { days: 0.001 });
  const wanted = items.filter(({ kind }) => kind === 'dispatch').slice(1, 3);
  const left = await shrink(items, async (some) => wanted.every((one) => some.includes(one)));
  t.deepEqual(left, wanted);
  t.regex(itemText(left[0] as (typeof items)[number]), /^ +\d+\.\d s {2}dispatch$/);
});
