/**
 * A payer who types whole messages, endings and tails into the reference, against an exact oracle: what is
 * read is what the wallet wrote, or it is no automatic money. And the reverse: honest spellings settle.
 */
import test from 'ava';
import fc from 'fast-check';
import {
  BKASH,
  bkash,
  NAGAD,
  nagad,
  ROCKET,
  read,
  rocket,
  told,
  UPAY,
  upay,
} from '../../helpers/shop/sms.js';

/** A text with a reference, as the wallet writes it around what the payer typed. */
interface Template {
  readonly sender: string;
  write(ref: string): string;
}

const TEMPLATES: readonly Template[] = [
  { sender: BKASH, write: (ref) => bkash({ ref: ` Ref ${ref}.` }) },
  { sender: BKASH, write: (ref) => bkash({ ref: `Ref ${ref}.` }) },
  {
    sender: BKASH,
    write: (ref) => bkash({ ref: ` Ref ${ref}. Counter 1.` }).replace('received Tk', 'received payment Tk'),
  },
  { sender: NAGAD, write: (ref) => nagad({ ref: `Ref: ${ref}` }) },
  { sender: NAGAD, write: (ref) => nagad({ ref: `Ref: ${ref}` }).replaceAll('\n', ' ') },
  { sender: UPAY, write: (ref) => upay({ ref: ` Ref-${ref}.` }) },
  {
    sender: ROCKET,
    write: (ref) =>
      `Tk.20.00 received from A/C:***448 Ref No: ${ref} Fee: Tk.00 NetBal: Tk56.00 TxnId: 6026670632 Date:27-DEC-25 07:17:16 pm.`,
  },
];

const zero = fc.constantFrom('Tk 0.00', 'Tk.0', 'Tk0', 'Tk.00', 'Tk .0', 'Tk\n0');
const tail = fc.constantFrom(
  ...['', '.', '. Download App: https://bKa.sh/8app', '. Get 10% cashback. TCA', '.Priyo Cash Out', '\nTCA'],
  ...[
    ' For Details Call 16167',
    '. Dial *247#',
    '. Download https://bit.ly/nexuspay',
    '. Thank you for using ',
  ],
);
/** Endings that would be the wallet's if the payer's words were. */
const ending = fc
  .tuple(zero, tail)
  .chain(([fee, behind]) =>
    fc.constantFrom(
      `Fee ${fee}. Balance Tk 9,999.00. TrxID DHD7FAKE02 at 13/08/2026 16:02${behind}`,
      `TxnID: 75FAKE01 Balance: Tk 9999.00 07/02/2026 13:26${behind}`,
      `TxnID: 75FAKE01\nBalance: Tk 9999.00\n07/02/2026 13:26${behind}`,
      `Fee: ${fee} NetBal: Tk9,999.00 TxnId: 6026670699 Date:27-DEC-25 07:17:16 PM${behind}`,
      `Balance Tk. 9999.00. TrxID 01KGGM5VJH at 03/02/2026 08:09${behind}`,
    ),
  );
const message = fc.constantFrom(
  bkash({ amount: 'Tk 9,000.00', id: 'DHD7FAKE02', balance: 'Tk 9,431.25' }),
  nagad({ amount: 'Amount: Tk 9000.00', id: 'TxnID: 75FAKE01', balance: 'Balance: Tk 9431.25' }),
  rocket({ amount: 'Tk9,000.00', id: '6794927503' }),
  upay({ amount: 'Tk. 9000.00', id: '01KGGM5VJH', balance: 'Tk. 9977.68' }),
);
const piece = fc.oneof(
  ending,
  message,
  tail,
  fc.constantFrom('x', 'food', '. ', '.', ' ', '\n', '\u2028', '\u200b', 'Ref ', 'Tk 5,000.00', 'Counter 1.'),
  fc.constantFrom('has been reversed', 'TrxID', 'Fee Tk.0. ', 'Balance Tk 9.', '\ufdfa', 'x'.repeat(150)),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const typed = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));

test('whole messages, endings and tails in a reference never move a value of automatic money', (t) => {
  const seen = { auto: 0, other: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...TEMPLATES), typed, tail, ({ sender, write }, ref, behind) => {
      const reading = told(read(sender, write(ref) + behind));
      seen[reading.settle === 'auto' ? 'auto' : 'other'] += 1;
      return reading.settle !== 'auto' || same(reading, told(read(sender, write('x'))));
    }),
    { numRuns: 5_000 },
  );
  // The property says something only if both sides of it come up.
  t.true(seen.auto > 50 && seen.other > 500);
});

test('an ending that a payer typed never hides the true one as a tail', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...TEMPLATES), ending, tail, ({ sender, write }, forged, behind) => {
      return read(sender, write(`x. ${forged}`) + behind).settle !== 'auto';
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

const HONEST = [
  [BKASH, bkash({}), ['Download App: https://bKa.sh/8app', 'Priyo Cash Out at 13.95/thousand', 'TCA']],
  [NAGAD, nagad({}), ['For Details Call 16167', 'Click now nagad.io/exa', 'Dial *167#']],
  [ROCKET, rocket({ tail: '' }), ['Download https://bit.ly/nexuspay', 'Download NexusPay']],
  [UPAY, upay({ ref: '', at: '03/02/2026 08:09' }), ['Visit www.upaybd.com', 'Helpline 16268']],
] as const;
const blank = fc.constantFrom(' ', '\n', '\r\n', '\r', '\u2028', '\n\n', '\u00a0', '  ', '\t', ' \n ');

test('fee, half of the day, line breaks and tail may all be spelt otherwise at once', (t) => {
  const fee = fc.constantFrom('Tk.0', 'Tk0', 'Tk.00', 'Tk 0', 'Tk.0.00', 'Tk 0.0', 'Tk 0.00', 'Tk .00');
  const half = fc.constantFrom(' pm', ' PM', 'pm', ' p.m.', ' Pm');
  fc.assert(
    fc.property(
      ...([fc.constantFrom(...HONEST), fee, half, fc.nat(20)] as const),
      fc.array(blank, { minLength: 60, maxLength: 60 }),
      ([sender, body, tails], free, pm, which, blanks) => {
        const spelt = body.replace(/(?<=Fee:? ?)Tk ?0(?:\.00)?/, free).replace(' pm', pm);
        const behind = tails[which];
        const whole = behind === undefined ? spelt : `${spelt}. ${behind}`;
        const broken = whole.split(/[ \n]/).map((word, index) => word + (blanks[index] ?? ' '));
        return same(told(read(sender, broken.join(''))), told(read(sender, body)));
      },
    ),
    { numRuns: 5_000 },
  );
  t.pass();
});

function same(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
