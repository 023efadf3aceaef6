/** What nodes say together: what is believed, when it is final, and what many questions cost. */

import { type Illness, startNodeProxy, withError, withResult } from '../../helpers/network/node-proxy.js';
import { TEN } from '../../helpers/outside/chain-token.js';
import {
  failuresOf,
  inShort,
  later,
  latest,
  onChain,
  question,
  readerAt,
  receipt,
  twoNodes,
  UNKNOWN,
} from './ground.js';

const test = onChain();

test.serial('asks the other nodes if one has not seen the transaction yet', async (t) => {
  const { nodes } = await twoNodes(t, (call, answer) =>
    call.method === 'eth_getTransactionReceipt' ? withResult(answer, null) : answer,
  );
  const reader = readerAt(t.context);
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'found');
  t.deepEqual(failuresOf(reader), { first: {}, second: {} }, 'it is not ill for that');
});

test.serial('53: one that has the receipt in no block yet says the same as nothing', async (t) => {
  const { nodes } = await twoNodes(t, receipt({ blockNumber: null, blockHash: null }));
  t.is(inShort(await readerAt(t.context).lookup(nodes.slice(0, 1), question(t.context.hash))), 'not_found');
});

test.serial('returns not_found if a healthy node says so, whatever the state of the others', async (t) => {
  for (const illness of ['html', 'none'] as const) {
    const { nodes } = await twoNodes(t, illness);
    t.is(inShort(await readerAt(t.context).lookup(nodes, question(UNKNOWN))), 'not_found');
  }
});

test.serial('if `finalized` is refused or lags, the number of confirmations decides', async (t) => {
  const { chain, hash, at } = t.context;
  const { number } = await chain.head();
  const refusing: Illness = (call, answer) =>
    call.params[0] === 'finalized' ? withError(answer, -39001) : answer;
  const stale: Illness = (call, answer) =>
    call.params[0] === 'finalized'
      ? withResult(answer, {
          ...(answer.result as object),
          number: '0x1',
          timestamp: later('0x0', at / 1_000 - 90),
        })
      : answer;
  for (const illness of [refusing, stale]) {
    const { nodes } = await twoNodes(t, illness);
    const near = await readerAt(t.context, { confirmations: 2 }).lookup(nodes, question(hash));
    t.is(inShort(near), 'found');
    const far = await readerAt(t.context, { confirmations: 3 }).lookup(nodes, question(hash));
    t.like(far, { outcome: 'not_final', detail: '2 of 3 confirmations', block: number - 2 });
  }
});

test.serial('a limit that hides in `finalized` is a limit, not a node without finality', async (t) => {
  const { nodes } = await twoNodes(t, (call, answer) =>
    call.params[0] === 'finalized' ? withError(answer, -32005) : answer,
  );
  const reader = readerAt(t.context);
  await reader.lookup(nodes, question(t.context.hash));
  t.deepEqual(failuresOf(reader), { first: { rate_limited: 1 }, second: {} });
});

test.serial('a node is left behind by height, too, when its clock looks right', async (t) => {
  const { first, nodes } = await twoNodes(
    t,
    latest(({ number }) => ({ number: later(number, 201) })),
  );
  const reader = readerAt(t.context);
  await reader.lookup(nodes.slice(0, 1), question(t.context.hash));
  await reader.lookup(nodes.slice(1), question(t.context.hash));
  t.deepEqual(failuresOf(reader), { first: {}, second: {} }, 'each alone is well');
  first.be((call, answer) =>
    call.method === 'eth_getTransactionReceipt' ? withResult(answer, null) : latestBy(201)(call, answer),
  );
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'not_found');
  t.deepEqual(failuresOf(reader), { first: {}, second: { lagging: 1 } });
});

function latestBy(blocks: number) {
  return latest(({ number }) => ({ number: later(number, blocks) })) as Extract<
    Illness,
    (...args: never) => unknown
  >;
}

test.serial('a node without batches is asked one by one and says the same', async (t) => {
  const proxy = await startNodeProxy(t, t.context.chain, { batches: false });
  proxy.be('no_batches');
  t.is(inShort(await readerAt(t.context).lookup([proxy.node], question(t.context.hash))), 'found');
  t.deepEqual(
    proxy.asked().map((methods) => methods.length),
    [1, 1, 1, 1, 1],
  );
});

test.serial(
  '68: when two must agree, one alone is not believed, and neither are two that differ',
  async (t) => {
    const { hash } = t.context;
    const { first, second, nodes } = await twoNodes(t, 'none');
    const look = async () =>
      inShort(await readerAt(t.context, { agreeing: 2 }).lookup(nodes, question(hash)));
    t.is(await look(), 'found');
    t.is(
      inShort(await readerAt(t.context, { agreeing: 2 }).lookup([first.node], question(hash))),
      'unavailable',
    );
    second.be('html');
    t.is(await look(), 'unavailable');
    second.be((call, answer) =>
      call.method === 'eth_getTransactionReceipt' ? withResult(answer, null) : answer,
    );
    t.is(await look(), 'unavailable');
  },
);

test.serial(
  '68: a lie in any part of the receipt is a disagreement, and both nodes are counted',
  async (t) => {
    const { chain, hash } = t.context;
    const { first, nodes } = await twoNodes(t, 'none');
    const { logs } = (await chain.rpc('eth_getTransactionReceipt', hash)) as {
      readonly logs: readonly object[];
    };
    const [log] = logs;
    const lies: readonly Illness[] = [
      receipt({ logs: [{ ...log, data: `0x${(TEN * 2n).toString(16).padStart(64, '0')}` }] }),
      receipt({ logs: [...logs, ...logs] }),
      receipt({ status: '0x0' }),
      receipt({ logs: [] }),
      (call, answer) =>
        call.method === 'eth_getBlockByNumber' && String(call.params[0]).startsWith('0x')
          ? withResult(answer, {
              ...(answer.result as object),
              timestamp: later((answer.result as Record<string, string>).timestamp, -3_600),
            })
          : answer,
    ];
    for (const lie of lies) {
      first.be(lie);
      const reader = readerAt(t.context, { agreeing: 2 });
      t.is(inShort(await reader.lookup(nodes, question(hash))), 'unavailable');
      t.deepEqual(failuresOf(reader), { first: { disagreeing: 1 }, second: { disagreeing: 1 } });
    }
  },
);

test.serial('one huge receipt among many does not keep the others from being answered', async (t) => {
  const { chain, hash } = t.context;
  const proxy = await startNodeProxy(t, chain);
  const padding = { padding: 'x'.repeat(4_200_000) };
  proxy.be((call, answer) => (call.params[0] === UNKNOWN ? withResult(answer, padding) : answer));
  const questions = [hash, hash, UNKNOWN, hash, hash].map(question);
  const looks = await readerAt(t.context).lookupMany([proxy.node], 56, questions);
  t.deepEqual(looks.map(inShort), ['found', 'found', 'unavailable', 'found', 'found']);
});

test.serial('no id is used for two questions, so that an answer to another is known', async (t) => {
  const proxy = await startNodeProxy(t, t.context.chain);
  const ids: number[] = [];
  proxy.be((call, answer) => {
    ids.push(call.id);
    return answer;
  });
  for (let index = 0; index < 3; index += 1)
    await readerAt(t.context).lookup([proxy.node], question(UNKNOWN));
  t.is(ids.length, 12);
  t.is(new Set(ids).size, 12);
});

test.serial('a thousand questions cost a node a request for each fifty', async (t) => {
  const proxy = await startNodeProxy(t, t.context.chain);
  const questions = Array.from({ length: 1_000 }, (_, n) => question(`0x${n.toString().padStart(64, 'e')}`));
  const looks = await readerAt(t.context).lookupMany([proxy.node], 56, questions);
  t.true(looks.every(({ outcome }) => outcome === 'not_found'));
  t.is(proxy.asked().length, 20);
});

test.serial('the heads of a chain are reported with the final block by the same rule', async (t) => {
  const { nodes } = await twoNodes(t, { status: 500 });
  const { number } = await t.context.chain.head();
  t.deepEqual(await readerAt(t.context).heads(nodes, 56), {
    outcome: 'seen',
    latest: number,
    final: number - 2,
  });
  t.like(await readerAt(t.context).heads(nodes.slice(0, 1), 56), { outcome: 'unavailable' });
});

test.serial('a check reports the health of a node and whether it supports batches', async (t) => {
  const { first } = await twoNodes(t, 'none');
  const { number } = await t.context.chain.head();
  const check = () => readerAt(t.context).check(first.node, 56);
  const well = await check();
  t.like(well, {
    outcome: 'well',
    latest: { number },
    finalized: { number: number - 2 },
    takesBatches: true,
  });
  first.be('no_batches');
  t.like(await check(), { outcome: 'well', takesBatches: false });
  first.be('html');
  t.like(await check(), { outcome: 'fault', fault: { kind: 'not_json' } });
  t.like(await readerAt(t.context).check(first.node, 97), { outcome: 'fault' });
});
