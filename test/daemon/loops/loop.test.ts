/** The loop that drives what the daemon does again and again: its rounds, its pauses and its end. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createLoop, type LoopOptions } from '../../../daemon/loops/loop.js';
import { systemTimers } from '../../../src/base/values/timers.js';
import { until } from '../../helpers/until.js';

/** Longer than any test. */
const LONG_MS = 1_000_000;

/** Each round goes on until `leave` is called. */
function heldLoop(t: ExecutionContext<unknown>, options: Partial<LoopOptions> = {}) {
  const held: (() => void)[] = [];
  let rounds = 0;
  const run = async () => {
    rounds += 1;
    t.is(held.length, 0, 'a round overlaps another');
    await new Promise<void>((resolve) => held.push(resolve));
  };
  const loop = createLoop({ run, pauseMs: LONG_MS, ...options });
  const leave = () => held.pop()?.();
  t.teardown(() => {
    const stopped = loop.stop();
    leave();
    return stopped;
  });
  const isHeld = () => held.length > 0;
  return { loop, leave, rounds: () => rounds, isHeld };
}

test('rounds never overlap, and stopping waits for the one under way', async (t) => {
  const { loop, leave, rounds, isHeld } = heldLoop(t, { pauseMs: 1 });
  loop.start();
  for (const round of [1, 2, 3]) {
    await until(isHeld);
    await sleep(5);
    t.is(rounds(), round);
    if (round < 3) leave();
  }
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await setImmediate();
  t.false(isStopped);
  leave();
  await stopped;
  await sleep(20);
  t.is(rounds(), 3);
});

test('a call during a round gives exactly one more, however many there are', async (t) => {
  const { loop, leave, rounds, isHeld } = heldLoop(t);
  loop.start();
  loop.wake();
  await until(isHeld);
  for (let call = 0; call < 3; call += 1) loop.wake();
  leave();
  await until(isHeld);
  t.is(rounds(), 2);
  leave();
  await sleep(20);
  t.is(rounds(), 2);
});

test('a call from inside a round gives one more, after it', async (t) => {
  let rounds = 0;
  let isRunning = false;
  const run = async () => {
    t.false(isRunning);
    isRunning = true;
    rounds += 1;
    if (rounds === 1) loop.wake();
    await setImmediate();
    isRunning = false;
  };
  const loop = createLoop({ run, pauseMs: LONG_MS });
  t.teardown(() => loop.stop());
  loop.start(0);
  await until(() => rounds === 2 && !isRunning);
  await sleep(20);
  t.is(rounds, 2);
});

test('a call that waits for its round is forgotten when the loop stops', async (t) => {
  const { loop, leave, rounds, isHeld } = heldLoop(t);
  loop.start(0);
  await until(isHeld);
  loop.wake();
  const stopped = loop.stop();
  loop.wake();
  leave();
  await stopped;
  await sleep(20);
  t.is(rounds(), 1);
});

test('a failure is reported and followed by the longest pause, not by the end', async (t) => {
  const told: unknown[] = [];
  let rounds = 0;
  const loop = createLoop({
    run: () => {
      rounds += 1;
      if (rounds !== 2) throw new Error(`round ${rounds}`);
    },
    pauseMs: 30,
    failed: (error) => told.push(String(error)),
  });
  t.teardown(() => loop.stop());
  const began = performance.now();
  loop.start(0);
  await until(() => rounds >= 3);
  // A timer may be a millisecond early.
  t.true(performance.now() - began >= 58);
  t.deepEqual(told.slice(0, 2), ['Error: round 1', 'Error: round 3']);
});

test('a pause counts from the end of a round, and never exceeds the longest', async (t) => {
  const waits: number[] = [];
  const events: string[] = [];
  const pauses = [40, LONG_MS];
  const run = async () => {
    await sleep(5);
    events.push('end');
    return pauses[events.filter((one) => one === 'end').length - 1] ?? LONG_MS;
  };
  const after: typeof systemTimers.after = (ms, ...others) => {
    waits.push(Math.round(ms));
    events.push('wait');
    return systemTimers.after(ms, ...others);
  };
  const loop = createLoop({ run, pauseMs: 60, timers: { ...systemTimers, after } });
  t.teardown(() => loop.stop());
  loop.start(0);
  await until(() => waits.length === 3);
  t.deepEqual(waits, [0, 40, 60]);
  t.deepEqual(events, ['wait', 'end', 'wait', 'end', 'wait']);
});

test('a call during a pause ends it, and the next pause is a whole one', async (t) => {
  const begins: number[] = [];
  const loop = createLoop({ run: () => void begins.push(performance.now()), pauseMs: 200 });
  t.teardown(() => loop.stop());
  loop.start();
  await sleep(50);
  t.is(begins.length, 0, 'the first round comes after a pause');
  loop.wake();
  await setImmediate();
  t.is(begins.length, 1);
  await until(() => begins.length === 2);
  t.true((begins[1] ?? 0) - (begins[0] ?? 0) >= 199);
});

test('a loop without pauses runs only when it is called', async (t) => {
  let rounds = 0;
  const run = () => {
    rounds += 1;
  };
  const loop = createLoop({ run, pauseMs: Number.POSITIVE_INFINITY });
  loop.wake();
  await setImmediate();
  t.is(rounds, 0, 'it is not started');
  loop.start();
  await sleep(20);
  t.is(rounds, 0);
  loop.wake();
  await sleep(20);
  t.is(rounds, 1);
  await loop.stop();
});

test('a loop that is started twice has one timer', async (t) => {
  let rounds = 0;
  const run = () => {
    rounds += 1;
  };
  const loop = createLoop({ run, pauseMs: Number.POSITIVE_INFINITY });
  loop.start(20);
  loop.start(5);
  await sleep(60);
  t.is(rounds, 1);
  await loop.stop();
});

test('a loop that is stopped and restarted during a round continues after it, at its old pace', async (t) => {
  const { loop, leave, rounds, isHeld } = heldLoop(t, { pauseMs: 100 });
  loop.start(0);
  await until(isHeld);
  void loop.stop();
  loop.start(0);
  loop.start(0);
  await sleep(20);
  t.is(rounds(), 1);
  leave();
  await sleep(20);
  t.is(rounds(), 1);
  await until(isHeld);
  t.is(rounds(), 2);
});

test('a round that is wanted within some time is one round, however often and when it is wanted', async (t) => {
  const { loop, leave, rounds, isHeld } = heldLoop(t);
  loop.wakeWithin(0);
  await sleep(20);
  t.is(rounds(), 0, 'not started');
  loop.start();
  loop.wakeWithin(LONG_MS / 2);
  for (let call = 0; call < 3; call += 1) loop.wakeWithin(10);
  loop.wakeWithin(LONG_MS / 2);
  await until(isHeld);
  t.is(rounds(), 1);
  // During a round: not lost, and not before its end.
  loop.wakeWithin(1);
  await sleep(20);
  t.is(rounds(), 1);
  leave();
  await until(isHeld);
  t.is(rounds(), 2);
  leave();
  await sleep(20);
  t.is(rounds(), 2, 'nothing is wanted any more');
});
