/** How many SMS a text is cut into, and to which numbers it can go. */
import test from 'ava';
import { dispatchNumber, measureText, textFault } from '../../../src/domain/dispatches/dispatch-text.js';

/** Counted by hand from 3GPP TS 23.038 and 23.040. */
const COUNTED: readonly (readonly [title: string, text: string, encoding: string, parts: number])[] = [
  ['160 of the GSM alphabet', 'a'.repeat(160), 'GSM-7', 1],
  ['161 of the GSM alphabet', 'a'.repeat(161), 'GSM-7', 2],
  ['two full parts of 153', 'a'.repeat(306), 'GSM-7', 2],
  ['one more', 'a'.repeat(307), 'GSM-7', 3],
  ['ten full parts', 'a'.repeat(1_530), 'GSM-7', 10],
  ['70 Bangla letters', 'ক'.repeat(70), 'UCS-2', 1],
  ['71 Bangla letters', 'ক'.repeat(71), 'UCS-2', 2],
  ['two full parts of 67', 'ক'.repeat(134), 'UCS-2', 2],
  ['one Bangla letter more', 'ক'.repeat(135), 'UCS-2', 3],
  ['ten full parts of Bangla', 'ক'.repeat(670), 'UCS-2', 10],
  ['80 euro signs, two septets each', '€'.repeat(80), 'GSM-7', 1],
  ['81 euro signs', '€'.repeat(81), 'GSM-7', 2],
  ['the other signs of the extension', '^{}[]~|\\'.repeat(10), 'GSM-7', 1],
  ['one of them more', `${'^{}[]~|\\'.repeat(10)}a`, 'GSM-7', 2],
  [
    '306 septets whose euro sign does not fit the first part',
    `${'a'.repeat(152)}€${'a'.repeat(152)}`,
    'GSM-7',
    3,
  ],
  ['a curly quotation mark, which nobody replaces', `’${'a'.repeat(70)}`, 'UCS-2', 2],
  ['a backtick, which the GSM alphabet lacks', '`', 'UCS-2', 1],
  ['accents that it has', 'éèàÇñ', 'GSM-7', 1],
  ['an accent that it lacks', 'ç', 'UCS-2', 1],
  ['a line break', `${'a'.repeat(159)}\n`, 'GSM-7', 1],
  ['a line break of Windows, which is two characters', `${'a'.repeat(158)}\r\n`, 'GSM-7', 1],
  ['the same with one letter more', `${'a'.repeat(159)}\r\n`, 'GSM-7', 2],
  ['35 emoji of two halves each', '😀'.repeat(35), 'UCS-2', 1],
  ['36 emoji', '😀'.repeat(36), 'UCS-2', 2],
  ['67 emoji, of which one would be cut at half of 134', '😀'.repeat(67), 'UCS-2', 3],
];

for (const [title, text, encoding, parts] of COUNTED) {
  test(`${title}: ${parts} of ${encoding}`, (t) => {
    t.deepEqual(measureText(text), { encoding: encoding as 'GSM-7', parts });
  });
}

test('more than ten parts are too many, however long the text is', (t) => {
  t.is(measureText('a'.repeat(1_531)), null);
  t.is(measureText('ক'.repeat(671)), null);
  t.is(measureText('€'.repeat(766)), null);
  t.is(measureText('a'.repeat(60_000)), null);
});

test('a text of nothing but blanks and control characters is empty, and one of emoji is not', (t) => {
  for (const text of ['', ' ', '\n\t', '\u0007', '\u200b\u00a0'])
    t.is(textFault(text), 'empty', JSON.stringify(text));
  for (const text of ['.', '😀', 'ক', ' a ']) t.is(textFault(text), null, text);
});

test('half a character and NUL cannot be sent', (t) => {
  t.is(textFault('half \ud83d'), 'unsendable');
  t.is(textFault('a\0b'), 'unsendable');
});

const READ: readonly (readonly [text: string, e164: string])[] = [
  ['01712345678', '+8801712345678'],
  ['+8801712345678', '+8801712345678'],
  ['8801712345678', '+8801712345678'],
  ['008801712345678', '+8801712345678'],
  ['1712345678', '+8801712345678'],
  [' 01712-345 678 ', '+8801712345678'],
  ['+88 (017) 12-345678', '+8801712345678'],
  ['০১৭১২৩৪৫৬৭৮', '+8801712345678'],
  ['+৮৮০১৩১২৩৪৫৬৭৮', '+8801312345678'],
  ['+919876543210', '+919876543210'],
  ['+447400123456', '+447400123456'],
  ['+966512345678', '+966512345678'],
  ['+60123456789', '+60123456789'],
  ['+12015550123', '+12015550123'],
  ['\t01712345678\n', '+8801712345678'],
  ['  +8801712345678', '+8801712345678'],
  [`01712345678${' '.repeat(29)}`, '+8801712345678'],
  // In ranges that no table has yet.
  ['+447000000000', '+447000000000'],
  ['+966600000000', '+966600000000'],
];

test('numbers of Bangladesh and elsewhere get one form, however they are typed', (t) => {
  for (const [text, e164] of READ) t.is(dispatchNumber(text), e164, text);
});

const REFUSED = [
  '',
  'bKash',
  '16247',
  '999',
  '*121#',
  '0171234567',
  '017123456789',
  '01212345678',
  '0212345678',
  '+88017123456789',
  'call 01712345678',
  '01712345678 ext 5',
  '01712345678;ext=5',
  '01712345678,01812345678',
  '+1',
  '-n 01712345678',
  `+880${'1'.repeat(60)}`,
  `01712345678${' '.repeat(30)}`,
];

test('refuses numbers that an SMS of a Bangladeshi phone cannot reach', (t) => {
  for (const text of REFUSED) t.is(dispatchNumber(text), null, text);
});
