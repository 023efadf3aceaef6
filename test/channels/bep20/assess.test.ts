/**
 * Each condition under which a transaction is money, by itself: a sound one is changed in one place, and the
 * verdict must change with it.
 */
import test from 'ava';
import { type Assessment, assess, finalHeight } from '../../../src/channels/bep20/assess.js';
import type {
  Block,
  EventLog,
  Heads,
  ObservedTransaction,
  TransactionReceipt,
} from '../../../src/channels/bep20/types.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const HASH = `0x${'a1'.repeat(32)}`;
const SHOP = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const PAYER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const USDT = '0x55d398326f99059fF775485246999027B3197955';
const OTHER_TOKEN = '0xb27c3c590c2db10107f570c8b42740b4dc056a89';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const TEN = 10n ** 19n;

const question = { hash: HASH, chainId: 56, token: USDT, decimals: 18, receiver: SHOP };
const rule = { now: NOW, confirmations: 120 };

function topic(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

function block(number: number, at = NOW - (1_000 - number) * 450): Block {
  return { number, hash: word(BigInt(number)), at };
}

function log(changed: Partial<EventLog> = {}): EventLog {
  const topics = [TRANSFER, topic(PAYER), topic(SHOP)];
  return { address: USDT.toLowerCase(), topics, data: word(TEN), removed: false, ...changed };
}

function seen(changed: Partial<TransactionReceipt> = {}, at: Block | null = block(900)): ObservedTransaction {
  const place = { blockNumber: 900, blockHash: block(900).hash };
  return { receipt: { hash: HASH, ...place, status: '0x1', logs: [log()], ...changed }, block: at };
}

function heads(latest: number, finalized: number | Block | null): Heads {
  const final = typeof finalized === 'number' ? block(finalized) : finalized;
  return { latest: block(latest, NOW), finalized: final };
}

const settled = heads(1_000, 998);

function told(sighting: ObservedTransaction | null, at: Heads = settled, asked = question): string {
  return inShort(assess(asked, sighting, at, rule));
}

function inShort(assessment: Assessment): string {
  switch (assessment.outcome) {
    case 'refused':
      return `refused: ${assessment.about}`;
    case 'fault':
      return `fault: ${assessment.fault.kind}`;
    case 'not_final':
      return `not final: ${assessment.detail}`;
    default:
      return assessment.outcome;
  }
}

function withLogs(...logs: EventLog[]): string {
  return told(seen({ logs }));
}

test('a final USDT transfer to the shop is a payment with everything that a proof needs', (t) => {
  t.deepEqual(assess(question, seen(), settled, rule), {
    outcome: 'found',
    payment: {
      reference: HASH,
      scope: '56',
      aliases: [],
      kind: 'transfer',
      amounts: [TEN],
      recipient: SHOP,
      payer: PAYER,
      at: block(900).at,
      evidence: JSON.stringify({ chain: 56, token: USDT, block: 900, block_hash: block(900).hash }),
    },
  });
});

test('a missing receipt returns not_found', (t) => {
  t.is(told(null), 'not_found');
});

test('the receipt of another transaction, or a block of another height, is the fault of the node', (t) => {
  t.is(told(seen({ hash: word(1n) })), 'fault: contradictory');
  t.is(told(seen({}, { ...block(900), number: 899 })), 'fault: contradictory');
});

test('54: what its receipt says has failed has moved nothing, whatever its events say', (t) => {
  t.is(told(seen({ status: '0x0' })), 'refused: failed');
});

test('55: only the official contract counts, in whatever case it is written', (t) => {
  t.is(withLogs(log({ address: OTHER_TOKEN })), 'refused: token');
  t.is(told(seen(), settled, { ...question, token: USDT.toLowerCase() }), 'found');
  t.is(told(seen(), settled, { ...question, receiver: SHOP.toLowerCase() }), 'found');
});

test('of a refund only what the sender named by the question has sent to the receiver counts', (t) => {
  const other = log({ topics: [TRANSFER, topic(`0x${'b2'.repeat(20)}`), topic(SHOP)], data: word(TEN * 9n) });
  const both = seen({ logs: [other, log()] });
  const asked = { ...question, sender: PAYER };
  t.like(assess(asked, both, settled, rule), { outcome: 'found', payment: { amounts: [TEN], payer: PAYER } });
  t.is(told(seen({ logs: [other] }), settled, asked), 'refused: recipient');
});

test('58: an event that is not an ERC-20 transfer is refused', (t) => {
  const [first = '', from = '', to = ''] = log().topics;
  t.is(withLogs(log({ topics: [APPROVAL, from, to] })), 'refused: token');
  t.is(withLogs(log({ topics: [first, from, to, word(7n)], data: '0x' })), 'refused: token', 'ERC-721');
  t.is(withLogs(log({ topics: [first, from, to, word(7n)] })), 'refused: token', 'four topics and an amount');
  t.is(withLogs(log({ topics: [first, from] })), 'refused: token');
  t.is(withLogs(log({ topics: [] })), 'refused: token');
  t.is(withLogs(log({ data: word(TEN).slice(0, -2) })), 'refused: token', '31 bytes');
  t.is(withLogs(log({ data: `${word(TEN)}${'00'.repeat(32)}` })), 'refused: token', '64 bytes');
  t.is(withLogs(log({ data: '0x' })), 'refused: token');
});

test('57: what goes to somebody else is refused as that, and moving nothing as no transfer at all', (t) => {
  const [first = '', from = '', to = ''] = log().topics;
  t.is(withLogs(log({ topics: [first, from, topic(PAYER.replace('f39', 'a39'))] })), 'refused: recipient');
  t.is(withLogs(log({ topics: [first, to, from] })), 'refused: recipient', 'the shop is the sender');
  t.is(withLogs(log({ topics: [first, to, to] })), 'refused: token', 'from the shop to itself');
  t.is(withLogs(log({ data: word(0n) })), 'refused: token', 'nothing is moved');
  const dirty = `0x01${to.slice(4)}`;
  t.is(withLogs(log({ topics: [first, from, dirty] })), 'refused: recipient', 'bytes above the address');
});

test('56, 59: every transfer to the shop is reported separately, and no other event', (t) => {
  const foreign = log({ address: OTHER_TOKEN, data: word(TEN * 1_000n) });
  const toOther = log({ topics: [TRANSFER, topic(SHOP), topic(PAYER)] });
  const looked = assess(
    question,
    seen({ logs: [foreign, log(), toOther, log({ data: word(3n) })] }),
    settled,
    rule,
  );
  t.deepEqual(looked.outcome === 'found' && looked.payment.amounts, [TEN, 3n]);
});

test('a token of fewer decimals is counted in the same units', (t) => {
  const data = word(10_000_001n);
  const looked = assess({ ...question, decimals: 6 }, seen({ logs: [log({ data })] }), settled, rule);
  t.deepEqual(looked.outcome === 'found' && looked.payment.amounts, [10_000_001n * 10n ** 12n]);
});

test('the largest amount that 32 bytes hold is read exactly', (t) => {
  const most = 2n ** 256n - 1n;
  const looked = assess(question, seen({ logs: [log({ data: word(most) })] }), settled, rule);
  t.deepEqual(looked.outcome === 'found' && looked.payment.amounts, [most]);
});

test('63: a block more than a minute ahead of the clock is the fault of the node', (t) => {
  t.is(told(seen({}, { ...block(900), at: NOW + 60_000 })), 'found');
  t.is(told(seen({}, { ...block(900), at: NOW + 60_001 })), 'fault: clock');
});

test('66: what the node has no longer in its own chain is not there', (t) => {
  const young = heads(901, 899);
  t.is(told(seen({}, { ...block(900), hash: word(5n) }), young), 'not_found', 'another block at its height');
  t.is(told(seen({}, null), young), 'not_found', 'none at its height');
  t.is(told(seen({ logs: [log({ removed: true })] }), young), 'not_found', 'its events are taken back');
});

test('66: that a final block was another is the fault of the node', (t) => {
  const other = { ...block(900), hash: word(5n) };
  t.is(told(seen({}, other), heads(1_000, 900)), 'fault: contradictory');
  t.is(told(seen({}, null), heads(1_000, 900)), 'fault: contradictory');
});

test('a transfer is final as soon as its block is the finalized one, and not a block before', (t) => {
  t.is(told(seen(), heads(902, 900)), 'found');
  t.is(told(seen(), heads(901, 899)), 'not final: 1 of 2 confirmations');
  t.is(told(seen(), heads(900, 897)), 'not final: 0 of 3 confirmations');
  t.is(told(seen(), heads(899, 897)), 'not final: 0 of 2 confirmations', 'mined after the head was told');
  const looked = assess(question, seen(), heads(901, 899), rule);
  t.is(looked.outcome === 'not_final' && looked.block, 900);
  t.deepEqual(looked.outcome === 'not_final' && looked.payment.amounts, [TEN]);
});

test('while a node reports finality, confirmations alone are not enough', (t) => {
  t.is(told(seen(), heads(1_100, 899)), 'not final: 200 of 201 confirmations');
});

test('if finality is missing or lags, the configured number of confirmations is required', (t) => {
  t.is(told(seen(), heads(1_020, null)), 'found');
  t.is(told(seen(), heads(1_019, null)), 'not final: 119 of 120 confirmations');
  t.is(told(seen(), heads(1_020, block(899, NOW - 60_001))), 'found');
  t.is(told(seen(), heads(1_020, block(899, NOW - 60_000))), 'not final: 120 of 121 confirmations');
  t.is(told(seen(), heads(1_020, block(900, NOW - 600_000))), 'found', 'what was final stays so');
});

test('the height up to which all is final follows the same rule', (t) => {
  t.is(finalHeight(heads(1_000, 998), 120), 998);
  t.is(finalHeight(heads(1_000, null), 120), 880);
  t.is(finalHeight(heads(1_000, block(700, NOW - 60_001)), 120), 880);
  t.is(finalHeight(heads(1_000, block(990, NOW - 60_001)), 120), 990);
  t.is(finalHeight(heads(50, null), 120), 0);
});

test('refusals are reported before the block is final', (t) => {
  const young = heads(900, 898);
  t.is(told(seen({ status: '0x0' }), young), 'refused: failed');
  t.is(told(seen({ logs: [] }), young), 'refused: token', '61: a transfer of the chain itself has no events');
});
