/** The chain by itself: its marks are those of stores that are in use, and each fault has its name. */
import test from 'ava';
import { createMark } from '../../../src/base/io/secret.js';
import {
  CHAINED_KINDS,
  type ChainEntry,
  entriesBehind,
  entryFaults,
  headText,
  NO_ENTRIES,
  parseChainHead,
  parseChainStart,
  rowMark,
  startText,
} from '../../../src/domain/audit-chain/chain.js';

const mark = createMark(Buffer.alloc(32, 1));
const stranger = createMark(Buffer.alloc(32, 2));

const AUDIT = { id: 'aud_1', at: 1, who: 'rule', action: 'a.b', subject: 'আলো', before: null, after: '{}' };
const CREDIT = {
  id: 'txn_1',
  session_id: 's',
  brand_id: 'b',
  proof_id: 'p',
  channel: 'mfs_a',
  reference: 'R',
  amount_paisa: 50_000,
  fee_paisa: 0,
  credited_at: 2,
  credited_by: 'rule',
  scope: '',
  folded: null,
  rest_paisa: 0,
};
const ROWS = [
  { kind: 'audit', rowId: 'aud_1', row: AUDIT },
  { kind: 'credit', rowId: 'txn_1', row: CREDIT },
] as const;

const [first, second] = entriesBehind(mark, NO_ENTRIES, ROWS) as [ChainEntry, ChainEntry];

test('marks and links are those of stores that are in use', (t) => {
  t.deepEqual(first, {
    number: 1,
    kind: 'audit',
    rowId: 'aud_1',
    mark: '9cqI25_Va29GMjns-QOcnZ',
    hash: 'i4vlyIi1Iz_vGlKSXQEyV9oFyEJsfyT3KuZ6rIR8Gqc',
  });
  t.deepEqual(second, {
    number: 2,
    kind: 'credit',
    rowId: 'txn_1',
    mark: 'FF4lw-j0f2oyvlAS46Sxmu',
    hash: 'FvHHBIUBeDzQecPNywyrd7ySUCnvXvrT6FeiWoyKnSw',
  });
});

test('it is the same in whatever order columns come, and whatever columns come later', (t) => {
  const turned = Object.fromEntries(Object.entries({ ...CREDIT, later: 1 }).reverse());
  t.deepEqual(entryFaults(mark, first, second, turned), []);
});

test('a change of any column of a row is a fault', (t) => {
  t.deepEqual(CHAINED_KINDS, ['credit', 'audit']);
  for (const [kind, row] of [
    ['audit', AUDIT],
    ['credit', CREDIT],
  ] as const)
    for (const column of Object.keys(row)) {
      const changed = { ...row, [column]: 'changed' };
      t.not(rowMark(mark, kind, changed), rowMark(mark, kind, row), `${kind} ${column}`);
    }
});

test('one entry after the other is the same as both at once', (t) => {
  const [, credit] = ROWS;
  t.deepEqual(entriesBehind(mark, first, [credit]), [second]);
});

test('each fault has its name, and row faults differ from entry faults', (t) => {
  const judged = (entry: Partial<ChainEntry>, row: object | undefined = CREDIT, before = first) =>
    entryFaults(mark, before, { ...second, ...entry }, row);
  t.deepEqual(judged({}), []);
  t.deepEqual(judged({}, { ...CREDIT, fee_paisa: 1 }), ['row_changed']);
  t.deepEqual(entryFaults(mark, first, second, undefined), ['row_deleted']);
  t.deepEqual(judged({ hash: first.hash }), ['entry_changed']);
  t.deepEqual(judged({ mark: first.mark }), ['entry_changed', 'row_changed']);
  t.deepEqual(judged({ rowId: 'txn_2' }), ['entry_changed']);
  t.deepEqual(judged({ number: 4 }), ['entries_missing']);
  t.deepEqual(judged({}, CREDIT, { ...first, hash: second.hash }), ['entry_changed']);
  t.deepEqual(entryFaults(stranger, first, second, CREDIT), ['entry_changed', 'row_changed']);
});

test('values cannot move from one column to the next', (t) => {
  const moved = { ...CREDIT, channel: 'mfs_a","R', reference: '' };
  t.deepEqual(entryFaults(mark, first, second, moved), ['row_changed']);
  t.deepEqual(entryFaults(mark, first, second, { ...CREDIT, folded: 'null' }), ['row_changed']);
});

test('where the chain begins to count is believed only under its key', (t) => {
  const start = { after: 7, at: 1_786_000_000_000 };
  const text = startText(mark, start);
  t.deepEqual(parseChainStart(mark, text), start);
  t.is(parseChainStart(stranger, text), null);
  for (const forged of [text.replace('7', '8'), '', 'null', '[]', '{}', '{"after":7}']) {
    t.is(parseChainStart(mark, forged), null, forged);
  }
});

test('an end is read as it is printed, and nothing else is one', (t) => {
  t.deepEqual(parseChainHead(headText(second)), { number: 2, hash: second.hash });
  t.deepEqual(parseChainHead(`1234567890:${second.hash}`), { number: 1_234_567_890, hash: second.hash });
  t.deepEqual(parseChainHead(` ${headText(second)}\n`), { number: 2, hash: second.hash });
  const wrong = [
    '',
    '2',
    second.hash,
    `:${second.hash}`,
    `-1:${second.hash}`,
    `12345678901:${second.hash}`,
    `2:${second.hash}x`,
    `2:${second.hash.slice(1)}`,
  ];
  for (const text of wrong) t.is(parseChainHead(text), null, text);
});
