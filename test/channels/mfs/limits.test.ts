/** Texts made to be slow. That they finish at all is the point: each would hang a backtracking reader. */
import test from 'ava';
import { unmask } from '../../../src/channels/mfs/normalise.js';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, rocket, UPAY, upay } from '../../helpers/shop/sms.js';

const KIB_16 = 16 * 1024;
const fill = (piece: string): string => piece.repeat(Math.ceil(KIB_16 / piece.length)).slice(0, KIB_16);

const PIECES = [
  'a',
  ' ',
  '\n',
  '.',
  '1',
  '1,',
  '0',
  'Tk ',
  'Tk 1.00 ',
  'Ref ',
  'Ref .',
  '. Fee Tk 0.00',
  'TrxID ',
  '*',
  '\u200b',
];
const MORE = [
  '\u202e',
  '\ud800',
  '\u0000',
  '৫',
  'é',
  '👍',
  'You have received ',
  'Tk 1.00 from 0',
  'nagad.io/',
  ' to ',
  'Balance Tk 1.00. ',
];
const OPENINGS = [
  ['', BKASH],
  ['You have received Tk 50.00 from ', BKASH],
  ['You have received Tk 50.00 from 01711000081. Ref ', BKASH],
  ['Payment of Tk 1.00 to ', BKASH],
  ['bKash to Bank ', BKASH],
  ['Bill successfully paid. Biller: ', BKASH],
  ['Money Received. Amount: Tk 5.00 Sender: 01711000081 Ref: ', NAGAD],
  ["Congrats! You've received Cashback 5 Tk for ", NAGAD],
  ['Tk480.00 received from A/C:', ROCKET],
  ['Tk. 5.00 has been received from ', UPAY],
  ['', '+8801711000000'],
] as const;

for (const [opening, sender] of OPENINGS) {
  test(`16 KiB after ${JSON.stringify(opening)} of ${sender} are read fully and never settle automatically`, (t) => {
    for (const piece of [...PIECES, ...MORE]) t.not(read(sender, opening + fill(piece)).settle, 'auto');
  });
}

test('a message with 16 KiB after or before it does not settle automatically', (t) => {
  for (const piece of ['a', 'Get cashback offer ', '\u200b', '. ']) {
    t.not(read(BKASH, bkash({ tail: `. ${fill(piece)}` })).settle, 'auto');
    t.not(read(BKASH, `${fill(piece)}${bkash({})}`).settle, 'auto');
    t.not(read(NAGAD, nagad({}) + fill(piece)).settle, 'auto');
  }
});

/** Pieces of what may stand behind a message: links, amounts and clauses that nearly are. */
const BEHIND = [
  ...[
    'get app ',
    'a.',
    'a-',
    'a.b-',
    'https://',
    'www.',
    'bka.sh/',
    'bit.ly/nexuspay',
    '.com',
    '1,',
    '1.',
    '1/',
  ],
  ...[
    'tk.',
    'tk ',
    ':',
    ': ',
    '*',
    '*2',
    '%',
    '<link>',
    '<',
    '&',
    "'",
    '(',
    '!',
    '?',
    '|',
    '৳',
    'cashback 1 ',
  ],
  ...['download a', 'for details ', "don't share ", 'priyo ', 'x', 'xxx1', 'trans', 'Fee Tk ', 'T&C ', '\n'],
];

test('a tail of any pieces is judged to its end, and whatever it is moves no value', (t) => {
  for (const piece of [...PIECES, ...MORE, ...BEHIND]) {
    for (const length of [100, 200, 280, 1_400]) {
      const behind = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      const readings = [
        [read(BKASH, bkash({ tail: `. Get ${behind}` })), 'DHD7KQ2P0Z'],
        [read(ROCKET, rocket({ tail: `. ${behind}` })), '6794927502'],
        [read(NAGAD, `${nagad({ ref: `Ref: ${behind}` })} ${behind}`), '75KQXJ52'],
      ] as const;
      for (const [{ settle, trxId }, id] of readings) if (settle === 'auto') t.is(trxId, id, piece);
    }
  }
  t.pass();
});

test('fees, dates and breaks that nearly are some cost no more than others', (t) => {
  const near = [
    'Tk',
    'Tk.',
    'Tk .',
    'Tk. .',
    'Tk\n',
    '0',
    '.0',
    ' 0',
    '\n',
    '\r\n',
    '.',
    '00',
    'p.m',
    'P',
    ' pm',
  ];
  for (const piece of near) {
    t.not(read(BKASH, bkash({ fee: fill(piece).slice(0, 1_400) })).settle, 'auto', piece);
    t.not(read(ROCKET, rocket({ fee: fill(piece).slice(0, 1_400) })).settle, 'auto', piece);
    t.not(read(ROCKET, rocket({ at: `31-JUL-26 04:50:30${fill(piece).slice(0, 1_400)}` })).settle, 'auto');
  }
});

test('a credit longer than any wallet SMS needs manual review, without values', (t) => {
  const reading = read(BKASH, bkash({ tail: `. ${fill('x')}` }));
  t.is(reading.settle, 'review');
  t.deepEqual(reading.reasons, ['text_too_long']);
  t.is(reading.amountPaisa, null);
});

test('ignores any number of blanks around a message', (t) => {
  t.is(read(BKASH, fill(' \n') + bkash({}) + fill('\r\n\t')).settle, 'auto');
  t.is(read(ROCKET, rocket({}) + fill(' ')).settle, 'auto');
  t.is(read(UPAY, fill('\u00a0') + upay({})).settle, 'auto');
});

test('a character that expands to eighteen makes a text at most four times as long', (t) => {
  t.is(unmask('\ufdfa'.repeat(1_600)).length, 6_400);
  t.is(unmask('\ufdfa'.repeat(100)).length, 1_800);
  t.not(read(BKASH, `You have received Tk 5.00 from ${'\ufdfa'.repeat(1_500)}`).settle, 'auto');
  // What is cut off is not what could hide a label.
  t.is(read(BKASH, bkash({ ref: ` Ref ${'\ufdfa'.repeat(140)} TrxID.` })).settle, 'review');
});
