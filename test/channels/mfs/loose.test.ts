/** Texts that no format consumes: which of them a person must see, and what they are called. */
import test from 'ava';
import { BKASH, NAGAD, ROCKET, read, told, UPAY } from '../../helpers/shop/sms.js';

const STAMP = 'Fee Tk 0.00. Balance Tk 8,431.25. TrxID DHD7KQ2P0Z at 13/08/2026 16:02';

const rows: readonly (readonly [
  sender: string,
  body: string,
  settle: string,
  kind: string,
  amount: string | null,
])[] = [
  [
    BKASH,
    `You have successfully received Tk 500.00 from 01911000001. ${STAMP}`,
    'review',
    'received',
    '500.00',
  ],
  [BKASH, `Tk 500.00 received from 01911000001. ${STAMP}`, 'review', 'received', '500.00'],
  [
    BKASH,
    `You have received payment Tk 500.00 from Example Shop. ${STAMP}`,
    'review',
    'payment_received',
    '500.00',
  ],
  [BKASH, `You will receive Tk 500.00 from 01911000001. ${STAMP}`, 'never', 'unknown', null],
  [
    BKASH,
    `You have received a payment request of Tk 500.00 from 01911000001. ${STAMP}`,
    'never',
    'pending',
    '500.00',
  ],
  [
    BKASH,
    `Your payment of Tk 500.00 has been received by Example Shop. ${STAMP}`,
    'never',
    'outgoing',
    '500.00',
  ],
  [BKASH, `Reversal: Tk 500.00 deducted from your account. ${STAMP}`, 'never', 'outgoing', '500.00'],
  [
    BKASH,
    `bKash to Bank Tk 500.00 to City Bank A/C 123 is successful. ${STAMP}`,
    'never',
    'outgoing',
    '500.00',
  ],
  [
    BKASH,
    'Sorry, your Send Money request to 01711000001 is unsuccessful! Tk 30 has been returned. Balance Tk 5.00. TrxID DHD7KQ2P0Z at 13/08/2026 16:02',
    'never',
    'failed',
    '30.00',
  ],
  [BKASH, 'You received BDT 20 Mobile Recharge discount coupon! Use by 30/09. TCA', 'never', 'promo', null],
  [BKASH, 'Your bKash OTP for PAYMENT of Tk.750.00 to X is 100200. Expires in 2 min.', 'never', 'otp', null],
  [
    BKASH,
    'ক্যাশ ইন Tk ২,০০০.০০ ০১৬১১০০০১৫০ থেকে সফল। ফি Tk ০.০০। ব্যালেন্স Tk ১৫,৪৫০.০০। TrxID DHD7KQ2P0Z সময় ১৩/০৮/২০২৬ ১৬:০২',
    'review',
    'cash_in',
    '2000.00',
  ],
  [
    BKASH,
    'সেন্ড মানি Tk ২,০০০.০০ টু ০১৬১১০০০১৫০। ফি Tk ০.০০। TrxID DHD7KQ2P0Z সময় ১৩/০৮/২০২৬ ১৬:০২',
    'never',
    'outgoing',
    '2000.00',
  ],
  [
    NAGAD,
    'Salary Received.\nAmount: Tk 50.00\nTxnID: 75KQXJ52\nBalance: Tk 500.00',
    'review',
    'received',
    '50.00',
  ],
  [
    NAGAD,
    'Refund Received.\nAmount: Tk 50.00\nTxnID: 75KQXJ52\nBalance: Tk 500.00',
    'never',
    'refund',
    '50.00',
  ],
  [NAGAD, 'You have received BDT 25 for Nagad Registration. TxnID: 75KQXJ52', 'never', 'bonus', '25.00'],
  [
    NAGAD,
    'Payment - Bangla QR Successfully Received.\nAmount: Tk 1.00\nTxn ID: 0001U700',
    'review',
    'payment_received',
    '1.00',
  ],
  [
    ROCKET,
    'Tk50.00 received from City Bank A/C ***158 through NPSB. Fee: Tk .00. Your A/C Balance: Tk 53.86. TxnID:6806132101 at 03-AUG-26 11:00:07 pm.',
    'review',
    'add_money',
    '50.00',
  ],
  [UPAY, 'You have received Tk. 320.00 from 01511000077. TrxID: 01KNAP1ANH', 'review', 'received', '320.00'],
  [
    UPAY,
    // A whole bKash text, but for the id: that is Upay's own.
    'You have received Tk. 320.00 from 01511000077. Fee Tk. 0.00. Balance Tk. 900.00. TrxID 01KNAP1ANH at 04/04/2026 10:00',
    'review',
    'received',
    '320.00',
  ],
  [
    BKASH,
    `You have received Tk 500.00 from 01911000001 was reversed. ${STAMP}`,
    'never',
    'outgoing',
    '500.00',
  ],
  [
    BKASH,
    `You have received Tk 500.00 from 01911000001. ${STAMP.replace('DHD7KQ2P0Z', 'DHD7****0Z')}`,
    'review',
    'received',
    '500.00',
  ],
  [
    BKASH,
    `You have received Tk 500.00 from 01911000001. ${STAMP.replace('DHD7KQ2P0Z', 'DHD7XXXX0Z')}`,
    'review',
    'received',
    '500.00',
  ],
  [BKASH, `You have received Tk 5OO.00 from 01911000001. ${STAMP}`, 'never', 'unknown', null],
  [BKASH, `Have you received Tk 500.00 from 01911000001? ${STAMP}`, 'never', 'notice', '500.00'],
  [BKASH, `আপনি ৫০০.০০ টাকা পেয়েছেন ০১৯১১০০০০০১ থেকে। ${STAMP}`, 'review', 'received', '500.00'],
  [
    ROCKET,
    'Tk500.00 received from Merchant Example Fee:Tk0, Your A/C Balance: Tk900.00 TxnId:6789012345 Date:14-JUL-26 04:50:30 pm. Download https://bit.ly/nexuspay',
    'review',
    'received',
    '500.00',
  ],
];

/** Of an unseen shape, and nothing in it says for certain that money went out: the balance may have risen. */
const unclear: readonly (readonly [sender: string, body: string])[] = [
  [BKASH, 'Shop bill Tk 900.00 paid by 01711000001. Balance Tk 950.00. TrxID DHL60302ZX at 21/08/2026 12:35'],
  [
    BKASH,
    'Shop bill paid by 01711000001: Tk 900.00. Balance Tk 950.00. TrxID DHL60302ZX at 21/08/2026 12:35',
  ],
  [BKASH, `Tk 900.00 has been sent to you by 01711000001. ${STAMP}`],
  [BKASH, `Tk 900.00 transferred to your bKash account. ${STAMP}`],
  [BKASH, `Payment Tk 900.00 from 01711000001 successful. ${STAMP}`],
  [BKASH, `Send Money Tk 900.00 from 01711000001 successful. ${STAMP}`],
  [BKASH, `01711000001 আপনাকে Tk 900.00 পাঠি\u09af\u09bcেছেন। ${STAMP}`],
  [
    NAGAD,
    'Bill Paid.\nAmount: Tk 900.00\nCustomer: 01711000001\nTxnID: 75KQXJ52\nBalance: Tk 950.00\n07/02/2026 13:26',
  ],
  [ROCKET, 'Tk900.00 paid by A/C:***268. NetBal: Tk950.00 TxnId:6789012345 Date:14-JUL-26 04:50:30 pm.'],
  [
    UPAY,
    'Tk. 900.00 transferred from 01711000001. Balance Tk. 950.00. TrxID 01KM0XJNEG at 18/03/2026 22:48.',
  ],
];

for (const [sender, body] of unclear) {
  test(`${JSON.stringify(body.slice(0, 140))} is not called money that went out`, (t) => {
    const reading = told(read(sender, body));
    t.like(reading, { settle: 'review', kind: 'unknown', credit: false, amount: '900.00' });
    t.not(reading.trx_id, null);
  });
}

test('without a payer and without a receiver nobody knows where money went', (t) => {
  for (const body of ['Shop bill Tk 900.00 paid.', 'Tk 900.00 paid at Example Shop.']) {
    t.like(told(read(BKASH, `${body} ${STAMP}`)), { settle: 'never', kind: 'unknown' });
  }
});

for (const [sender, body, settle, kind, amount] of rows) {
  test(`${JSON.stringify(body.slice(0, 140))} is ${settle} ${kind}`, (t) => {
    t.like(told(read(sender, body)), { settle, kind, amount });
  });
}

test('of two ids in one text neither is taken', (t) => {
  const reading = read(BKASH, `Received Tk 5.00 from X. TrxID DHD7KQ2P0Z. TrxID DHD7KQ2P1Z`);
  t.is(reading.settle, 'review');
  t.is(reading.trxId, null);
});

test('an offer with an id that is followed by a message needs manual review', (t) => {
  const reading = read(
    BKASH,
    `Your bKash Mobile Recharge request of Tk 5.00 for X was successful. You have received Tk 500.00 from 01911000001. ${STAMP}`,
  );
  t.is(reading.settle, 'review');
  t.is(reading.amountPaisa, null);
});

const FROM_PAYER = 'Tk 1,240.00 from 01733445566';

/** Money of a payer's number, and a word beside it that stands in offers, requests and gifts as well. */
const beside: readonly (readonly [sender: string, body: string])[] = [
  ...[
    `You have received payment ${FROM_PAYER}. Discount Tk 60.00.`,
    `You have received payment ${FROM_PAYER}. Coupon Tk 60.00.`,
    `You have received payment ${FROM_PAYER}. Cashback Tk 60.00.`,
    `You have received ${FROM_PAYER} for your money request.`,
    `You have received ${FROM_PAYER} against payment request 5512.`,
    `You have received ${FROM_PAYER} (Eid gift).`,
    `You have received ${FROM_PAYER} as a gift.`,
    `You have received ${FROM_PAYER} (Rewards).`,
    `You have received ${FROM_PAYER} with message "Get well soon".`,
    `You have received ${FROM_PAYER}. Message: loan, refund, cancel.`,
    `You have received ${FROM_PAYER} at Best Offer Shop.`,
    'You have received Tk 1,240.00 from 0173XXXX566 as a gift.',
    'You have received 1,240.00 Tk from 01733445566.',
    '01733445566 sent you Tk 1,240.00.',
    '01733445566 has sent you Tk 1,240.00 as a gift.',
  ].map((body) => [BKASH, `${body} ${STAMP}`] as const),
  [
    NAGAD,
    'Money Received.\nAmount: Tk 1240.00\nSender: 01733445566\nDiscount: Tk 5\nTxnID: 75KQXJ52\nBalance: Tk 8431.25\n07/02/2026 13:26',
  ],
  [
    ROCKET,
    'Tk1,240.00 received from A/C:***268 as gift. Fee:Tk0, NetBal: Tk3,828.29 TxnId:6794927502 Date:31-JUL-26 04:50:30 pm.',
  ],
];

for (const [sender, body] of beside) {
  test(`${JSON.stringify(body.slice(0, 140))} may be a payment, whatever else it mentions`, (t) => {
    const reading = told(read(sender, body));
    t.like(reading, { settle: 'review', credit: true, amount: '1240.00' });
    t.not(reading.trx_id, null);
  });
}

test('the words up to the payer decide: a gift, an offer or a request there is not a payment', (t) => {
  for (const [body, kind] of [
    [`You have received Refund ${FROM_PAYER}.`, 'refund'],
    [`You have received ${FROM_PAYER} for refund.`, 'refund'],
    [`You have received ${FROM_PAYER} as cashback.`, 'bonus'],
    [`You have received Cashback ${FROM_PAYER}.`, 'bonus'],
    [`You have received a gift of ${FROM_PAYER}.`, 'bonus'],
    ['You have received 5% discount from DM0000.', 'promo'],
    [`Get Tk 50 cashback when you have received ${FROM_PAYER}.`, 'promo'],
    [`You have received a money request of ${FROM_PAYER}.`, 'pending'],
    ['You have received Tk 500.00 request from 01733445566.', 'pending'],
    ['01733445566 sent you a request of Tk 500.00.', 'pending'],
    [`${FROM_PAYER} was received and is requested.`, 'pending'],
    ['01733445566 has requested Tk 500.00 from you.', 'pending'],
    [`01733445566 has requested Tk 500.00 from you. Message: You have received ${FROM_PAYER}.`, 'pending'],
    [`01733445566 has requested Tk 500.00 from you: "You have received ${FROM_PAYER}."`, 'pending'],
  ] as const) {
    t.like(told(read(BKASH, `${body} ${STAMP}`)), { settle: 'never', kind }, body);
  }
  const idless = [`You have received ${FROM_PAYER} as a gift.`, 'Get Tk 50 cashback from 01733445566'];
  for (const body of idless) t.is(read(BKASH, body).settle, 'never', body);
});
