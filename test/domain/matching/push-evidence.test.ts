/** When the money of a push moved, as far as its bank tells. */
import test from 'ava';
import { movedBetween } from '../../../src/domain/matching/matching-push.js';

const MINUTE = Date.UTC(2026, 7, 21, 6, 35);

test('a bank time with seconds is trusted to the second, one with minutes to the minute', (t) => {
  const received = MINUTE + 600_000;
  t.deepEqual(movedBetween(MINUTE + 1_000, received), { from: MINUTE + 1_000, until: MINUTE + 5_000 });
  t.deepEqual(movedBetween(MINUTE, received), { from: MINUTE, until: MINUTE + 63_000 });
});

test('money has moved when its push is here, whatever the clock of the bank says', (t) => {
  t.deepEqual(movedBetween(MINUTE, MINUTE + 2_000), { from: MINUTE, until: MINUTE + 2_000 });
  t.deepEqual(movedBetween(MINUTE, MINUTE), { from: MINUTE, until: MINUTE });
  t.deepEqual(movedBetween(MINUTE + 1, MINUTE), { from: null, until: MINUTE }, 'a clock that is ahead');
  t.deepEqual(movedBetween(null, MINUTE), { from: null, until: MINUTE });
});
