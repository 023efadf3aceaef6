/**
 * Nodes that are ill, in front of a real chain: what each illness is called, what it costs, and that another
 * node's answer is taken instead.
 */
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { type ChainReaderOptions, createChainReader } from '../../../src/channels/bep20/reader.js';
import type { ChainNode, ChainQuestion } from '../../../src/channels/bep20/types.js';
import type { Look } from '../../../src/channels/channel.js';
import { SHOP, startTokenChain, TEN, type TokenChain, USDT } from '../../helpers/chain-token.js';
import { type Illness, startNodeProxy, withError, withResult } from '../../helpers/node-proxy.js';

interface Ground {
  readonly chain: TokenChain;
  /** A transfer of ten that is final. */
  readonly hash: string;
  /** The chain's time. */
  readonly at: number;
}

const test = anyTest as TestFn<Ground>;
const ends: (() => unknown)[] = [];
const UNKNOWN = `0x${'e'.repeat(64)}`;
/** A deadline that no node on this machine misses unless it is ill. */
const NODE_MS = 1_500;

test.before(async (t) => {
  const chain = await startTokenChain({ teardown: (end) => ends.push(end) });
  const hash = await chain.pay(TEN);
  await chain.mine(2);
  const { at } = await chain.head();
  t.context = { chain, hash, at };
});
test.after.always(async () => {
  for (const end of ends) await end();
});

function question(hash: string): ChainQuestion {
  return { hash, chainId: 56, token: USDT, decimals: 18, receiver: SHOP };
}

function readerAt({ at }: Ground, changed: Partial<ChainReaderOptions> = {}) {
  return createChainReader({ now: () => at, confirmations: 120, agreeing: 1, nodeMs: NODE_MS, ...changed });
}

function inShort(look: Look): string {
  return look.outcome === 'refused' ? look.about : look.outcome;
}

type Reader = ReturnType<typeof createChainReader>;

/** The failures of each node since this was last asked. */
function failuresOf(reader: Reader): Record<string, Readonly<Record<string, number>>> {
  return Object.fromEntries(reader.tallies().map(({ source, failures }) => [source, failures]));
}

async function twoNodes(t: ExecutionContext<Ground>, illness: Illness) {
  const first = await startNodeProxy(t, t.context.chain, { id: 'first' });
  const second = await startNodeProxy(t, t.context.chain, { id: 'second' });
  first.be(illness);
  return { first, second, nodes: [first.node, second.node] };
}

const latest =
  (change: (head: Record<string, string>) => object): Illness =>
  (call, answer) =>
    call.method === 'eth_getBlockByNumber' && call.params[0] === 'latest'
      ? withResult(answer, {
          ...(answer.result as object),
          ...change(answer.result as Record<string, string>),
        })
      : answer;

const later = (hex: string | undefined, seconds: number) => `0x${(Number(hex) + seconds).toString(16)}`;

const receipt =
  (change: Readonly<Record<string, unknown>>): Illness =>
  (call, answer) =>
    call.method === 'eth_getTransactionReceipt' && answer.result !== null
      ? withResult(answer, { ...(answer.result as object), ...change })
      : answer;

const ILLNESSES: Readonly<Record<string, readonly [Illness, string]>> = {
  hangs: ['hang', 'timeout'],
  trickles: ['trickle', 'timeout'],
  'closes the connection': ['reset', 'unreachable'],
  'breaks off in the middle': ['half', 'unreachable'],
  'answers 500': [{ status: 500 }, 'http_status'],
  'answers 403': [{ status: 403 }, 'http_status'],
  'answers 302': [{ status: 302, headers: { location: '/elsewhere' } }, 'http_status'],
  'answers 429': [{ status: 429, headers: { 'retry-after': '1' } }, 'rate_limited'],
  'answers 400 with an error': [
    { status: 400, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}' },
    'rpc_error',
  ],
  'answers 403 with its limit': [{ status: 403, body: '{"error":{"code":-32005}}' }, 'rate_limited'],
  'answers HTML': ['html', 'not_json'],
  'answers nothing': [{ status: 200, body: '' }, 'not_json'],
  'answers null': [{ status: 200, body: 'null' }, 'malformed'],
  'answers a text': [{ status: 200, body: '"yes"' }, 'malformed'],
  'answers an empty list': [{ status: 200, body: '[]' }, 'wrong_id'],
  'answers a list of nothing': [{ status: 200, body: '[null]' }, 'wrong_id'],
  'answers 100 MB': ['huge', 'too_large'],
  'answers other questions': ['wrong_id', 'wrong_id'],
  'gives all answers one id': ['same_id', 'wrong_id'],
  'takes no batches': ['no_batches', 'rpc_error'],
  'is asked too much': [(_call, answer) => withError(answer, -32005), 'rate_limited'],
  'knows no receipts': [
    (call, answer) => (call.method === 'eth_getTransactionReceipt' ? withError(answer, -32000) : answer),
    'rpc_error',
  ],
  'says neither result nor error': [({ id }) => ({ id, jsonrpc: '2.0' }), 'malformed'],
  'says an error without a code': [
    ({ id }) => ({ id, jsonrpc: '2.0', error: {} as { code: number; message: string } }),
    'malformed',
  ],
  'is on another chain': [
    (call, answer) => (call.method === 'eth_chainId' ? withResult(answer, '0x61') : answer),
    'wrong_chain',
  ],
  'has a chain id that is no number': [
    (call, answer) => (call.method === 'eth_chainId' ? withResult(answer, 56) : answer),
    'malformed',
  ],
  'has an old head': [latest(({ timestamp }) => ({ timestamp: later(timestamp, -31) })), 'lagging'],
  'has a head from the future': [latest(({ timestamp }) => ({ timestamp: later(timestamp, 61) })), 'clock'],
  'has no head': [
    (call, answer) => (call.params[0] === 'latest' ? withResult(answer, null) : answer),
    'malformed',
  ],
  'answers with the receipt of another': [receipt({ transactionHash: UNKNOWN }), 'contradictory'],
  'knows a final receipt in another block': [receipt({ blockHash: UNKNOWN }), 'contradictory'],
  'has receipts without a place': [receipt({ blockNumber: 5 }), 'malformed'],
  'has receipts without events': [receipt({ logs: null }), 'malformed'],
  'has events without topics': [receipt({ logs: [{ address: USDT, data: '0x' }] }), 'malformed'],
  'has blocks from the future': [
    (call, answer) =>
      call.method === 'eth_getBlockByNumber' && String(call.params[0]).startsWith('0x')
        ? withResult(answer, {
            ...(answer.result as object),
            timestamp: later((answer.result as Record<string, string>).timestamp, 3_600),
          })
        : answer,
    'clock',
  ],
};

for (const [what, [illness, kind]] of Object.entries(ILLNESSES)) {
  test.serial(
    `67, 69, 70: a node that ${what} is counted as ${kind}, and the next one is asked`,
    async (t) => {
      const { nodes, second } = await twoNodes(t, illness);
      const reader = readerAt(t.context);
      t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'found');
      t.deepEqual(failuresOf(reader), { first: { [kind]: 1 }, second: {} });
      t.is(second.asked().length, 2, 'chain, heads and receipt together, then the block');
    },
  );
}

for (const [what, illness] of Object.entries({
  'answers HTML': 'html',
  hangs: 'hang',
  'answers 100 MB': 'huge',
  'answers 429': { status: 429 },
} satisfies Record<string, Illness>)) {
  test.serial(
    `69: when every node ${what}, the source is unavailable and nothing is said of the payment`,
    async (t) => {
      const { nodes, second } = await twoNodes(t, illness);
      second.be(illness);
      const look = await readerAt(t.context, { nodeMs: 300 }).look(nodes, question(t.context.hash));
      t.like(look, { outcome: 'unavailable', retryAfterS: 10 });
      t.notRegex(JSON.stringify(look), /secret-key|127\.0\.0\.1/);
    },
  );
}

test.serial('without any node the source is unavailable', async (t) => {
  t.like(await readerAt(t.context).look([], question(t.context.hash)), { outcome: 'unavailable' });
});

test.serial('what a node or its address says of secrets is in no tally', async (t) => {
  const { nodes } = await twoNodes(t, (_call, answer) => withError(answer, -32000));
  const reader = readerAt(t.context);
  await reader.look(nodes, question(t.context.hash));
  const tallies = reader.tallies();
  t.is(tallies[0]?.lastFailure?.detail, 'answered with JSON-RPC error -32000');
  t.notRegex(JSON.stringify(tallies), /secret-key|127\.0\.0\.1|says no/);
});

test.serial('tallies tell how each node did since they were last asked', async (t) => {
  const { nodes } = await twoNodes(t, { status: 500 });
  const reader = readerAt(t.context);
  await reader.look(nodes, question(t.context.hash));
  const { at } = t.context;
  t.deepEqual(reader.tallies(), [
    {
      source: 'first',
      calls: 1,
      failures: { http_status: 1 },
      lastOkAt: null,
      lastFailure: { at, kind: 'http_status', detail: 'answered 500' },
    },
    { source: 'second', calls: 1, failures: {}, lastOkAt: at, lastFailure: null },
  ]);
  t.deepEqual(reader.tallies(), []);
});

test.serial('a node that knows nothing yet is no reason not to ask the others', async (t) => {
  const { nodes } = await twoNodes(t, (call, answer) =>
    call.method === 'eth_getTransactionReceipt' ? withResult(answer, null) : answer,
  );
  const reader = readerAt(t.context);
  t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'found');
  t.deepEqual(failuresOf(reader), { first: {}, second: {} }, 'it is not ill for that');
});

test.serial('53: one that has the receipt in no block yet says the same as nothing', async (t) => {
  const { nodes } = await twoNodes(t, receipt({ blockNumber: null, blockHash: null }));
  t.is(inShort(await readerAt(t.context).look(nodes.slice(0, 1), question(t.context.hash))), 'not_found');
});

test.serial(
  'there is no such transaction when a node that is well says so, whatever the others are',
  async (t) => {
    for (const illness of ['html', 'none'] as const) {
      const { nodes } = await twoNodes(t, illness);
      t.is(inShort(await readerAt(t.context).look(nodes, question(UNKNOWN))), 'not_found');
    }
  },
);

test.serial('where `finalized` is refused or far behind, so many blocks decide', async (t) => {
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
    const near = await readerAt(t.context, { confirmations: 2 }).look(nodes, question(hash));
    t.is(inShort(near), 'found');
    const far = await readerAt(t.context, { confirmations: 3 }).look(nodes, question(hash));
    t.like(far, { outcome: 'not_final', detail: '2 of 3 confirmations', block: number - 2 });
  }
});

test.serial('a limit that hides in `finalized` is a limit, not a node without finality', async (t) => {
  const { nodes } = await twoNodes(t, (call, answer) =>
    call.params[0] === 'finalized' ? withError(answer, -32005) : answer,
  );
  const reader = readerAt(t.context);
  await reader.look(nodes, question(t.context.hash));
  t.deepEqual(failuresOf(reader), { first: { rate_limited: 1 }, second: {} });
});

test.serial('a node is left behind by height, too, when its clock looks right', async (t) => {
  const { first, nodes } = await twoNodes(
    t,
    latest(({ number }) => ({ number: later(number, 201) })),
  );
  const reader = readerAt(t.context);
  await reader.look(nodes.slice(0, 1), question(t.context.hash));
  await reader.look(nodes.slice(1), question(t.context.hash));
  t.deepEqual(failuresOf(reader), { first: {}, second: {} }, 'each alone is well');
  first.be((call, answer) =>
    call.method === 'eth_getTransactionReceipt' ? withResult(answer, null) : latestBy(201)(call, answer),
  );
  t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'not_found');
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
  t.is(inShort(await readerAt(t.context).look([proxy.node], question(t.context.hash))), 'found');
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
    const look = async () => inShort(await readerAt(t.context, { agreeing: 2 }).look(nodes, question(hash)));
    t.is(await look(), 'found');
    t.is(
      inShort(await readerAt(t.context, { agreeing: 2 }).look([first.node], question(hash))),
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
    ];
    for (const lie of lies) {
      first.be(lie);
      const reader = readerAt(t.context, { agreeing: 2 });
      t.is(inShort(await reader.look(nodes, question(hash))), 'unavailable');
      t.deepEqual(failuresOf(reader), { first: { disagreeing: 1 }, second: { disagreeing: 1 } });
    }
  },
);

test.serial('a dead first node costs one deadline, and then nothing until it answers again', async (t) => {
  const { first, second, nodes } = await twoNodes(t, 'hang');
  const reader = readerAt(t.context, { nodeMs: 400 });
  t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'found');
  first.asked();
  for (let index = 0; index < 5; index += 1) await reader.look(nodes, question(t.context.hash));
  t.deepEqual(first.asked(), [], 'nobody asks it');
  t.is(second.asked().length, 12);
  t.deepEqual(failuresOf(reader), { first: { timeout: 1 }, second: {} });
});

test.serial(
  'a dead node is tried in the background, by one at a time, and comes back when it is well',
  async (t) => {
    const { first, nodes } = await twoNodes(t, 'hang');
    const reader = readerAt(t.context, { nodeMs: 400 });
    await reader.look(nodes, question(t.context.hash));
    first.asked();
    await sleep(1_050);
    await Promise.all(Array.from({ length: 20 }, () => reader.look(nodes, question(t.context.hash))));
    t.is(first.asked().length, 1);
    first.be('none');
    await sleep(2_500);
    await reader.look(nodes, question(t.context.hash));
    await sleep(200);
    first.asked();
    await reader.look(nodes, question(t.context.hash));
    t.is(first.asked().length, 2, 'asked first again');
  },
);

test.serial('when all are down, the first of them that is well again answers', async (t) => {
  const { first, second, nodes } = await twoNodes(t, { status: 500 });
  second.be({ status: 500 });
  const reader = readerAt(t.context);
  t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'unavailable');
  second.be('none');
  first.be('hang');
  t.is(inShort(await reader.look(nodes, question(t.context.hash))), 'found');
});

test.serial('a node that asks to be left alone is, even when there is no other', async (t) => {
  const { first, nodes } = await twoNodes(t, { status: 429, headers: { 'retry-after': '1' } });
  const reader = readerAt(t.context);
  const look = () => reader.look(nodes.slice(0, 1), question(t.context.hash));
  t.is(inShort(await look()), 'unavailable');
  first.be('none');
  first.asked();
  t.is(inShort(await look()), 'unavailable');
  t.deepEqual(first.asked(), []);
});

test.serial('all nodes together have one deadline', async (t) => {
  const ill: ChainNode[] = [];
  for (let index = 0; index < 6; index += 1) {
    const proxy = await startNodeProxy(t, t.context.chain, { id: `${index}` });
    proxy.be('trickle');
    ill.push(proxy.node);
  }
  const reader = readerAt(t.context, { nodeMs: 400, totalMs: 900 });
  t.is(inShort(await reader.look(ill, question(t.context.hash))), 'unavailable');
  t.true(reader.tallies().length <= 3, 'the others were not asked any more');
});

test.serial('no connection to a node that hangs is left open', async (t) => {
  const { first, nodes } = await twoNodes(t, 'hang');
  const reader = readerAt(t.context, { nodeMs: 300 });
  await Promise.all(Array.from({ length: 30 }, () => reader.look(nodes, question(t.context.hash))));
  await sleep(100);
  t.is(first.open(), 0);
});

test.serial('one huge receipt among many does not keep the others from being answered', async (t) => {
  const { chain, hash } = t.context;
  const proxy = await startNodeProxy(t, chain);
  const padding = { padding: 'x'.repeat(4_200_000) };
  proxy.be((call, answer) => (call.params[0] === UNKNOWN ? withResult(answer, padding) : answer));
  const questions = [hash, hash, UNKNOWN, hash, hash].map(question);
  const looks = await readerAt(t.context).lookMany([proxy.node], 56, questions);
  t.deepEqual(looks.map(inShort), ['found', 'found', 'unavailable', 'found', 'found']);
});

test.serial('a thousand questions cost a node two requests for each fifty', async (t) => {
  const proxy = await startNodeProxy(t, t.context.chain);
  const questions = Array.from({ length: 1_000 }, () => question(t.context.hash));
  const looks = await readerAt(t.context).lookMany([proxy.node], 56, questions);
  t.true(looks.every(({ outcome }) => outcome === 'found'));
  t.is(proxy.asked().length, 40);
});

test.serial('the heads of a chain are told with what is final by the same rule', async (t) => {
  const { nodes } = await twoNodes(t, { status: 500 });
  const { number } = await t.context.chain.head();
  t.deepEqual(await readerAt(t.context).heads(nodes, 56), {
    outcome: 'seen',
    latest: number,
    final: number - 2,
  });
  t.like(await readerAt(t.context).heads(nodes.slice(0, 1), 56), { outcome: 'unavailable' });
});

test.serial('a check tells how a node does, and whether it takes several questions at once', async (t) => {
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

test.serial('67: a node whose chain is exchanged while it runs is out until it is right again', async (t) => {
  const chain = await startTokenChain(t);
  const hash = await chain.pay(TEN);
  await chain.mine(2);
  const { at } = await chain.head();
  const reader = readerAt({ ...t.context, at });
  const nodes = [{ id: 'anvil', url: chain.url, batches: true }];
  t.is(inShort(await reader.look(nodes, question(hash))), 'found');
  await chain.rpc('anvil_setChainId', 97);
  t.is(inShort(await reader.look(nodes, question(hash))), 'unavailable');
  t.deepEqual(failuresOf(reader), { anvil: { wrong_chain: 1 } });
  t.is(inShort(await reader.look(nodes, question(hash))), 'unavailable');
  await chain.rpc('anvil_setChainId', 56);
  t.is(inShort(await reader.look(nodes, question(hash))), 'found');
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
