/** What a brand charges on top: exact to the paisa, never to the customer's surprise, and readable again. */
import test from 'ava';
import fc from 'fast-check';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { type Fee, feeOn, feeText, parseFee, parseFees } from '../../../src/domain/sessions/fees.js';

const amounts = fc.integer({ min: 1, max: 100_000_000 });
const fees: fc.Arbitrary<Fee> = fc.record({
  fixedPaisa: fc.integer({ min: 0, max: 10_000_000 }),
  basisPoints: fc.integer({ min: 0, max: 5_000 }),
});

const charged: [fee: string, amountPaisa: number, feePaisa: number][] = [
  ['mfs_a=0', 50_000, 0],
  ['mfs_a=5', 50_000, 500],
  ['mfs_a=5.05', 100, 505],
  ['mfs_a=1.85%', 50_000, 925],
  ['mfs_a=1.85%', 100, 2],
  ['mfs_a=1%', 10_000, 100],
  ['mfs_a=0.01%', 1, 1],
  ['mfs_a=10+0.5%', 50_050, 1_251],
  ['mfs_a=50%', 100_000_000, 50_000_000],
  ['mfs_a=1.85%+whole', 125_000, 2_400],
  ['mfs_a=1.85% + whole', 127_400, 2_400],
  ['mfs_a=5+whole', 50_000, 500],
  ['mfs_a=10+0.5%+whole', 50_050, 1_350],
  ['mfs_a=0+whole', 50_050, 50],
];
for (const [text, amountPaisa, feePaisa] of charged) {
  test(`${text} on ${amountPaisa} paisa is ${feePaisa} paisa, a part of a paisa rounded up`, (t) => {
    const read = parseFee(text);
    t.true(read.ok);
    if (read.ok) t.is(feeOn({ [read.channel]: read.fee }, 'mfs_a', amountPaisa), feePaisa);
  });
}

test('the share is never less than due, and never a whole paisa more', (t) => {
  fc.assert(
    fc.property(fees, amounts, (fee, amountPaisa) => {
      const charge = feeOn({ mfs_a: fee }, 'mfs_a', amountPaisa);
      const exact = BigInt(amountPaisa) * BigInt(fee.basisPoints);
      const over = BigInt(charge - fee.fixedPaisa) * 10_000n - exact;
      t.true(Number.isSafeInteger(charge) && over >= 0n && over < 10_000n);
    }),
  );
});

const wholeFees = fees.map((fee): Fee => ({ ...fee, isWhole: true }));

test('with +whole amount and fee are whole taka, less than one taka above what is due exactly', (t) => {
  fc.assert(
    fc.property(fees, amounts, (fee, amountPaisa) => {
      const exact = feeOn({ mfs_a: fee }, 'mfs_a', amountPaisa);
      const whole = feeOn({ mfs_a: { ...fee, isWhole: true } }, 'mfs_a', amountPaisa);
      t.true(Number.isSafeInteger(whole) && whole >= exact && whole - exact < 100);
      t.is((amountPaisa + whole) % 100, 0);
    }),
  );
});

test('with +whole who buys for more never pays less', (t) => {
  fc.assert(
    fc.property(wholeFees, amounts, amounts, (fee, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      t.true(less + feeOn({ bank: fee }, 'bank', less) <= more + feeOn({ bank: fee }, 'bank', more));
    }),
  );
});

test('a higher amount is never charged a lower fee', (t) => {
  fc.assert(
    fc.property(fees, amounts, amounts, (fee, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      t.true(feeOn({ bank: fee }, 'bank', less) <= feeOn({ bank: fee }, 'bank', more));
    }),
  );
});

test('a channel without a fee and one that is unknown cost nothing', (t) => {
  const read = parseFees('{"mfs_a":{"fixedPaisa":500,"basisPoints":0}}');
  t.deepEqual(
    [feeOn(read, 'mfs_a', 100), feeOn(read, 'mfs_b', 100), feeOn(read, 'toString' as 'bank', 100)],
    [500, 0, 0],
  );
  t.is(feeOn(parseFees(null), 'mfs_a', 100), 0);
});

test('a written fee is read back as the same fee', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...PAY_CHANNELS), fc.oneof(fees, wholeFees), (channel, fee) => {
      t.deepEqual(parseFee(`${channel}=${feeText(fee)}`), { ok: true, channel, fee });
    }),
  );
});

const wrong = [
  ...[
    '',
    'mfs_a',
    'mfs_a=',
    'mfs_a=x',
    'mfs_a=-1',
    'mfs_a=1e3',
    'mfs_a=1,000',
    'mfs_a=1.005',
    'mfs_a=1.855%',
  ],
  ...[
    'mfs_a=%',
    'mfs_a=5+',
    'mfs_a=+5%',
    'mfs_a=5%+5',
    'mfs_a=5+5',
    'mfs_a=+whole',
    'mfs_a=5whole',
    'mfs_a=5+whole+1%',
    'bkash=5',
    'MFS_A=5',
    '=5',
    'mfs_a=5%%',
  ],
  ...['mfs_a=100000.01', 'mfs_a=50.01%', 'mfs_a=99%', 'mfs_a=১', '__proto__=5', 'mfs_a=999999999999999999'],
];
test('rejects invalid and excessive fees with a reason', (t) => {
  for (const text of wrong) {
    const read = parseFee(text);
    t.false(read.ok, text);
    if (!read.ok) t.regex(read.fault, /is not a fee|is unknown|at most/, text);
  }
  t.true(parseFee('mfs_a=100000+50%').ok);
});
