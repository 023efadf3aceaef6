/** What nodes answer, read strictly where it is used and not at all where it is not. */
import test from 'ava';
import { readBlock, readQuantity, readReceipt } from '../../../src/channels/bep20/wire.js';

const WORD = `0x${'aB'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;
const log = { address: ADDRESS, topics: [WORD], data: '0xEF', logIndex: 'unused' };
const receipt = { transactionHash: WORD, blockNumber: '0x10', blockHash: WORD, status: '0x1', logs: [log] };
const block = { number: '0x10', hash: WORD, timestamp: '0x6562A0B0' };

test('a receipt is read in lower case, with all that contracts write into their events', (t) => {
  const hash = WORD.toLowerCase();
  const read = { address: ADDRESS.toLowerCase(), topics: [hash], data: '0xef', removed: false };
  t.deepEqual(readReceipt(receipt), {
    outcome: 'read',
    value: { hash, blockNumber: 16, blockHash: hash, status: '0x1', logs: [read] },
  });
  const odd = { address: ADDRESS, topics: [], data: '0x', removed: true };
  t.like(readReceipt({ ...receipt, logs: [odd] }), { outcome: 'read' });
  t.like(readReceipt({ ...receipt, logs: [] }), { outcome: 'read' });
});

test('a receipt says that it succeeded or that it failed, and one that says neither is malformed', (t) => {
  for (const status of ['0x1', '0x0'] as const) {
    const read = readReceipt({ ...receipt, status });
    t.is(read.outcome === 'read' && read.value.status, status);
  }
  for (const status of [undefined, null, 1, true, '', '0x', '1', '0x01', '0x2', '0X1']) {
    t.is(readReceipt({ ...receipt, status }).outcome, 'malformed', String(status));
  }
});

test('no receipt, and one without a block, are none', (t) => {
  t.is(readReceipt(null).outcome, 'none');
  t.is(readReceipt({ ...receipt, blockNumber: null }).outcome, 'none');
  t.is(readReceipt({ ...receipt, blockHash: null }).outcome, 'none');
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
    t.is(readReceipt({ ...receipt, ...change }).outcome, 'malformed', JSON.stringify(change));
  for (const value of [undefined, '', 'receipt', 7, true, []]) t.is(readReceipt(value).outcome, 'malformed');
});

test('a block is its height, its hash and its time in milliseconds', (t) => {
  t.deepEqual(readBlock(block), {
    outcome: 'read',
    value: { number: 16, hash: WORD.toLowerCase(), at: 0x6562a0b0 * 1_000 },
  });
  t.is(readBlock(null).outcome, 'none');
  for (const change of [
    { number: null },
    { hash: null },
    { hash: ADDRESS },
    { timestamp: 1 },
    { timestamp: '' },
  ]) {
    t.is(readBlock({ ...block, ...change }).outcome, 'malformed', JSON.stringify(change));
  }
});

test('a quantity is hex that a number holds exactly', (t) => {
  t.is(readQuantity('0x0'), 0);
  t.is(readQuantity('0x38'), 56);
  t.is(readQuantity(`0x${Number.MAX_SAFE_INTEGER.toString(16)}`), Number.MAX_SAFE_INTEGER);
  for (const value of ['0x20000000000000', '0x', '38', '0xg', '-0x1', ' 0x1', 56, null, undefined]) {
    t.is(readQuantity(value), null, String(value));
  }
});
