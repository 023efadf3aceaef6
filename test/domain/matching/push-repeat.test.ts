/** What a push is to the one that came before it, row by row of the table. */
import test from 'ava';
import {
  classifyRepeat,
  classifyReread,
  mayBeCountedTwice,
  type PushMessage,
} from '../../../src/domain/matching/push-repeat.js';

const paid: PushMessage = {
  state: 'SETTLED',
  amount_paisa: 50_000,
  payer: '01712345678',
  merchant_code: null,
  bill: 'K7PM2XQ4ABCD',
  status: 'SUCCESS',
};
const pending: PushMessage = { ...paid, state: 'UNSETTLED', amount_paisa: null, status: 'PENDING' };
const unread: PushMessage = { ...pending, state: 'UNREAD', payer: null, bill: null, status: null };

test('an unreadable push is news once it can be read, and never the reverse', (t) => {
  t.is(classifyRepeat(unread, paid), 'news');
  t.is(classifyRepeat(unread, pending), 'news');
  for (const before of [unread, pending, paid]) t.is(classifyRepeat(before, unread), 'same');
});

test('a payment that was not made is news when it is, or when its state is another', (t) => {
  t.is(classifyRepeat(pending, paid), 'news');
  t.is(classifyRepeat(pending, { ...pending, status: 'FAILED' }), 'news');
  t.is(classifyRepeat(pending, pending), 'same');
  t.is(classifyRepeat({ ...pending, status: 'SUCCESS' }, paid), 'news', 'the map says more of that word now');
});

test('of money that has moved nothing is changed: all else than the same is a contradiction', (t) => {
  t.is(classifyRepeat(paid, { ...paid, status: 'Paid' }), 'same');
  t.is(classifyRepeat(paid, pending), 'contradiction');
  t.is(classifyRepeat(paid, { ...paid, state: 'UNSETTLED' }), 'contradiction');
  const others: readonly Partial<PushMessage>[] = [
    { amount_paisa: 50_001 },
    { payer: '01812345678' },
    { payer: null },
    { merchant_code: 'M' },
    { bill: null },
  ];
  for (const other of others) t.is(classifyRepeat(paid, { ...paid, ...other }), 'contradiction');
});

test('read again, the one that says that the money has moved leads, whichever came first', (t) => {
  for (const isOlder of [true, false]) {
    t.is(classifyReread(pending, paid, isOlder), 'leads');
    t.is(classifyReread(paid, paid, isOlder), 'repeats');
    t.is(classifyReread(paid, { ...paid, amount_paisa: 50_001 }, isOlder), 'contradicts');
  }
});

test('read again, a word from before the money moved contradicts nothing, and a later one does', (t) => {
  t.is(classifyReread(paid, pending, true), 'repeats');
  t.is(classifyReread(paid, pending, false), 'contradicts');
});

test('of two payments that are not made the later word leads, so that neither leads over the other', (t) => {
  const failed: PushMessage = { ...pending, status: 'FAILED' };
  t.is(classifyReread(pending, failed, false), 'leads');
  t.is(classifyReread(failed, pending, true), 'repeats');
});

test('money under a reference of two banks may be the same if credited or indistinguishable', (t) => {
  const free = { amount_paisa: 50_000, payer: '01712345678', isCredited: false };
  t.true(mayBeCountedTwice(paid, free));
  t.true(mayBeCountedTwice(paid, { ...free, payer: '*5678' }));
  t.true(mayBeCountedTwice(paid, { ...free, payer: null }));
  t.true(mayBeCountedTwice({ ...paid, payer: null }, free));
  t.false(mayBeCountedTwice(paid, { ...free, payer: '01812345678' }));
  t.false(mayBeCountedTwice(paid, { ...free, amount_paisa: 50_001 }));
  const spent = { amount_paisa: 1, payer: '01812345678', isCredited: true };
  t.true(mayBeCountedTwice(paid, spent));
});
