/** What each illness of a node is called, and that another node's answer is taken instead. */

import { type Illness, withError, withResult } from '../../helpers/network/node-proxy.js';
import { USDT } from '../../helpers/outside/chain-token.js';
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
  'has receipts without a status': [receipt({ status: undefined }), 'malformed'],
  'has receipts with another status': [receipt({ status: '0x01' }), 'malformed'],
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
      const reader = readerAt(t.context, kind === 'timeout' ? { nodeMs: 3_000 } : {});
      t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'found');
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
      const reader = readerAt(t.context, illness === 'hang' ? { nodeMs: 300 } : {});
      const look = await reader.lookup(nodes, question(t.context.hash));
      t.like(look, { outcome: 'unavailable', retryAfterS: illness === 'huge' ? 300 : 10 });
      t.notRegex(JSON.stringify(look), /secret-key|127\.0\.0\.1/);
    },
  );
}

test.serial('without any node the source is unavailable', async (t) => {
  t.like(await readerAt(t.context).lookup([], question(t.context.hash)), { outcome: 'unavailable' });
});

test.serial('tallies contain no secrets of a node, its address or answers', async (t) => {
  const { nodes } = await twoNodes(t, (_call, answer) => withError(answer, -32000));
  const reader = readerAt(t.context);
  await reader.lookup(nodes, question(t.context.hash));
  const tallies = reader.tallies();
  t.is(tallies[0]?.lastFailure?.detail, 'answered with JSON-RPC error -32000');
  t.notRegex(JSON.stringify(tallies), /secret-key|127\.0\.0\.1|says no/);
});

test.serial('tallies count the results of each node since they were last read', async (t) => {
  const { nodes } = await twoNodes(t, { status: 500 });
  const reader = readerAt(t.context);
  await reader.lookup(nodes, question(t.context.hash));
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
