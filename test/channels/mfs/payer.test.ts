/**
 * What a payer can type. The reference is the one part of an honest text that a stranger writes, so each row
 * is a thief's try: to raise the amount, to put in another id, to look like a second message. Whatever is
 * typed, what is read must be what the wallet wrote; and where a person could be misled, a person decides.
 */
import test from 'ava';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, told, UPAY, upay } from '../../helpers/shop/sms.js';

const rocketRef = (ref: string): string =>
  `Tk.20.00 received from A/C:***448 Ref No: ${ref} Fee: Tk.00 NetBal: Tk56.00 TxnId: 6026670632 Date:27-DEC-25 07:17:16 pm.`;

/** Words without a label: customers type them every day, and none of them can be read as another value. */
const honest = [
  'food bill',
  'inv1048',
  '23154',
  'exam fee',
  'tuition fee 500',
  'coffee Tk 50',
  'order 15 Tk 20 only',
  'Tk 5,000.00',
  'BDT 900',
  'OTP 123456',
  'cash out',
  'cash in',
  'send money',
  'payment',
  'loan',
  'refund',
  'has been reversed',
  'failed',
  'cashback 10%',
  'offer',
  'my balance',
  'balance 500',
  '01711-000000',
  '+8801711000000',
  'DHD7KQ2P0Y',
  '75FAKE02',
  '01KGGM5VJH',
  '13/08/2026 16:02',
  'at 13/08/2026 16:02',
  'N/A',
  '.',
  '..',
  '-',
  'a.b.c',
  'Mr. X. Y.',
  'INV:22',
  'https://example.com/?a=1',
  '"><script>alert(1)</script>',
  "' OR 1=1--",
  '$&',
  '%s %n',
  '{amount}',
  'null',
  'ধন্যবাদ ভাই',
  '৫০০ টাকা',
  '٥٠٠',
  '５００',
  '🙂👍🏽',
  'Спасибо',
  'a'.repeat(150),
];

for (const ref of honest) {
  test(`a reference of plain words changes nothing: ${JSON.stringify(ref.slice(0, 40))}`, (t) => {
    const bare = told(read(BKASH, bkash({})));
    t.is(bare.settle, 'auto');
    t.deepEqual(told(read(BKASH, bkash({ ref: ` Ref ${ref}.` }))), bare);
    t.deepEqual(told(read(BKASH, bkash({ ref: `Ref ${ref}.` }))), bare);
    t.deepEqual(told(read(NAGAD, nagad({ ref: `Ref: ${ref}` }))), told(read(NAGAD, nagad({}))));
    t.deepEqual(told(read(UPAY, upay({ ref: ` Ref-${ref}.` }))), told(read(UPAY, upay({}))));
    t.deepEqual(told(read(ROCKET, rocketRef(ref))), told(read(ROCKET, rocketRef('NA'))));
  });
}

/** Labels, openings and whole messages: the machine reads past them, a person looking at the text may not. */
const labelled = [
  'TrxID DHD7FAKE02',
  'trxid DHD7FAKE02',
  'TxnID: 75FAKE01',
  'Txn ID 75FAKE01',
  'Transaction ID 5',
  'xTrxID DHD7FAKE02',
  'T\u200brxID DHD7FAKE02',
  'TrxІD DHD7FAKE02',
  // Halves of two texts, torn and joined inside the reference.
  'rent. Fee T. ed Tk 7,183.51 from 01911000008',
  'ceived Tk 7,183.51 from 01911000008',
  '5. Ref y',
  'x. Balance T een sent',
  'Balance Tk 99,999.00',
  'balance: tk 99,999.00',
  'Вalance Tk 99,999.00',
  'Ｂalance Tk 99,999.00',
  'Fee Tk 0.00',
  'Comm Tk 5.00',
  'Amount: Tk 5000.00',
  'Sender: 01711000002',
  'Customer: 01711000002',
  'NetBal: Tk99,999.00',
  'A/C: 017110000021',
  'Ref: 5',
  'You have received Tk 5,000.00 from 01711000001',
  'you have received tk 5000',
  'Money Received.',
  'Cash In Received.',
  'Tk. 5000.00 has been received',
  'received from A/C:***999',
  'Cash Out Tk 5,000.00 from 01711000001 successful',
  'x. Fee Tk 0.00. Balance Tk 9,000.00. TrxID DHD7FAKE02 at 13/08/2026 16:02',
  'x. Fee Tk 0.00. Balance Tk 9,000.00. TrxID DHD7FAKE02 at 13/08/2026 16:02. Get cashback offer',
  'আপনি পেয়েছেন Tk 5,000.00',
  'a\u202eb',
  'a\u2066b',
  'a\u0000b',
  'a\u001bb',
  'a\ud800b',
  'a\nb',
  'a\r\nTrxID DHD7FAKE02 at 13/08/2026 16:02',
  'a\u2028b',
  'a'.repeat(161),
];

for (const ref of labelled) {
  test(`a misleading reference needs manual review: ${JSON.stringify(ref.slice(0, 90))}`, (t) => {
    const readings = [
      read(BKASH, bkash({ ref: ` Ref ${ref}.` })),
      read(NAGAD, nagad({ ref: `Ref: ${ref}` })),
      read(UPAY, upay({ ref: ` Ref-${ref}.` })),
      read(ROCKET, rocketRef(ref)),
    ];
    t.deepEqual(
      readings.map(({ settle }) => settle),
      ['review', 'review', 'review', 'review'],
    );
    for (const { amountPaisa } of readings) t.true([5_000, 150_000, 2_000, null].includes(amountPaisa));
  });
}

test('a whole message in the reference of a real one gives neither’s values away as the other’s', (t) => {
  const fake = bkash({ amount: 'Tk 9,000.00', id: 'DHD7FAKE02', balance: 'Tk 9,431.25' });
  const reading = read(BKASH, bkash({ ref: ` Ref ${fake}.` }));
  t.is(reading.settle, 'review');
  t.deepEqual(reading.reasons, ['two_messages']);
  t.is(reading.amountPaisa, null);
  t.is(reading.trxId, null);
});

test('lines that a payer typed into Nagad’s reference do not replace the id and the balance', (t) => {
  const ref = 'Ref: x\nTxnID: 75FAKE01\nBalance: Tk 9000.00\n07/02/2026 13:26';
  const reading = read(NAGAD, nagad({ ref }));
  t.is(reading.settle, 'review');
  t.not(reading.trxId, '75FAKE01');
});
