/** Which ids are looked for in texts, and where one stands there as a word of its own. */
import test from 'ava';
import { canBeNamed, namesId } from '../../../src/domain/why/naming.js';

const LOOKED_FOR = ['DKQ5ZCS4ZY', 'dkq5zcs4zy', '73ABCD12', '1234567890', 'RRN123'];
const NOT = ['01711000001', '8801711000001', '410', '1234567', 'AB12', 'RECEIVED', 'FT 26', 'A%B_C1'];

for (const id of LOOKED_FOR) test(`looked for: ${id}`, (t) => t.true(canBeNamed(id)));
for (const id of NOT) test(`not looked for: ${id}`, (t) => t.false(canBeNamed(id)));

const ID = 'DKQ5ZCS4ZY';
const NAMED = [
  ID,
  `You have received Tk 78.00. TrxID ${ID} at 26/11/2026 20:14`,
  `trxid ${ID.toLowerCase()}.`,
  `TrxID${ID}`,
  `TxnID:${ID}Balance: Tk 5`,
  `ট্রানজেকশন আইডি ${ID}।`,
  'TrxID DKQ৫ZCS৪ZY at',
  'TrxID DKQ5\u200bZCS4ZY at',
];
const NOT_NAMED = ['', 'TrxID DKQ5ZCS4ZX', `A${ID}`, `${ID}1`, 'DKQ5 ZCS4ZY', `${ID}balances`];

for (const text of NAMED) test(`named: ${JSON.stringify(text)}`, (t) => t.true(namesId(text, ID)));
for (const text of NOT_NAMED) test(`not named: ${JSON.stringify(text)}`, (t) => t.false(namesId(text, ID)));

test('an id of digits alone is not found inside a telephone number', (t) => {
  t.false(namesId('from 01712345678', '71234567'));
  t.true(namesId('TxnID: 71234567', '71234567'));
});
