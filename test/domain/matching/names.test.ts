/** Under which name, and within what, a payment is spent: no other spelling of an id may spend it again. */
import test from 'ava';
import fc from 'fast-check';
import {
  creditedName,
  findWalletReference,
  foldedReference,
  isPushReference,
  matchesIdShape,
  parseShopNumber,
  parseWalletReference,
  plainText,
  shopNumberName,
  spendingScope,
  ulidTime,
} from '../../../src/domain/matching/reference.js';

test('ids of an exchange are credited in capitals, those of other channels are in one form already', (t) => {
  t.is(creditedName('exchange_pay', 'm_P_1a'), 'M_P_1A');
  for (const channel of ['mfs_a', 'bep20', 'qr_interbank', 'bank'] as const)
    t.is(creditedName(channel, 'aB'), 'aB');
});

test('money of a wallet is spent within its receiving number, all other money within its scope', (t) => {
  for (const channel of ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'] as const) {
    t.is(spendingScope({ channel, scope: 'scope', recipient: '01711000001' }), '01711000001');
    t.is(spendingScope({ channel, scope: 'scope', recipient: null }), '');
    t.is(spendingScope({ channel, scope: 'scope' }), '');
  }
  for (const channel of ['bep20', 'exchange_pay', 'qr_interbank', 'bank'] as const) {
    t.is(spendingScope({ channel, scope: 'scope', recipient: '01711000001' }), 'scope');
  }
});

test('a bank reference folds to letters and digits, with O as 0 and I as 1', (t) => {
  t.is(foldedReference('ft io-12'), 'FT1012');
  const signs = [...' ._/#:&()-'];
  for (const sign of signs) t.is(foldedReference(`A${sign}B${sign}1`), 'AB1', sign);
  t.is(foldedReference('OOII'), '0011');
  const part = fc.string({ unit: fc.constantFrom(...'ABOI019', ...signs) });
  fc.assert(fc.property(part, (text) => foldedReference(text) === foldedReference(foldedReference(text))));
});

test('the number of a shop is spent within its account, and an id of the exchange is not such a number', (t) => {
  t.is(shopNumberName('acc', 'order-7a'), 'acc/ORDER-7A');
  t.deepEqual(parseShopNumber('acc/ORDER-7A'), { account: 'acc', number: 'ORDER-7A' });
  t.deepEqual(parseShopNumber('acc/'), { account: 'acc', number: '' });
  t.deepEqual(parseShopNumber('/7'), { account: '', number: '7' });
  t.is(parseShopNumber('331726482920497152'), null);
});

test('a bank may call a push by 1 to 64 printable characters that neither begin nor end in a space', (t) => {
  for (const text of ['!', '~', 'a b', '!~', 'RRN 1', 'x'.repeat(64)]) t.true(isPushReference(text), text);
  const wrong = ['', ' ', ' a', 'a ', 'a\tb', 'a\nb', '১', 'a\u007f', 'é', 'x'.repeat(65)];
  for (const text of wrong) t.false(isPushReference(text), JSON.stringify(text));
});

test('an id of a wallet is 4 to 32 ASCII letters and digits in any case, and 128 signs are plain text', (t) => {
  for (const text of ['ab12', ' AB12 ', 'x'.repeat(32)]) {
    t.deepEqual(parseWalletReference(text), { outcome: 'id', reference: text.trim().toUpperCase() });
  }
  for (const text of ['abc', '!', '~', 'a-b1', 'x'.repeat(33), 'x'.repeat(128)]) {
    t.deepEqual(parseWalletReference(text), { outcome: 'no_id' }, text);
  }
  for (const text of ['', ' ', 'ab 12', 'x'.repeat(129), 'ıd12', 'ſſſſ', '\u212aABC', 'a\u0000bc']) {
    const read = parseWalletReference(text);
    t.is(read.outcome, 'invalid', JSON.stringify(text));
    t.regex(read.outcome === 'invalid' ? read.fault : '', /letters and digits/);
  }
});

test('an id looks like one of its wallet alone, and on other channels nothing is known', (t) => {
  t.true(matchesIdShape('mfs_a', 'DHL7CD1EF2'));
  for (const id of ['DHL7CD1EF', 'DHL7CD1EF22', '']) t.false(matchesIdShape('mfs_a', id), id);
  for (const channel of ['bep20', 'qr_interbank', 'bank'] as const)
    t.false(matchesIdShape(channel, 'DHL7CD1EF2'));
});

const ID = 'DHL7CD1EF2';
const OTHER = 'DHL7CD1EF3';
const found = { outcome: 'id', reference: ID };
const pasted: [text: string, result: object][] = [
  [ID, found],
  [`  ${ID.toLowerCase()}\n`, found],
  ['DHL7 CD1E F2', found],
  ['DHL7-CD1E-F2', found],
  ['ডHL7CD1EF2', { outcome: 'none' }],
  ['DHL৭CD১EF২', found],
  [`\u200e${ID}\u200b`, found],
  [`Tk 500.00 received. TrxID ${ID} at 21/08/2026`, found],
  [`Tk 500.00 received. TrnxID: ${ID}.`, found],
  [`Txn ID - ${ID}`, found],
  [`TID ${ID} done`, found],
  [`transaction no. ${ID}`, found],
  [`Transaction ID=${ID}`, found],
  [`লেনদেন আইডি ${ID}`, found],
  [`ট্রানজেকশন নম্বর ${ID}`, found],
  [`ট্র্যানজ ${ID}`, found],
  [`TrxID ${ID} and TrxID ${ID.toLowerCase()}`, found],
  [`TrxID ${ID} and TrxID ${OTHER}`, { outcome: 'several' }],
  [`TrxID ${ID} and TrxID 123456`, found],
  [`${ID} or ${OTHER}`, { outcome: 'several' }],
  ['ab12', { outcome: 'id', reference: 'AB12' }],
  ['TrxID NEW4SHAPE and thanks', { outcome: 'id', reference: 'NEW4SHAPE' }],
  [`TrxID ${ID}, not ${OTHER}`, found],
  [`TrxID ${ID} and TrxID 123456, not ${OTHER}`, found],
  [`${ID} and TrxID 12345`, found],
  ['!', { outcome: 'none' }],
  [`Transaction ID number ${ID}`, found],
  [`amar TrxID hocche ${ID}`, found],
  [`trx id please check ${ID}`, found],
  [`transaction no. 01733445566, ${ID}`, found],
  [`TrxID: ${ID.slice(0, 6)} ${ID.slice(6)}`, found],
  [`Paid. TrxID ${[...ID].join(' ')} at 26/11/2026 19:30`, found],
  [`TrxID${ID}`, found],
  [`TrxID${ID} at 26/11/2026 19:30`, found],
  [`TrxID: ${ID}Balance: Tk 500.00`, found],
  [`TrxID: 75Z0B63BBalance: Tk 500.00`, { outcome: 'id', reference: '75Z0B63B' }],
  [`TrxID 75Z0B63B, ${ID}`, found],
  ['TrxID 7BF0B63B 26 Nov', { outcome: 'id', reference: '7BF0B63B' }],
  ['TrxID NEW4SHAPE and TrxID NEW5SHAPE', { outcome: 'several' }],
  ['my TrxID number is here', { outcome: 'none' }],
  ['transaction no. 01733445566', { outcome: 'none' }],
  ['transaction no. +8801733445566', { outcome: 'none' }],
  [`I have paid, it is ${ID}`, found],
  ['I have paid with my phone', { outcome: 'none' }],
  ['', { outcome: 'none' }],
  ['DHL7        CD1E       F2 ok', { outcome: 'none' }],
  ['D H L 7 - C D 1 - E F 2', found],
  ['DHL7 - - - - CD1 - - EF2', found],
  ['DHL7 - - - - CD1 - - -EF2', { outcome: 'none' }],
  ['D  H  L  7    C  D  1  E  F  2', { outcome: 'none' }],
];
/** An id of a shape that is not known yet is found by the words before it alone. */
const labels = [
  ...['TrxID', 'Trx ID', 'TrnxID', 'TrnxID:', 'TxnID', 'Txn Id:', 'txid', 'Tx ID =', 'TRXID #', 'Trx ID - '],
  ...['Transaction ID', 'TransactionID:', 'transaction no', 'TransactionNo.', 'TRANSACTION NO. :'],
  ...['লেনদেন আইডি', 'লেনদেনআইডি', 'লেনদেন নম্বর', 'ট্রানজেকশন আইডি', 'ট্রানজেকশননম্বর', 'ট্রানজ্যাকশন নম্বর'],
];
for (const label of labels) {
  test(`the id behind ${label} is found, whatever its shape`, (t) => {
    const reference = 'NEW4SHAPE';
    for (const text of [`Paid. ${label} ${reference}, thanks`, `Paid. ${label}${reference}`]) {
      t.deepEqual(findWalletReference('mfs_a', text), { outcome: 'id', reference }, text);
    }
  });
}

for (const [text, result] of pasted) {
  test(`of what a customer pastes the id is found: ${JSON.stringify(text)}`, (t) => {
    t.deepEqual(findWalletReference('mfs_a', text), result as never);
  });
}

test('an id of digits is distinguished from telephone numbers around it', (t) => {
  const id = '7215356315';
  const found = { outcome: 'id', reference: id } as const;
  for (const text of [
    `${id} from 1733445566`,
    `TxnId:${id}Date:26-NOV-26 08:25:38 pm.`,
    `TxnId: ${id.slice(0, 5)} ${id.slice(5)} from 1733445566`,
  ]) {
    t.deepEqual(findWalletReference('mfs_c', text), found, text);
  }
  t.deepEqual(findWalletReference('mfs_c', `it is ${id}, not 7215356316`), { outcome: 'several' });
  t.deepEqual(findWalletReference('mfs_c', 'I paid: 1733445566'), { outcome: 'id', reference: '1733445566' });
});

test('a ULID contains the millisecond of its creation', (t) => {
  // The example of github.com/ulid/spec, its smallest and its largest.
  t.is(ulidTime('01ARZ3NDEK'), 1_469_922_850_259);
  t.is(ulidTime('0000000000'), 0);
  t.is(ulidTime('7ZZZZZZZZZ'), 2 ** 48 - 1);
});

test('removes invisible marks left by copying, converts Bengali digits, and changes nothing else', (t) => {
  const unseen = ['\u00ad', '\u200b', '\u200f', '\u202a', '\u202e', '\u2060', '\u2069', '\ufeff'];
  for (const mark of unseen) t.is(plainText(`a${mark}b`), 'ab', JSON.stringify(mark));
  for (const mark of ['\u00ac', '\u200a', '\u2010', '\u2029', '\u202f', '\u205f', '\u206a']) {
    t.is(plainText(`a${mark}b`), `a${mark}b`, JSON.stringify(mark));
  }
  t.is(plainText(' ১২a b৯ '), '12a b9');
});
