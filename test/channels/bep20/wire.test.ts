/** What nodes answer, read strictly where it is used and not at all where it is not. */
import test, { type ExecutionContext } from 'ava';
import { NodeFaultError } from '../../../src/channels/bep20/json-rpc.js';
import { parseBlock, parseQuantity, parseReceipt } from '../../../src/channels/bep20/query-node.js';

const WORD = `0x${'aB'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;
const log = { address: ADDRESS, topics: [WORD], data: '0xEF', logIndex: 'unused' };
const receipt = { transactionHash: WORD, blockNumber: '0x10', blockHash: WORD, status: '0x1', logs: [log] };
const block = { number: '0x10', hash: WORD, timestamp: '0x6562A0B0' };

function isMalformed(t: ExecutionContext, read: () => unknown, what?: string): void {
  const error = t.throws(read, { instanceOf: NodeFaultError }, what);
  t.is(error?.fault.kind, 'malformed', what);
}

test('a receipt is read in lower case, with all that contracts write into their events', (t) => {
  const hash = WORD.toLowerCase();
  const read = { address: ADDRESS.toLowerCase(), topics: [hash], data: '0xef', removed: false };
  const whole = { hash, blockNumber: 16, blockHash: hash, status: '0x1', logs: [read] } as const;
  t.deepEqual(parseReceipt(receipt), whole);
  const odd = { address: ADDRESS, topics: [], data: '0x', removed: true };
  t.is(parseReceipt({ ...receipt, logs: [odd] })?.logs.length, 1);
  t.is(parseReceipt({ ...receipt, logs: [] })?.logs.length, 0);
});

test('a receipt says that it succeeded or that it failed, and one that says neither is malformed', (t) => {
  for (const status of ['0x1', '0x0'] as const) {
    t.is(parseReceipt({ ...receipt, status })?.status, status);
  }
  for (const status of [undefined, null, 1, true, '', '0x', '1', '0x01', '0x2', '0X1']) {
    isMalformed(t, () => parseReceipt({ ...receipt, status }), String(status));
  }
});

test('returns null for no receipt or one without a block', (t) => {
  t.is(parseReceipt(null), null);
  t.is(parseReceipt({ ...receipt, blockNumber: null }), null);
  t.is(parseReceipt({ ...receipt, blockHash: null }), null);
});

test('a receipt of any other shape is malformed', (t) => {
  const wrong: readonly object[] = [
    { transactionHash: undefined },
    { transactionHash: WORD.slice(2) },
    { blockNumber: 16 },
    { blockNumber: '16' },
    { blockHash: '0x1' },
    { blockHash: 7 },
    { logs: undefined },
    { logs: {} },
    { logs: [null] },
    { logs: [{ ...log, address: WORD }] },
    { logs: [{ ...log, topics: 'none' }] },
    { logs: [{ ...log, topics: [ADDRESS] }] },
    { logs: [{ ...log, topics: [null] }] },
    { logs: [{ ...log, data: '0xabc' }] },
    { logs: [{ ...log, data: null }] },
  ];
  for (const change of wrong)
    isMalformed(t, () => parseReceipt({ ...receipt, ...change }), JSON.stringify(change));
  for (const value of [undefined, '', 'receipt', 7, true, []]) isMalformed(t, () => parseReceipt(value));
});

test('a block is its height, its hash and its time in milliseconds', (t) => {
  t.deepEqual(parseBlock(block), { number: 16, hash: WORD.toLowerCase(), at: 0x6562a0b0 * 1_000 });
  t.is(parseBlock(null), null);
  for (const change of [
    { number: null },
    { hash: null },
    { hash: ADDRESS },
    { timestamp: 1 },
    { timestamp: '' },
  ]) {
    isMalformed(t, () => parseBlock({ ...block, ...change }), JSON.stringify(change));
  }
});

test('a quantity is hex that a number holds exactly', (t) => {
  t.is(parseQuantity('0x0'), 0);
  t.is(parseQuantity('0x38'), 56);
  t.is(parseQuantity(`0x${Number.MAX_SAFE_INTEGER.toString(16)}`), Number.MAX_SAFE_INTEGER);
  for (const value of ['0x20000000000000', '0x', '38', '0xg', '-0x1', ' 0x1', 56, null, undefined]) {
    t.is(parseQuantity(value), null, String(value));
  }
});
