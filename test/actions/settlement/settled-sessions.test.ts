/** How results of settled claims are sorted and put together. */
import test from 'ava';
import { mergeResults, settledAs } from '../../../src/actions/settlement/settle-claim.js';

test('each outcome has its list, and what was taken by another has none', (t) => {
  const decided = [
    { id: 'a', outcome: 'credited' },
    { id: 'b', outcome: 'under_review' },
    { id: 'c', outcome: 'disagrees' },
    { id: 'd', outcome: 'taken' },
    { id: 'e', outcome: 'credited' },
  ] as const;
  t.deepEqual(settledAs(decided), { settled: ['a', 'e'], parts: [], reviewed: ['b'], refused: ['c'] });
  t.deepEqual(settledAs([]), { settled: [], parts: [], reviewed: [], refused: [] });
});

test('results stay in their order', (t) => {
  const one = { settled: ['a'], parts: [], reviewed: ['b'], refused: ['c'] };
  const other = { settled: ['d'], parts: [], reviewed: [], refused: ['e', 'f'] };
  t.deepEqual(mergeResults([one, other]), {
    settled: ['a', 'd'],
    parts: [],
    reviewed: ['b'],
    refused: ['c', 'e', 'f'],
  });
});
