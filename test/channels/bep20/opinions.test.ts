/** What several nodes say of one transaction, and what is believed of it. */
import test from 'ava';
import {
  conclude,
  concludeWithoutQuorum,
  type NodeReport,
  toNodeReport,
} from '../../../src/channels/bep20/assess.js';
import type { ObservedTransaction } from '../../../src/channels/bep20/types.js';
import type { ObservedPayment } from '../../../src/channels/channel.js';

const payment: ObservedPayment = {
  reference: '0x1',
  scope: '56',
  aliases: [],
  kind: 'transfer',
  amounts: [1n],
  recipient: '0x2',
  payer: null,
  at: 0,
  evidence: '{}',
};
const sighting = (hash: string, at: number): ObservedTransaction => ({
  receipt: { hash: '0x1', blockNumber: 7, blockHash: hash, status: '0x1', logs: [] },
  block: { number: 7, hash, at },
});
const found: NodeReport['assessment'] = { outcome: 'found', payment };
const young: NodeReport['assessment'] = { outcome: 'not_final', payment, detail: '0 of 2', block: 7 };
const refused: NodeReport['assessment'] = { outcome: 'refused', about: 'failed' };
const none: NodeReport['assessment'] = { outcome: 'not_found' };

const says = (assessment: NodeReport['assessment'], blockHash = '0xa', at = 0) =>
  toNodeReport('node', assessment, sighting(blockHash, at));
const silent = toNodeReport('silent', none, null);

/** The outcome, or what is to be done next. */
function believed(opinions: readonly NodeReport[], agreeing: number): string {
  const conclusion = conclude(opinions, agreeing);
  return conclusion.outcome === 'lookup' ? conclusion.lookup.outcome : conclusion.outcome;
}

test('money is believed when as many as are wanted have seen the same', (t) => {
  t.is(believed([says(found)], 1), 'found');
  t.is(believed([silent, says(found)], 1), 'found');
  t.is(believed([says(found)], 2), 'ask_another');
  t.is(believed([says(found), silent], 2), 'ask_another');
  t.is(believed([says(found), silent, says(found)], 2), 'found');
});

test('where the same is final to one and not yet to another, it is not final', (t) => {
  t.is(believed([says(found), says(young)], 2), 'not_final');
  t.is(believed([says(young), says(found)], 2), 'not_final');
});

test('a refusal is believed when as many as are wanted say it, too', (t) => {
  t.is(believed([says(refused)], 1), 'refused');
  t.is(believed([says(refused)], 2), 'ask_another');
  t.is(believed([says(refused), silent], 2), 'ask_another');
  t.is(believed([says(refused), says(refused)], 2), 'refused');
});

test('one node alone is not trusted about a young block, because its amount could cause a refusal', (t) => {
  t.is(believed([says(young)], 1), 'not_final');
  t.is(believed([says(young)], 2), 'ask_another');
  t.is(believed([says(young), says(young)], 2), 'not_final');
});

test('nodes disagree if they differ on a transaction or on the time of its block', (t) => {
  t.is(believed([says(found), says(refused, '0xb')], 2), 'disagreement');
  t.is(believed([says(refused, '0xb'), says(found)], 2), 'disagreement');
  t.is(believed([says(found), says(found, '0xa', 1_000)], 2), 'disagreement');
  t.is(believed([says(found, '0xa'), says(found, '0xb')], 2), 'disagreement');
});

test('a transaction missing on one node after a reorganisation does not contradict another', (t) => {
  t.is(believed([says(none, '0xb')], 1), 'ask_another');
  t.is(believed([says(none, '0xb'), says(found)], 1), 'found');
});

test('without a majority, returns not_found only if a node has reported it', (t) => {
  t.deepEqual(concludeWithoutQuorum([silent], 1, 'x'), { outcome: 'not_found' });
  t.deepEqual(concludeWithoutQuorum([], 1, 'x'), {
    outcome: 'unavailable',
    detail: 'x',
    retryAfterS: 10,
  });
  for (const word of [found, refused, young]) {
    t.like(concludeWithoutQuorum([silent, says(word)], 2, 'x'), { outcome: 'unavailable' });
  }
});
