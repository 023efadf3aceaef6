/** Money that was sent to a customer: whose number is read, and which doubts its text raises. */
import test from 'ava';
import { BKASH, NAGAD, ROCKET, read, UPAY } from '../../helpers/shop/sms.js';

const AT = '2026-03-02T15:14:30+06:00';
const SEND =
  'Send Money Tk 510.00 to 01911000046 successful. Ref rent. Fee Tk 5.00. Balance Tk 8.00. TrxID DC24TLV5JX at 02/03/2026 15:14';

test('a text of the wallet about money that was sent is not suspicious, whatever is left of the balance', (t) => {
  const { settle, reasons, payee, amountPaisa, feePaisa } = read(BKASH, SEND, AT);
  t.deepEqual({ settle, reasons }, { settle: 'never', reasons: ['kind_never_settles'] });
  t.deepEqual({ payee, amountPaisa, feePaisa }, { payee: '01911000046', amountPaisa: 51_000, feePaisa: 500 });
});

const doubtful: readonly [text: string, reason: string, sender?: string][] = [
  [SEND, 'sender_weak', '16247'],
  [SEND.replace('15:14', '15:40'), 'date_after_delivery'],
  [SEND.replace('02/03', '31/02'), 'date_impossible'],
  [SEND.replace('02/03', '03/02'), 'id_date'],
  [SEND.replace('DC24TLV5JX', 'DC24TLV5J'), 'id_shape'],
  [SEND.replace('510.00', '.50'), 'amount_ambiguous'],
  [SEND.replace('510.00', '0.00'), 'amount_zero'],
  [SEND.replace('Fee Tk 5.00', 'Fee Tk .50'), 'fee_unreadable'],
  [SEND.replace('rent', 'Balance Tk 9.00. TrxID DC24TLV5JY'), 'reference_like_message'],
  [`${SEND}. Send it again to 01711000082`, 'tail_unknown'],
  [SEND.replace('510', '5\u200b10'), 'characters_hidden'],
  [SEND.replace('510', '\u09eb10'), 'characters_foreign'],
];

for (const [text, reason, sender = BKASH] of doubtful) {
  test(`a text about money that was sent may be forged: ${reason}`, (t) => {
    const { payee, settle, reasons } = read(sender, text, AT);
    t.is(payee, '01911000046');
    t.is(settle, 'never');
    t.true(reasons.includes(reason as (typeof reasons)[number]), reasons.join(', '));
  });
}

test('a cash-out, a recharge, a bill and a payment to a shop have no receiver that is a customer', (t) => {
  const END = 'Fee Tk 5.00. Balance Tk 8.00. TrxID DC24TLV5JX at 02/03/2026 15:14';
  const texts: readonly [string, string][] = [
    [BKASH, `Cash Out Tk 500.00 to 01511000051 successful. ${END}`],
    [BKASH, `Payment Tk 500.00 to 01511000051 successful. ${END}`],
    [BKASH, `B2B Transfer Tk 500.00 to 01511000051 successful. ${END}`],
    [BKASH, `Received Recharge request of Tk 500.00 for 01511000051. ${END}`],
    [BKASH, `bKash to Bank Tk 500.00 to 01511000051 successful. ${END}`],
    [BKASH, `Sorry, your Send Money request to 01511000051 is unsuccessful! Tk 30 has been returned.`],
    [BKASH, 'You have sent Tk 500.00 to 01511000051. TrxID DC24TLV5JX'],
    [
      NAGAD,
      'Cash Out Successful. Amount: Tk 494.00 Uddokta: 01511000089 TxnID: 751F7BMQ Balance: Tk 10.85 18/06/2026 14:25',
    ],
    [
      ROCKET,
      'Cash-Out to A/C:***827Tk900.00Fee:Tk15.00 Your A/C Balance: Tk220.00.TxnId:5808201311Date:27-SEP-25 05:59:38 pm.',
    ],
    [
      UPAY,
      'Cash-out of Tk. 1000.00 to 01311000109 is successful. Balance Tk. 8683.18. TrxID 01JYJGKD5T at 25/06/2025 09:02.',
    ],
    ['01711000082', SEND],
  ];
  for (const [sender, text] of texts) t.is(read(sender, text).payee, null, text);
});
