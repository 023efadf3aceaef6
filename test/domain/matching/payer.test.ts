/** Payers as banks show them, compared with what customers type: on the digits that are there. */
import test from 'ava';
import fc from 'fast-check';
import {
  comparedDigits,
  fullPayer,
  parseShownPayer,
  parseTypedPayer,
  payerFits,
  showsMoreThanLastFour,
} from '../../../src/domain/matching/payer.js';

const NUMBER = '01712345678';

test('a customer types a mobile number in any spelling, or its last four digits', (t) => {
  for (const typed of [
    '01712345678',
    '+8801712345678',
    '8801712345678',
    '+880 1712-345678',
    ' 01712 345 678 ',
    '০১৭১২৩৪৫৬৭৮',
  ]) {
    t.is(parseTypedPayer(typed), NUMBER, typed);
  }
  t.is(parseTypedPayer(' 5678 '), '5678');
  t.is(parseTypedPayer('৫৬৭৮'), '5678');
  for (const typed of [
    '',
    '567',
    '56789',
    '5 678',
    '0171234567',
    '017123456789',
    '01212345678',
    'TX5678',
    '*5678',
  ]) {
    t.is(parseTypedPayer(typed), null, typed);
  }
});

const inFull = ['01712345678', '+8801712345678', '8801712345678', '008801712345678', '+880 1712 345-678'];
const hidden: readonly (readonly [string, string])[] = [
  ['017****5678', '017****5678'],
  ['017XXXX5678', '017****5678'],
  ['XXXXXXX5678', '*******5678'],
  ['•••••••5678', '*******5678'],
  ['8801712XXX678', '01712***678'],
  ['+88 017-****-5678', '017****5678'],
  ['*5678', '*5678'],
  ['5678', '*5678'],
  ['1712345678', '*1712345678'],
  ['017*5678', '017*5678'],
  ['*********5678', '*********5678'],
  ['01712******', '01712******'],
  ['008801712XXX678', '01712***678'],
  ['+01712XXX678', '01712***678'],
  ['*678', '*678'],
  ['*45678', '*45678'],
];

test('a number that is shown in full fits itself, its last four digits and nothing else', (t) => {
  for (const shown of inFull) {
    t.is(fullPayer(shown), NUMBER, shown);
    t.true(payerFits(NUMBER, shown), shown);
    t.true(payerFits('5678', shown), shown);
    t.false(payerFits('01812345678', shown), shown);
    t.false(payerFits('01712345679', shown), shown);
    t.false(payerFits('5679', shown), shown);
  }
});

test('a number that is partly hidden fits what agrees with the digits that are shown', (t) => {
  for (const [shown, pattern] of hidden) {
    t.is(parseShownPayer(shown)?.pattern, pattern, shown);
    t.is(fullPayer(shown), null, shown);
    t.true(payerFits(NUMBER, shown), shown);
    t.is(payerFits('5678', shown), shown !== '01712******', shown);
  }
});

test('a prefix of the country is only taken off the beginning', (t) => {
  for (const number of ['01712008812', '01712880012', '01700880088']) {
    for (const shown of [number, ` ${number}`, `0088${number}`, ` 0088${number}`, `88${number}`]) {
      t.is(fullPayer(shown), number, shown);
    }
  }
  for (const shown of ['0171*008812', '0171880****', '0171*880*12']) {
    t.is(parseShownPayer(shown)?.pattern, shown);
  }
});

test('one digit that is shown and differs is enough', (t) => {
  const others: readonly (readonly [string, string])[] = [
    ['017****5678', '01812345678'],
    ['017****5678', '01712345679'],
    ['8801712XXX678', '01713345678'],
    ['*5678', '01712345679'],
    ['017*5678', '01812345678'],
    ['01712******', '01713345678'],
    ['XXXX234XXXX', '01719945678'],
    // With as many signs as a number has, each stands in its place.
    ['017*4**5678', '01712345678'],
  ];
  for (const [shown, typed] of others) t.false(payerFits(typed, shown), `${typed} ${shown}`);
  t.false(payerFits('5679', '017****5678'));
  t.false(payerFits('5678', '8801712XXX679'));
});

test('where less than three digits could be compared, nobody fits', (t) => {
  for (const shown of [
    '*',
    '***********',
    '01*********',
    '017********',
    '*********78',
    '78',
    '0171*******',
  ]) {
    t.false(payerFits(NUMBER, shown), shown);
    t.false(payerFits('5678', shown), shown);
  }
  t.is(parseShownPayer('**********5678'), null, 'longer than a number: a card or an account');
  t.true(payerFits('01712340156', '*******01*6'), 'only the first 01 says nothing');
  t.true(payerFits('5698', '017****56*8'));
  t.false(payerFits('5698', '017****55*8'));
  t.false(payerFits('5678', '017*5*78'), 'nobody knows in which place 5 stands');
  t.false(payerFits('5678', '01712345***'));
  t.true(payerFits('5678', '01712*4*678'));
});

test('anything but a mobile number matches nobody, even if it ends alike', (t) => {
  for (const shown of [
    null,
    '',
    '   ',
    'somebody',
    'karim@example.com',
    '9360050311234565678',
    '01712345678, 01812345678',
    '123456785678',
    '****-****-****-5678',
    '12345675678',
    'no 5678',
    '5678 taka',
    '01712345678a',
    '017\n****5678x!',
  ]) {
    t.is(parseShownPayer(shown), null, String(shown));
    t.false(payerFits(NUMBER, shown), String(shown));
    t.false(payerFits('5678', shown), String(shown));
  }
});

test('the shown number decides whether a full number reveals more than the last four digits', (t) => {
  const tells = (shown: string) => {
    const payer = parseShownPayer(shown);
    return payer !== null && showsMoreThanLastFour(payer);
  };
  for (const shown of ['01712345678', '017****5678', '*45678', '****0**5678', '0*1****5678']) {
    t.true(tells(shown), shown);
  }
  for (const shown of ['*5678', '5678', 'XXXXXXX5678', '01*****5678', '0******5678']) {
    t.false(tells(shown), shown);
  }
});

const mobile = fc
  .tuple(fc.constantFrom('3', '4', '5', '6', '7', '8', '9'), fc.stringMatching(/^\d{8}$/))
  .map(([operator, rest]) => `01${operator}${rest}`);
const mask = fc.array(fc.boolean(), { minLength: 11, maxLength: 11 });
const covered = (number: string, hides: readonly boolean[], mark: string) =>
  [...number].map((digit, index) => (hides[index] === true ? mark : digit)).join('');

test('no number fits when a digit that is shown contradicts it', (t) => {
  fc.assert(
    fc.property(mobile, mobile, mask, fc.constantFrom('*', 'x', 'X', '•'), (one, other, hides, mark) => {
      const shown = covered(one, hides, mark);
      const contradicts = [...one].some((digit, index) => hides[index] !== true && digit !== other[index]);
      const inTail = [...one].some(
        (digit, index) => index > 6 && hides[index] !== true && digit !== other[index],
      );
      if (contradicts) t.false(payerFits(other, shown), `${other} ${shown}`);
      if (inTail) t.false(payerFits(other.slice(-4), shown), `${other} ${shown}`);
    }),
  );
});

test('a number fits its own mask in every spelling, if enough of it is shown', (t) => {
  const spellings = fc.constantFrom('', '+88', '88', '+88 ');
  fc.assert(
    fc.property(mobile, mask, spellings, (number, hides, prefix) => {
      const shown = covered(number, hides, '*');
      const isClear = [...shown.replace(/^01/, '')].filter((mark) => mark !== '*').length >= 3;
      t.is(payerFits(number, prefix + shown), isClear, prefix + shown);
      t.is(payerFits(number, shown.replace(/\*+/g, '*')), isClear, shown);
    }),
  );
});

test('no text makes the comparison throw', (t) => {
  fc.assert(fc.property(fc.string(), (shown) => !payerFits(NUMBER, shown) || shown.length > 2));
  t.pass();
});

test('compares only digits that a stranger has to guess: the operator of a number is not secret', (t) => {
  const compared = (typed: string, shown: string) => {
    const payer = parseShownPayer(shown);
    return payer === null ? null : comparedDigits(typed, payer);
  };
  t.is(compared(NUMBER, NUMBER), '12345678');
  t.is(compared('5678', NUMBER), '5678');
  t.is(compared(NUMBER, '017****5678'), '5678');
  t.is(compared(NUMBER, '*5678'), '5678');
  t.is(compared('5678', '*5678'), '5678');
  t.is(compared(NUMBER, '01712***678'), '12678');
  t.is(compared('5678', '8801712XXX678'), '678');
  t.is(compared(NUMBER, '01712*678'), '12678');
  t.is(compared(NUMBER, '*2345678'), '2345678');
  t.is(compared(NUMBER, '01*5678'), '5678');
  t.is(compared('5678', '*45678'), '5678');
  t.is(compared('5678', '*678'), '678');
});
