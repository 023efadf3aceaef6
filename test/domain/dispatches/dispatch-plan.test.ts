import test from 'ava';
import {
  chooseNext,
  judgeLeases,
  type Lease,
  parseOutbox,
} from '../../../src/domain/dispatches/dispatch-plan.js';

const NOW = 1_000_000_000;
const LEASE_MS = 600_000;
const at = { now: NOW, leaseMs: LEASE_MS };

const lease = (id: string, change: Partial<Lease> = {}): Lease => ({
  id,
  leased_to: 'j1',
  lease_ends_at: NOW + LEASE_MS,
  expires_at: NOW + 1_000_000,
  ...change,
});

test('an SMS that the same journal neither holds nor reports was lost on its way', (t) => {
  const leases = [lease('held'), lease('reported'), lease('lost'), lease('old', { leased_to: 'j0' })];
  const judged = judgeLeases(leases, { journal: 'j1', held: ['held'] }, ['reported'], at);
  t.deepEqual(judged, { lost: ['lost'], renewed: [], held: 2 });
});

test('nothing is called lost for a phone without a journal, or with a new one', (t) => {
  const leases = [lease('a'), lease('b', { leased_to: null })];
  t.deepEqual(judgeLeases(leases, null, [], at).lost, []);
  t.deepEqual(judgeLeases(leases, { journal: 'j2', held: [] }, [], at).lost, []);
  // It has the same name again, but says nothing of what it has.
  t.deepEqual(judgeLeases(leases, { journal: 'j1', held: null }, [], at), { lost: [], renewed: [], held: 1 });
});

test('a lease is renewed once half of it is over, as long as the SMS may still be sent', (t) => {
  const half = NOW + LEASE_MS / 2;
  const leases = [
    lease('fresh', { lease_ends_at: half }),
    lease('old', { lease_ends_at: half - 1 }),
    lease('expired', { lease_ends_at: half - 1, expires_at: NOW }),
  ];
  const held = leases.map(({ id }) => id);
  t.deepEqual(judgeLeases(leases, { journal: 'j1', held }, [], at), { lost: [], renewed: ['old'], held: 3 });
});

const budget = { now: NOW, partsAMinute: 24, limit: 50, held: 0 };
const waiting = (...parts: readonly number[]) => parts.map((count, id) => ({ id, parts: count }));
const idsOf = (choice: { readonly chosen: readonly { readonly id: number }[] }) =>
  choice.chosen.map(({ id }) => id);

test('24 parts a minute are handed out, and what does not fit holds up what is behind it', (t) => {
  t.deepEqual(idsOf(chooseNext(waiting(10, 10, 4, 1), [], budget)), [0, 1, 2]);
  t.deepEqual(idsOf(chooseNext(waiting(10, 10, 5, 1), [], budget)), [0, 1]);
  const recent = [{ leased_at: NOW - 59_000, parts: 20 }];
  t.deepEqual(idsOf(chooseNext(waiting(4, 1), recent, budget)), [0]);
  t.deepEqual(idsOf(chooseNext(waiting(5, 1), recent, budget)), []);
});

test('a phone is asked to poll again when the minute allows the next SMS, within 10 seconds', (t) => {
  const recent = [
    { leased_at: NOW - 57_000, parts: 2 },
    { leased_at: NOW - 55_000, parts: 22 },
  ];
  t.is(chooseNext(waiting(2), recent, budget).nextPollMs, 3_000);
  t.is(chooseNext(waiting(3), recent, budget).nextPollMs, 5_000);
  t.is(chooseNext(waiting(3), [{ leased_at: NOW, parts: 24 }], budget).nextPollMs, 10_000);
  t.is(chooseNext(waiting(1), [{ leased_at: NOW - 59_999, parts: 24 }], budget).nextPollMs, 250);
  t.is(chooseNext(waiting(), [], budget).nextPollMs, 10_000);
  // One part is free already: for three the first two are enough.
  const first = { leased_at: NOW - 57_000, parts: 2 };
  t.is(chooseNext(waiting(3), [first, { leased_at: NOW - 55_000, parts: 21 }], budget).nextPollMs, 3_000);
});

test('a full answer asks the phone back at once', (t) => {
  const choice = chooseNext(waiting(1, 1, 1), [], { ...budget, limit: 2 });
  t.deepEqual(idsOf(choice), [0, 1]);
  t.is(choice.nextPollMs, 250);
});

test('a phone that does not get on with sending gets no more than it can have', (t) => {
  const queue = waiting(1, 1, 1, 1);
  t.deepEqual(idsOf(chooseNext(queue, [], { ...budget, limit: 5, held: 2 })), [0, 1, 2]);
  const full = chooseNext(queue, [], { ...budget, limit: 5, held: 5 });
  t.deepEqual(idsOf(full), []);
  t.is(full.nextPollMs, 10_000, 'it asks by itself when it has sent one');
  t.deepEqual(idsOf(chooseNext(queue, [], { ...budget, limit: 5, held: 400 })), []);
});

test('an outbox that cannot be read says nothing of what is lost', (t) => {
  t.deepEqual(parseOutbox({ journal: 'a1', held: ['x'] }), { journal: 'a1', held: ['x'] });
  const largest = { journal: 'a'.repeat(100), held: Array<string>(10_000).fill('x') };
  t.deepEqual(parseOutbox(largest), largest);
  for (const value of [
    undefined,
    null,
    [],
    'a1',
    { journal: 'a1' },
    { journal: '', held: [] },
    { journal: 'a b', held: [] },
    { journal: 'a'.repeat(101), held: [] },
    { journal: 'a1', held: ['x', 7] },
    { journal: 'a1', held: Array<string>(10_001).fill('x') },
    { journal: 'a1', held: 'x' },
    { held: [] },
  ]) {
    t.is(parseOutbox(value), null, JSON.stringify(value)?.slice(0, 80));
  }
});
