/** Which nodes are asked, by what is remembered of them. */
import test from 'ava';
import { createNodePool, heightFault } from '../../../src/channels/bep20/pool.js';
import type { NodeAnswer } from '../../../src/channels/bep20/query-node.js';
import type { NodeFaultKind } from '../../../src/channels/bep20/types.js';

const NODES = { chainId: 56, all: [{ id: 'one', url: 'http://localhost', batches: true }] };

/** A pool of one node that has just failed in that way, and what it does at a time. */
async function poolAfter(kind: NodeFaultKind) {
  let at = 0;
  let asked = 0;
  const answer: NodeAnswer = { outcome: 'fault', fault: { kind, detail: '' } };
  const ask = () => {
    asked += 1;
    return Promise.resolve(answer);
  };
  const pool = createNodePool({ now: () => at, steadyMs: () => at, nodeMs: 1_000, ask });
  const [node] = NODES.all;
  if (node !== undefined) await pool.ask(NODES, node, [], 1_000);
  /** @returns how many are well, and how often they were asked to find that out. */
  return async (time: number) => {
    [at, asked] = [time, 0];
    const { length } = await pool.ready(NODES);
    return [length, asked];
  };
}

test('one that is asked too much must not be asked before its time; where all are down any other may', async (t) => {
  const dead = await poolAfter('timeout');
  t.deepEqual(await dead(999), [0, 1]);
  const limited = await poolAfter('rate_limited');
  t.deepEqual(await limited(4_999), [0, 0]);
  t.deepEqual(await limited(5_000), [0, 1]);
});

test('a huge receipt and a disagreement put no node aside', async (t) => {
  for (const kind of ['too_large', 'disagreeing'] as const)
    t.deepEqual(await (await poolAfter(kind))(0), [1, 0]);
});

test('more than 200 blocks behind another node that is well is lagging', (t) => {
  const well = (head: number | null) => ({ down: null, head });
  const others = [well(1_000), well(null)];
  t.is(heightFault(800, others), null);
  t.is(heightFault(799, others)?.kind, 'lagging');
  t.is(heightFault(2_000, others), null);
  t.is(heightFault(1, []), null);
  const down = { down: { fault: { kind: 'clock', detail: '' }, tries: 1, retryAt: 0 }, head: 1_000 } as const;
  t.is(heightFault(1, [down]), null, 'the word of one that is down counts for nothing');
});
