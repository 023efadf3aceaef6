/** One list of fields makes the JSON, the columns of CSV and the sheet of a resource. */
import test from 'ava';
import { defineView } from '../../../src/actions/input/view.js';

interface Row {
  readonly id: string;
  readonly amount_paisa: number;
  readonly payer_note: string | null;
  readonly entered: readonly string[];
}

const view = defineView<Row>()(({ same, taka }) => ({
  ...same('id', 'payer_note'),
  amount: taka('amount_paisa'),
  ...same('entered'),
}));
const row: Row = { id: 'a', amount_paisa: 50_050, payer_note: 'ring twice', entered: ['x', 'y'] };

test('fields are in their order, in JSON and in CSV', (t) => {
  t.is(
    JSON.stringify(view(row)),
    '{"id":"a","payer_note":"ring twice","amount":"500.50","entered":["x","y"]}',
  );
  t.deepEqual(view.csv('entered'), ['id', 'payer_note', 'amount']);
});

test('a sheet has its own order, several lines of one field, and last what it does not name', (t) => {
  const sheet = view.sheet({
    amount: ['Amount', ({ amount }) => `${amount} BDT`],
    entered: ({ entered }) => entered.map((text) => ['Entered', text] as const),
    id: null,
  });
  const lines = [
    ['Amount', '500.50 BDT'],
    ['Entered', 'x'],
    ['Entered', 'y'],
  ] as const;
  t.deepEqual(sheet(view(row)), [...lines, ['Payer note', 'ring twice']]);
  t.deepEqual(sheet(view({ ...row, payer_note: null })), [...lines, ['Payer note', null]]);
});
