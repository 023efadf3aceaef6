/**
 * Texts of a wallet that take a transaction back. How wallets write them is not public, so each row is a
 * wording that they might use: it is never money by itself, it says what it is, and its ids can be had.
 */
import test from 'ava';
import fc from 'fast-check';
import { extractIds, idsTakenBack } from '../../../src/channels/mfs/index.js';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, UPAY, upay } from '../../helpers/shop/sms.js';
import { readCollection } from '../../helpers/shop/sms-collection.js';

const STAMP = 'Balance Tk 0.00. TrxID DHD7KQ2P0Z at 13/08/2026 16:02';
const A = 'DHD7KQ2P0Z';

type Row = readonly [sender: string, body: string, id: string];

const takenBack: readonly Row[] = [
  [BKASH, `Tk 660.00 received from 01711000001 has been reversed. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 has been returned to the sender. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 has been sent back. ${STAMP}`, A],
  [BKASH, `You have received Tk 660.00 from 01711000001 was cancelled. ${STAMP}`, A],
  [BKASH, `Cash In Tk 660.00 from 01711000001 has failed. ${STAMP}`, A],
  [BKASH, `Payment Tk 660.00 TrxID ${A} is reversed`, A],
  [BKASH, `Payment ${A} of Tk 660.00 has been reversed`, A],
  [BKASH, `Tk 660.00 returned to your account. TrxID ${A} at 13/08/2026 16:02`, A],
  [BKASH, `Your transaction with Transaction ID: ${A} has been cancelled.`, A],
  [BKASH, `Your transaction (Trx ID: ${A}) was rejected.`, A],
  [BKASH, `Transaction No. ${A} has been refunded.`, A],
  [BKASH, `Dear customer, TxnId ${A} failed`, A],
  [BKASH, `আপনার প্রাপ্ত Tk ৬৬০.০০ ফেরত নেও\u09af\u09bcা হ\u09af\u09bcেছে। TrxID ${A}`, A],
  [BKASH, `লেনদেন আইডি ${A} বাতিল করা হ\u09af\u09bcেছে।`, A],
  [BKASH, `01711000001 থেকে Tk 660.00 পে\u09af\u09bcেছেন তা রিভার্স করা হ\u09af\u09bcেছে। TrxID ${A}`, A],
  [BKASH, `Apnar Tk 660.00 ferot newa hoyeche. TrxID ${A}`, A],
  [BKASH, `Tk 660.00 has been deducted from your account against a wrong transaction. ${STAMP}`, A],
  [BKASH, `Your account has been debited Tk 660.00. ${STAMP}`, A],
  [BKASH, `আপনার অ্যাকাউন্ট থেকে ৬৬০.০০ টাকা কেটে নেওয়া হয়েছে। TrxID ${A}`, A],
  [BKASH, `Tk 660.00 kete newa hoyeche. TrxID ${A}`, A],
  [BKASH, `TrxID ${A} is on hold. Do not use Tk 660.00 until further notice.`, A],
  [BKASH, `Tk 660.00 received from 01711000001 is held. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 has been frozen. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 is withheld. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 has been blocked. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 was recalled. ${STAMP}`, A],
  [BKASH, `Tk 660.00 received from 01711000001 is under investigation. ${STAMP}`, A],
  [BKASH, `Tk 660.00 credited by mistake has been recovered. ${STAMP}`, A],
  [BKASH, `আপনার Tk 660.00 স্থগিত করা হয়েছে। TrxID ${A}`, A],
  [
    NAGAD,
    'Transaction Reversed.\nAmount: Tk 500.00\nTxnID: 75YC5QRL\nBalance: Tk 345.00\n26/06/2026 17:04',
    '75YC5QRL',
  ],
  [NAGAD, nagad({ opening: 'Money Returned.' }), '75KQXJ52'],
  [NAGAD, 'Your transaction 75KQXJ52 has been cancelled.', '75KQXJ52'],
  [
    ROCKET,
    'Tk900.00 received from A/C:***435 has been reversed. Your A/C Balance: Tk220.00 TxnId:6740589609 Date:15-JUL-26 10:16:08 am.',
    '6740589609',
  ],
  [ROCKET, 'Your transaction 6740589609 of Tk900.00 has been cancelled.', '6740589609'],
  [
    UPAY,
    'Tk. 500.00 received from 01711000001 has been sent back. Balance Tk. 900.00. TrxID 01KM0XJNEG at 18/03/2026 22:48.',
    '01KM0XJNEG',
  ],
];

for (const [sender, body, id] of takenBack) {
  test(`${JSON.stringify(body.slice(0, 120))} takes ${id} back`, (t) => {
    const reading = read(sender, body);
    t.is(reading.settle, 'never');
    t.false(reading.credit && reading.kind !== 'refund');
    t.is(reading.trxId, id);
    t.true(reading.reasons.includes('transaction_reversed'));
    t.deepEqual(idsTakenBack(reading, body), [id]);
  });
}

for (const tail of [
  'This transaction has been reversed.',
  `TrxID ${A} has been reversed.`,
  'Tk 50.00 has been returned to the sender',
  'বাতিল',
]) {
  test(`"${tail}" behind a message of money received takes it back`, (t) => {
    const body = bkash({ tail: `. ${tail}` });
    const reading = read(BKASH, body);
    t.is(reading.settle, 'review');
    t.is(reading.trxId, A);
    t.true(reading.reasons.includes('transaction_reversed'));
    t.deepEqual(idsTakenBack(reading, body), [A]);
  });
}

test('a message followed by words of reversal never settles automatically, whatever the offer', (t) => {
  const words = ['reversed', 'returned', 'refunded', 'cancelled', 'failed', 'rolled back', 'sent back'];
  const tails = [...words, 'not successful', 'not completed', 'voided', 'ferot'].flatMap((word) => [
    `. Get 10% cashback. ${word}. TCA`,
    `. Thank you, ${word}`,
    `. Get app if ${word}`,
    ` ${word}`,
  ]);
  const texts = readCollection('sms-corpus').ours.filter(({ settle }) => settle === 'auto');
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.constantFrom(...tails), ({ sender, body }, tail) => {
      return read(sender, body + tail).settle !== 'auto';
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('received money with an unusual outcome needs manual review', (t) => {
  for (const became of ['has been grabbed', 'was moved to suspense', 'will be collected', 'is not there']) {
    const body = `Tk 660.00 received from 01711000001 ${became}. ${STAMP}`;
    const reading = read(BKASH, body);
    t.is(reading.settle, 'review', body);
    t.deepEqual(idsTakenBack(reading, body), [A], body);
  }
  for (const came of ['is successful', 'has been credited', 'has been added to your account']) {
    const body = `Tk 660.00 received from 01711000001 ${came}. ${STAMP}`;
    t.deepEqual(idsTakenBack(read(BKASH, body), body), [], body);
  }
});

test('a text that says of a transaction what nobody knows keeps its id, a torn message does not', (t) => {
  for (const body of [
    `TrxID ${A} is being looked into.`,
    `Tk 660.00 moved to suspense. ${STAMP}`,
    `Your account will be short of Tk 660.00. ${STAMP}`,
  ]) {
    t.like(read(BKASH, body), { kind: 'unknown', settle: 'never', trxId: A }, body);
  }
  const whole = bkash({ ref: ' Ref rent.' });
  const torn = [
    ...['ceived Tk', '50.00 from', 'from 01711', 'Fee Tk', '0.00. Balance', 'Balance Tk', 'TrxID'].map(
      (begin) => [BKASH, whole.slice(whole.indexOf(begin))] as const,
    ),
    [BKASH, `${STAMP}. Download App: https://bKa.sh/8app`] as const,
    [NAGAD, nagad({}).slice(nagad({}).indexOf('TxnID'))] as const,
    [ROCKET, 'A/C Balance: Tk30,828.29 TxnId:6794927502 Date:31-JUL-26 04:50:30 pm.'] as const,
    [UPAY, upay({}).slice(upay({}).indexOf('Balance'))] as const,
  ];
  for (const [sender, body] of torn) {
    t.like(read(sender, body), { kind: 'unknown', settle: 'never', trxId: null }, body);
  }
});

test('a message of the payer never reverses a transaction', (t) => {
  const victim = 'DHL60302ZX';
  for (const field of ['with message "', 'Message: ', 'Note: ', 'Remarks: ']) {
    for (const typed of [`TrxID ${victim} is on hold`, `${victim} deducted`, 'blocked, reversed']) {
      const body = bkash({ ref: ` ${field}${typed}".` });
      const reading = read(BKASH, body);
      t.false(reading.reasons.includes('transaction_reversed'), body);
      t.deepEqual(idsTakenBack(reading, body), [], body);
    }
  }
});

test('an id that only the payer has written is not kept of words that nobody knows', (t) => {
  for (const field of ['Message: ', 'with message "', 'Ref ']) {
    const body = `Greetings 5 of 01711000001. ${field}TrxID DHL60302ZX is mine`;
    t.like(read(BKASH, body), { settle: 'never', trxId: null }, body);
  }
  const body = `Tk 5.00 moved to suspense. Ref rent. ${STAMP}`;
  t.like(read(BKASH, body), { kind: 'unknown', settle: 'never', trxId: A });
});

test('a reversal with an id of its own names both', (t) => {
  const body = `Reversal of TrxID ${A} is successful. TrxID DHE7KQ2P1A at 14/08/2026 16:02`;
  t.deepEqual(idsTakenBack(read(BKASH, body), body), [A, 'DHE7KQ2P1A']);
});

/** None of them says that a transaction was taken back, or none that anybody could name. */
const others: readonly (readonly [sender: string, body: string])[] = [
  [BKASH, bkash({})],
  [BKASH, bkash({ ref: ' Ref has been reversed.' })],
  [
    BKASH,
    'Mobile Recharge request has failed. Tk 11.00 returned to your bKash Account. Balance Tk 539.77. TrxID 7I465WWXDW at 04/09/2020 22:53',
  ],
  [
    BKASH,
    'Reserved amount Tk 385.47 for Example Ride Ltd has been released. Balance Tk 891.99. TrxID AHA9Z8YZ0B at 10/08/2023 17:37',
  ],
  [
    BKASH,
    'Your Recharge request of Tk 22.00 for 01511000045 was unsuccessful. TrxID DIM58TIKWW at 22/09/2026 20:38.',
  ],
  [NAGAD, 'Refund from Example BD\nAmount: Tk 239\nTrnxID: 72E5GUHG\nBalance:TK 282.62\n04/01/2024 18:16'],
  [BKASH, 'Your transaction of Tk 500.00 to 01711000095 has failed due to insufficient balance.'],
  ['+8801711000000', `Tk 660.00 received from 01711000001 has been reversed. ${STAMP}`],
];

for (const [sender, body] of others) {
  test(`${JSON.stringify(body.slice(0, 120))} of ${sender} takes nothing back`, (t) => {
    const reading = read(sender, body);
    t.false(reading.reasons.includes('transaction_reversed'));
    t.deepEqual(idsTakenBack(reading, body), []);
  });
}

test('a payer who types the id of another into the reference takes nothing of theirs back', (t) => {
  const victim = 'DHL60302ZX';
  for (const ref of [
    `TrxID ${victim} has been reversed`,
    `${victim} reversed`,
    `x. TrxID ${victim} failed`,
  ]) {
    const texts: readonly (readonly [string, string])[] = [
      [BKASH, bkash({ ref: ` Ref ${ref}.` })],
      [BKASH, bkash({ ref: ` Ref ${ref}.` }).replace('received', 'got')],
      [BKASH, bkash({ ref: `\nReference: ${ref}`, tail: ' Reversed' })],
      [BKASH, bkash({ ref: ` Ref ${ref}.` }).replace('received', 'received and returned')],
      [UPAY, upay({ ref: ` Ref-${ref}.` })],
    ];
    for (const [sender, body] of texts) {
      t.false(idsTakenBack(read(sender, body), body).includes(victim), body);
    }
  }
});

test('an id is found behind any label, and without one in the shape of its wallet', (t) => {
  const labels = ['TrxID', 'TrxID:', 'Trx ID:', 'Trx. ID', 'TxnId', 'TxnID:', 'TxID', 'TrnxID:', 'trxid'];
  const more = ['Transaction ID', 'Transaction ID:', 'Transaction No:', 'Transaction Number', 'Trans ID #'];
  for (const label of [...labels, ...more, 'ট্রানজেকশন আইডি:', 'লেনদেন নম্বর']) {
    t.deepEqual(extractIds(`Your ${label} ${A} is known.`, 'mfs_a'), [A], label);
  }
  t.deepEqual(extractIds(`Payment ${A} of Tk 5.00 from 01711000001`, 'mfs_a'), [A]);
  t.deepEqual(extractIds('Payment 75KQXJ52 at 07/02/2026', 'mfs_b'), ['75KQXJ52']);
  t.deepEqual(extractIds('Payment 6740589609 by 01711000001 or 1711000001', 'mfs_c'), ['6740589609']);
  t.deepEqual(extractIds('Meter 71234567 at 01KM0XJNEG', 'mfs_b'), []);
  t.deepEqual(extractIds('Payment 01KM0XJNEG from 01711000001', 'mfs_d'), ['01KM0XJNEG']);
  t.deepEqual(extractIds('Your payment was successful', 'mfs_a'), []);
});
