/** What is sent next: order, the limit of a minute, and the end of its time. */
import test from 'ava';
import fc from 'fast-check';
import type { Entry } from '../../../src/core/outbox/outbox.js';
import { nextStep, PARTS_A_MINUTE } from '../../../src/core/outbox/outbox.js';
import { dispatch, NOW } from '../../helpers/dispatches.js';

function waiting(id: string, changes = {}): Entry {
  const entry = { takenAt: NOW, sendingAt: null, word: null, error: null, told: null };
  return { ...entry, dispatch: dispatch(id, changes) };
}

function sent(id: string, sendingAt: number, parts: number): Entry {
  return { ...waiting(id, { parts }), sendingAt, word: 'SENT' };
}

test('higher priority goes first, and among equals what came first', (t) => {
  const entries = [waiting('a'), waiting('b', { priority: 5 }), waiting('c', { priority: 5 })];
  const step = nextStep(entries, NOW);
  t.is(step.kind === 'send' && step.dispatch.id, 'b');
});

test('what has the turn and does not fit into the minute is waited for; nothing overtakes it', (t) => {
  const spent = [sent('x', NOW - 50_000, 12), sent('y', NOW - 10_000, 10)];
  const long = waiting('long', { parts: 8, priority: 1 });
  t.deepEqual(nextStep([...spent, long, waiting('short')], NOW), { kind: 'wait', ms: 10_000 });
  const step = nextStep([...spent, long, waiting('short')], NOW + 10_000);
  t.is(step.kind === 'send' && step.dispatch.id, 'long');
});

test('at the end of its time it is not sent, also when it waits for room', (t) => {
  t.deepEqual(nextStep([waiting('a', { expiresAt: NOW })], NOW), { kind: 'expire', id: 'a' });
  t.is(nextStep([waiting('a', { expiresAt: NOW + 1 })], NOW).kind, 'send');
  const full = sent('x', NOW, PARTS_A_MINUTE);
  t.deepEqual(nextStep([full, waiting('a', { expiresAt: NOW + 7_000 })], NOW), { kind: 'wait', ms: 7_000 });
});

test('a SIM that can send nothing holds up its own SMS only, until their time is over', (t) => {
  const limits = { canSend: (simSlot: number | null) => simSlot === 2 };
  const urgent = waiting('a', { simSlot: 1, priority: 9, expiresAt: NOW + 500 });
  const step = nextStep([urgent, waiting('b', { simSlot: 2 })], NOW, limits);
  t.is(step.kind === 'send' && step.dispatch.id, 'b');
  t.deepEqual(nextStep([waiting('c', { simSlot: 1 })], NOW, limits), { kind: 'wait', ms: 1_000 });
  t.deepEqual(nextStep([urgent], NOW, limits), { kind: 'wait', ms: 500 });
  t.deepEqual(nextStep([urgent], NOW + 500, limits), { kind: 'expire', id: 'a' });
});

test('a text that is longer than a minute allows goes alone', (t) => {
  const long = waiting('long', { parts: 30 });
  t.is(nextStep([long], NOW).kind, 'send');
  t.deepEqual(nextStep([sent('x', NOW - 1_000, 1), long], NOW), { kind: 'wait', ms: 59_000 });
});

test('a clock that was put back holds nothing up for longer than two minutes', (t) => {
  const ahead = sent('x', NOW + 30_000, PARTS_A_MINUTE);
  t.deepEqual(nextStep([ahead, waiting('a')], NOW), { kind: 'wait', ms: 90_000 });
  t.is(nextStep([sent('x', NOW + 3_600_000, PARTS_A_MINUTE), waiting('a')], NOW).kind, 'send');
});

test('whatever is queued, no minute has more than 24 parts, and all of it is sent', (t) => {
  const queue = fc.array(
    fc.record({ parts: fc.integer({ min: 1, max: 10 }), priority: fc.integer({ min: -2, max: 2 }) }),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(queue, (list) => {
      const far = { expiresAt: NOW + 86_400_000 };
      const entries = new Map(list.map((one, at) => [`d${at}`, waiting(`d${at}`, { ...one, ...far })]));
      const sends: { at: number; parts: number }[] = [];
      for (let now = NOW; ; ) {
        const step = nextStep(entries.values(), now);
        if (step.kind === 'nothing') break;
        if (step.kind === 'wait') now += step.ms;
        if (step.kind === 'send') {
          const { id, parts } = step.dispatch;
          sends.push({ at: now, parts });
          entries.set(id, sent(id, now, parts));
        }
      }
      t.is(sends.length, list.length);
      for (const { at } of sends) {
        const minute = sends.filter((one) => one.at >= at && one.at < at + 60_000);
        t.true(minute.reduce((sum, { parts }) => sum + parts, 0) <= PARTS_A_MINUTE);
      }
    }),
    { numRuns: 60 },
  );
});
