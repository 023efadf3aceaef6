/** Limits and rests of sources: nodes and exchanges have the same. */
import test from 'ava';
import { NODE_BACK_OFF } from '../../src/channels/bep20/pool.js';
import {
  createFairQueue,
  createRateLimiter,
  createSemaphore,
  type Rest,
  restAfter,
  type SourceFault,
} from '../../src/channels/sources.js';

/** How long a source is left alone after each of so many failures in a row. */
function waits(kind: string, times: number, retryAfterMs?: number): number[] {
  const fault: SourceFault = { kind, detail: '', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  let rest: Rest<SourceFault> | null = null;
  return Array.from({ length: times }, () => {
    rest = restAfter(rest, fault, 5_000, NODE_BACK_OFF);
    return rest.retryAt - 5_000;
  });
}

test('a source that keeps failing is tried less and less, one that is asked too much as it says', (t) => {
  t.deepEqual(waits('timeout', 7), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  t.deepEqual(waits('rate_limited', 6), [5_000, 10_000, 20_000, 40_000, 80_000, 120_000]);
  t.deepEqual(waits('rate_limited', 2, 60_000), [60_000, 60_000]);
  t.deepEqual(waits('rate_limited', 1, 1_000), [5_000]);
  t.deepEqual(waits('rate_limited', 1, 86_400_000), [120_000], 'but not for a day');
});

test('calls that a clock which was ahead has counted are forgotten once it is set back', (t) => {
  let now = 2 * 86_400_000;
  const take = createRateLimiter(() => now, 1);
  t.is(take(), 0);
  t.is(take(), 60_000);
  now = 0;
  t.is(take(), 0);
  t.is(take(), 60_000);
});

test('a limit gives back what is a minute old, and says when', (t) => {
  let now = 1_000_000;
  const take = createRateLimiter(() => now, 2);
  t.is(take(), 0);
  now += 10_000;
  t.is(take(), 0);
  now += 10_000;
  t.is(take(), 40_000);
  now += 40_000;
  t.is(take(), 0);
  t.is(take(), 10_000);
});

test('grants places in the order of requests, and no caller waits longer than its limit', async (t) => {
  const places = createSemaphore(1);
  t.true(await places.acquire(0));
  const order: string[] = [];
  const enter = (name: string, waitMs: number) =>
    places.acquire(waitMs).then((isIn) => order.push(`${name} ${isIn}`));
  const waiting = [enter('a', 60_000), enter('b', 10), enter('c', 60_000)];
  await waiting[1];
  places.release();
  await waiting[0];
  places.release();
  await waiting[2];
  t.deepEqual(order, ['b false', 'a true', 'c true']);
  places.release();
  t.true(await places.acquire(0), 'free again');
});

test('the caller with the fewest turns goes first, then the newest, and one that leaves gets none', async (t) => {
  // Long enough that all callers wait before the next turn, on a busy machine too.
  const turns = createFairQueue({ burst: 2, everyMs: 500 });
  const never = new AbortController().signal;
  const leaving = new AbortController();
  const order: string[] = [];
  const take = (who: number, name: string, signal = never) =>
    turns.take(who, signal).then((isTurn) => order.push(`${name} ${isTurn}`));
  const all = [
    take(1, 'first'),
    take(1, 'second'),
    take(1, 'third'),
    take(2, 'gone', leaving.signal),
    take(3, 'older'),
    take(4, 'newer'),
  ];
  leaving.abort();
  await Promise.all(all);
  t.deepEqual(order, ['first true', 'second true', 'gone false', 'newer true', 'older true', 'third true']);
});

test('silence saves up no more turns than may be had at once', async (t) => {
  const turns = createFairQueue({ burst: 2, everyMs: 200 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const asked = Array.from({ length: 8 }, (_, who) => {
    const leaving = new AbortController();
    return { leaving, turn: turns.take(who, leaving.signal) };
  });
  for (const { leaving } of asked) leaving.abort();
  const had = await Promise.all(asked.map(({ turn }) => turn));
  t.deepEqual(had, [true, true, false, false, false, false, false, false]);
});
