/** What of a payer's words names a payment, and where a payer can write some. */
import test from 'ava';
import { newPaymentReference, PAYMENT_REFERENCE, systemRandom } from '../../../src/base/values/ids.js';
import { payerFields } from '../../../src/domain/accounts/channels.js';
import { couldName, extractPaymentReferences } from '../../../src/domain/matching/reference.js';

const CASES: readonly (readonly [text: string, named: readonly string[]])[] = [
  ['K7M4P', ['K7M4P']],
  ['k7m4p', ['K7M4P']],
  ['K৭M৪P', ['K7M4P']],
  ['invoice K7M4P, thanks', ['K7M4P']],
  ['K7M4P/H2N3R K7M4P', ['K7M4P', 'H2N3R']],
  ['K7M4PX', ['K7M4PX']],
  ['K7M4P7X', []],
  ['K7M4', []],
  ['K7M4Pক', []],
  ['কK7M4P', []],
  // Words and numbers that people write.
  ['MRNTK', []],
  ['34567', []],
  ['RAHIM', []],
  ['১২৩৪৫', []],
  ['', []],
  ['K7M4P H2N3R C3P4X T5R6N', []],
];

for (const [text, named] of CASES) {
  test(`"${text}" names ${named.join(' and ') || 'nothing'}`, (t) => {
    t.deepEqual(extractPaymentReferences(text), named);
  });
}

test('a new reference is one that is found again, and no two of its signs look alike', (t) => {
  for (let n = 0; n < 2_000; n += 1) {
    const reference = newPaymentReference(systemRandom, n % 2 === 0 ? 5 : 6);
    t.deepEqual(extractPaymentReferences(`for ${reference.toLowerCase()}!`), [reference]);
    t.regex(reference, PAYMENT_REFERENCE);
    t.notRegex(reference, /[01OILDQSZGBUVAE]/);
  }
});

test('money that moved well before a payment was opened does not name it', (t) => {
  t.true(couldName(1_000_000, 1_000_000));
  t.true(couldName(1_000_000 - 180_000, 1_000_000));
  t.false(couldName(1_000_000 - 180_001, 1_000_000));
});

test('payers write a reference where the SMS of the wallet repeats it', (t) => {
  t.deepEqual(payerFields('mfs_a', 'personal'), { reference: true, counter: false });
  t.deepEqual(payerFields('mfs_a', 'payment'), { reference: true, counter: true });
  t.deepEqual(payerFields('mfs_a', 'agent'), { reference: false, counter: false });
  t.deepEqual(payerFields('mfs_b', 'personal'), { reference: true, counter: false });
  t.deepEqual(payerFields('mfs_b', 'payment'), { reference: false, counter: false });
  t.deepEqual(payerFields('mfs_c', 'personal'), { reference: false, counter: false });
  t.deepEqual(payerFields('mfs_d', 'personal'), { reference: true, counter: false });
});
