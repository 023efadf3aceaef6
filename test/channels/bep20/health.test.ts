/** When a node that has failed is tried again, and how far it may be behind. */
import test from 'ava';
import {
  afterAnswer,
  afterFault,
  heightFault,
  isDue,
  isSuspended,
  type NodeHealth,
  UNTRIED,
} from '../../../src/channels/bep20/health.js';
import type { NodeFault, NodeFaultKind } from '../../../src/channels/bep20/types.js';

function fault(kind: NodeFaultKind, retryAfterMs?: number): NodeFault {
  return { kind, detail: '', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** How long it is left alone after each of so many failures in a row. */
function waits(one: NodeFault, times: number): number[] {
  let health: NodeHealth = UNTRIED;
  return Array.from({ length: times }, () => {
    health = afterFault(health, one, 5_000);
    return (health.down?.retryAt ?? 0) - 5_000;
  });
}

test('a node that keeps failing is tried less and less, but twice a minute at least', (t) => {
  t.deepEqual(waits(fault('timeout'), 7), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('one that is asked too much is left alone for longer, and as long as it says', (t) => {
  t.deepEqual(waits(fault('rate_limited'), 6), [5_000, 10_000, 20_000, 40_000, 80_000, 120_000]);
  t.deepEqual(waits(fault('rate_limited', 60_000), 2), [60_000, 60_000]);
  t.deepEqual(waits(fault('rate_limited', 1_000), 1), [5_000]);
  t.deepEqual(waits(fault('rate_limited', 86_400_000), 1), [120_000], 'but not for a day');
});

test('an answer makes it well, as if it had never failed', (t) => {
  const down = afterFault(UNTRIED, fault('timeout'), 0);
  t.not(down.down, null);
  t.deepEqual(afterAnswer(7), { down: null, head: 7 });
});

test('a huge receipt and a disagreement put no node aside', (t) => {
  for (const kind of ['too_large', 'disagreeing'] as const)
    t.is(afterFault(UNTRIED, fault(kind), 0), UNTRIED);
});

test('it may be tried when its time has come; only one that is asked too much must not be before', (t) => {
  const dead = afterFault(UNTRIED, fault('timeout'), 0);
  const limited = afterFault(UNTRIED, fault('rate_limited'), 0);
  t.deepEqual(
    [UNTRIED, dead, limited].map((health) => isDue(health, 999)),
    [false, false, false],
  );
  t.deepEqual(
    [UNTRIED, dead, limited].map((health) => isDue(health, 1_000)),
    [false, true, false],
  );
  t.deepEqual(
    [UNTRIED, dead, limited].map((health) => isSuspended(health, 999)),
    [false, false, true],
  );
  t.false(isSuspended(limited, 5_000));
});

test('more than 200 blocks behind another node that is well is lagging', (t) => {
  const others = [afterAnswer(1_000), UNTRIED];
  t.is(heightFault(800, others), null);
  t.is(heightFault(799, others)?.kind, 'lagging');
  t.is(heightFault(2_000, others), null);
  t.is(heightFault(1, []), null);
  const down = afterFault(afterAnswer(1_000), fault('clock'), 0);
  t.is(heightFault(1, [down]), null, 'the word of one that is down counts for nothing');
});
