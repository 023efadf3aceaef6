/**
 * Texts under the official sender that are nearly right: forged at the carrier, cut, joined, or simply new.
 * Each group says what is decided and why. None of them may settle by itself.
 */
import test from 'ava';
import type { Settle } from '../../../src/channels/mfs/index.js';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, rocket, UPAY, upay } from '../../helpers/shop/sms.js';

type Row = readonly [sender: string, body: string, receivedAt?: string];

function decided(settle: Settle, why: string, rows: readonly Row[]): void {
  for (const [sender, body, receivedAt] of rows) {
    const shown = JSON.stringify(body.length > 200 ? `${body.slice(0, 200)}…` : body);
    test(`${why}: ${sender} ${shown} ${receivedAt ?? ''}`, (t) => {
      t.is(read(sender, body, receivedAt).settle, settle);
    });
  }
}

const bkashAmounts = (amounts: readonly string[]): Row[] =>
  amounts.map((amount) => [BKASH, bkash({ amount })]);
const rocketAmounts = (amounts: readonly string[]): Row[] =>
  amounts.map((amount) => [ROCKET, rocket({ amount })]);

// There is no amount of taka in it, so there is nothing that a person could tick off.
decided('never', 'what is no amount is no money', [
  ...bkashAmounts([
    'Tk 0.00',
    'Tk 0',
    'Tk -500.00',
    'Tk - 500',
    'Tk +500',
    'Tk 1e5',
    'Tk 0x10',
    'Tk five',
    'Tk NaN',
    'Tk ',
  ]),
  ...bkashAmounts([
    'Tk 1,00',
    'Tk 1.000,00',
    'Tk 100.000',
    'Tk 1.2.3',
    'Tk 1,250,50',
    'Tk 1,2345',
    'Tk 00.50',
    'Tk 1 000',
  ]),
  ...bkashAmounts([
    'Tk 99999999999999999999',
    'Tk 5O0',
    'Tk l00',
    'Tk Infinity',
    'Tk 1_000',
    'USD 50.00',
    '$50',
    '50.00',
    '',
  ]),
  ...rocketAmounts(['Tk-480.00', 'Tk4,80.00', 'Tk4.800,00', 'Tk0', 'Tk.00']),
  [NAGAD, nagad({ amount: 'Amount: Tk 0.00' })],
  [NAGAD, nagad({ amount: 'Amount: Tk 1250.505' })],
  [UPAY, upay({ amount: 'Tk. -5' })],
]);

// Fifty taka or half a taka: whoever guesses loses once in two.
decided('review', 'an amount that can be read in two ways goes to a person', [
  ...bkashAmounts(['Tk.50', 'Tk.1250', 'Tk .50']),
  [UPAY, upay({ amount: 'Tk.50' })],
  ...rocketAmounts(['Tk.5', 'Tk.500', 'Tk.1,250']),
]);

// The wallet's own arithmetic does not hold, so it is not the wallet's text.
decided('review', 'money that does not add up goes to a person', [
  [BKASH, bkash({ amount: 'Tk 8,431.26' })],
  [BKASH, bkash({ balance: 'Tk 0.00' })],
  [BKASH, bkash({ balance: 'Tk 8,43.25' })],
  [BKASH, bkash({ balance: 'Tk -8,431.25' })],
  [BKASH, bkash({ fee: 'Tk 5.00' })],
  [BKASH, bkash({ fee: 'Tk 0.01' })],
  [BKASH, bkash({ fee: 'Tk 0.001' })],
  [NAGAD, nagad({ amount: 'Amount: Tk 9000.00' })],
  [ROCKET, rocket({ fee: 'Tk1.27' })],
  [ROCKET, rocket({ balance: 'Tk479.99' })],
  [UPAY, upay({ balance: 'Tk. 1499.99' })],
]);

// Without a customer's number, or a mask that wallets use, nobody knows who paid.
decided('review', 'a payer who is no customer goes to a person', [
  ...[
    '01211000001',
    '017110000811',
    '0171100008',
    '00881711000081',
    'ExampleWeb',
    '01711000081 (a name)',
  ].map((from): Row => [BKASH, bkash({ from })]),
  ...['***081', 'XXXXXXXXXXX', '01XXXXXXX81', '0171XX*X081', '01711000081, 01811000000', '0171100OO81'].map(
    (from): Row => [BKASH, bkash({ from })],
  ),
  [NAGAD, nagad({ payer: 'Sender: NAGAD' })],
  [NAGAD, nagad({ payer: 'Customer: 01711000081' })],
  [NAGAD, nagad({ payer: 'Sender: 01711000081\nSender: 01811000082' })],
  [ROCKET, rocket({ from: '***00001' })],
  [ROCKET, rocket({ from: '0171100008' })],
  [UPAY, upay({ from: 'BRAC Bank Limited' })],
  [UPAY, upay({ from: '***102' })],
]);

// The id rules of each wallet: shape, own date, counter, clock.
decided('review', 'an id that the wallet did not give out on that day goes to a person', [
  ...[
    'DHE7KQ2P0Z',
    'DGD7KQ2P0Z',
    'CHD7KQ2P0Z',
    'DMD7KQ2P0Z',
    'DHDXKQ2P0Z',
    'dhd7kq2p0z',
    'DHD7KQ2P0',
    'DHD7KQ2P0ZZ',
  ].map((id): Row => [BKASH, bkash({ id })]),
  ...['ABC123XYZ', '7120009752', '3HD7KQ2P0Z', '01KGGM5VJG'].map((id): Row => [BKASH, bkash({ id })]),
  ...['70AB12CD', '73AB12CD', '77AB12CD', '85KQXJ52', '75kqxj52', '75KQXJ522', 'NG123ABC456'].map(
    (id): Row => [NAGAD, nagad({ id: `TxnID: ${id}` })],
  ),
  ...['1234567890', '9999999999', '5794927502', '679492750', '67949275022', '0794927502', 'RCK9921443'].map(
    (id): Row => [ROCKET, rocket({ id })],
  ),
  ...['01FMXJ0000', '01KGGQ5VJG', '01KGGM5VJU', '01kggm5vjg', '01KGGM5VJGA', 'UP729401', '00KGGM5VJG'].map(
    (id): Row => [UPAY, upay({ id })],
  ),
]);

// A date that no wallet writes, that does not exist, or that does not fit the delivery.
decided('review', 'a wrong date goes to a person', [
  ...['31/02/2026 10:00', '08/13/2026 16:02', '13/08/26 16:02', '2026-08-13 16:02', '13-08-2026 16:02'].map(
    (at): Row => [BKASH, bkash({ at })],
  ),
  ...[
    '13/08/2026 24:00',
    '13/08/2026 16:60',
    '13/08/2026',
    '3/8/2026 16:02',
    '13/08/2026 4:02 PM',
    '13/08/2026 16:02:05',
  ].map((at): Row => [BKASH, bkash({ at })]),
  ...['31-JUL-26 16:50:30 pm', '31-JUL-26 00:50:30 am', '31-Jul-26 04:50:30 pm', '31-JUN-26 04:50:30 pm'].map(
    (at): Row => [ROCKET, rocket({ at })],
  ),
  [ROCKET, rocket({ at: '31-JUL-2026 04:50:30 pm' })],
  [BKASH, bkash({}), '2026-08-13T15:46:00+06:00'],
  [BKASH, bkash({}), '2026-08-10T16:02:00+06:00'],
  [BKASH, bkash({}), '2026-08-14T16:03:00+06:00'],
  [BKASH, bkash({}), '2027-08-13T16:02:00+06:00'],
]);

// Digits of another script are not what the wallet sends; invisible characters make two texts of one.
decided('review', 'masked characters go to a person', [
  ...bkashAmounts([
    'Tk ５０.００',
    'Tk ٥٠',
    'Tk १००',
    'Tk ৫0.00',
    'Tk 5\u200b0.00',
    'Tk 5\u00ad0.00',
    'Tk 5\u20600',
  ]),
  ...['০১৭১১00০০৮১', '01711\u200d000081', '０1711000081', '01711\u2060000081'].map(
    (from): Row => [BKASH, bkash({ from })],
  ),
  ...['DHD7\u200bKQ2P0Z', 'DHD7KQ2P0Ζ', 'DНD7KQ2P0Z', 'DHD৭KQ2P0Z', 'ＤHD7KQ2P0Z'].map(
    (id): Row => [BKASH, bkash({ id })],
  ),
  [BKASH, bkash({ at: '13/08/20\u200b26 16:02' })],
  [BKASH, bkash({ balance: 'Tk 8,431\u200c.25' })],
  [BKASH, bkash({}).replace('received', 'rеceived')],
  [BKASH, bkash({}).replace('Balance', 'Ｂalance')],
  [BKASH, `\u202e${bkash({})}`],
  [BKASH, `${bkash({})}\u0000`],
  [NAGAD, nagad({ id: 'TxnID: 74HΝΕΚΟ8' })],
]);

// Only what the wallet is known to add may stand around a message; a second message makes it two.
const second = bkash({ amount: 'Tk 200.00', id: 'DHD7KQ2P1A' });
decided('review', 'what stands around a message must be known', [
  ...['Fwd: ', 'bKash: ', '"', '. ', '<#> ', 'Get 10% cashback. ', 'From: bKash\n'].map(
    (head): Row => [BKASH, `${head}${bkash({})}`],
  ),
  ...[
    '. This transaction has been reversed',
    '. Wait for confirmation.',
    ' PM',
    ':30',
    '5',
    '. x',
    '. ok',
  ].map((tail): Row => [BKASH, bkash({ tail })]),
  ...[
    '. Balance Tk 5',
    '. TrxID',
    '. Cashback for Send Money!',
    '. Get 10% cashback https://evil.example/x',
  ].map((tail): Row => [BKASH, bkash({ tail })]),
  ...[
    '. Offer: call 01711000000',
    '. Get Tk 5 cashback, your payment is on hold',
    '. ধন্যবাদ',
    `. ${'Get cashback '.repeat(30)}`,
  ].map((tail): Row => [BKASH, bkash({ tail })]),
  ...[
    '. Get 10% cashback https://bit.ly/freeoffer',
    '. Download App: https://bKa.sh/8app now',
    '. Download App: https://bka.sh.example/8app',
    '. Get Tk 100 cashback! TCA DHD7KQ2P1A',
    '. Get Tk 100 cashback! TCA ***123',
    '. Download https://bit.ly/nexuspay',
  ].map((tail): Row => [BKASH, bkash({ tail })]),
  [NAGAD, `${nagad({})}\nDownload App: https://bKa.sh/8app`],
  [ROCKET, rocket({ tail: '. Download https://bit.ly/nexuspayx' })],
  [BKASH, `${bkash({})}${second}`],
  [BKASH, `${bkash({})}. ${second}`],
  [BKASH, `${bkash({})}\n${second}`],
  [BKASH, `${bkash({})}\n${bkash({})}`],
  [BKASH, `${bkash({})} ${bkash({})} ${bkash({})}`],
  [BKASH, bkash({ tail: '. Send Money Tk 50.00 to 01811000000 successful. TrxID DHD7KQ2P1A' })],
  [BKASH, bkash({ ref: ' Ref food.', tail: `. ${second}` })],
  [NAGAD, `${nagad({})}\n${nagad({ id: 'TxnID: 75KQXJ53' })}`],
  [NAGAD, `${nagad({})}${nagad({})}`],
  [NAGAD, `${nagad({})}\nFee: Tk 5`],
  [NAGAD, `WIN! evil.example/x\n${nagad({})}`],
  [NAGAD, `Amount: Tk 5000 nagad.io/exa\n${nagad({})}`],
  [ROCKET, `${rocket({})} ${rocket({ id: '6794927503' })}`],
  [UPAY, `${upay({})} ${upay({ id: '01KGGM5VJH' })}`],
]);

// Words that were never seen, or only in part: money perhaps, but a person must say so.
decided('review', 'a credit in unknown words goes to a person', [
  [BKASH, bkash({}).replace('You have received', 'You received')],
  [BKASH, bkash({}).replace('from', 'via QR from')],
  [BKASH, bkash({}).replace(' Fee Tk 0.00.', '')],
  [BKASH, bkash({}).replace('TrxID', 'TrxID:')],
  [BKASH, bkash({}).replace('Fee Tk', 'fee Tk')],
  [BKASH, bkash({}).toUpperCase()],
  [BKASH, bkash({}).slice(0, -'at 13/08/2026 16:02'.length)],
  [NAGAD, nagad({}).replaceAll('\n', ', ')],
  [NAGAD, nagad({}).replaceAll('\n', '\\n')],
  [NAGAD, nagad({}).replaceAll('\n', '')],
  [NAGAD, nagad({ opening: 'Money Received' })],
  [NAGAD, nagad({ amount: 'Amount: Tk 50.00\nAmount: Tk 500.00' })],
  [ROCKET, rocket({}).replace('TxnId', ' TxnId:6794927503 TxnId')],
]);

// It begins like money, or names money, and is none.
decided('never', 'what is no credit never settles', [
  [BKASH, ''],
  [BKASH, ' \n '],
  [BKASH, 'You have received Tk 200.00'],
  [BKASH, 'You have received Tk 1,25'],
  [BKASH, bkash({ id: 'SHORT' })],
  [BKASH, 'Balance Tk 8,431.25. TrxID DHD7KQ2P0Z at 13/08/2026 16:02'],
  [BKASH, bkash({}).replace('You have received', 'You have requested')],
  [BKASH, 'Send Money now! You have received a chance to win Tk 10,000.00. Dial *247#'],
  [
    BKASH,
    'Cash Out Tk 1,000.00 to 01311000302 successful. Fee Tk 18.50. Balance Tk 9,595.74. TrxID DAF7L6EJUI at 15/01/2026 13:43',
  ],
  [
    BKASH,
    'Received Recharge request of Tk 39.00 for 01711000044. Fee Tk 0.00. Balance Tk 61.20. TrxID DHL2T9HJ1I at 21/08/2026 13:10. Wait for confirmation.',
  ],
  [
    BKASH,
    'Tk 500.00 received from 01711000081 has been reversed. Balance Tk 0.00. TrxID DHD7KQ2P0Z at 13/08/2026 16:02',
  ],
  [BKASH, 'Your received amount of Tk 500.00 (TrxID DHD7KQ2P0Z) has been cancelled.'],
  [NAGAD, nagad({ opening: 'Cash In Successful.', payer: 'Customer: 01711000081', ref: null })],
  [NAGAD, nagad({ opening: 'Transaction Reversed.' })],
  [ROCKET, rocket({}).replace('received from', 'transferred to')],
  [UPAY, '100703 is the OTP for Cash-out of Tk. 500.00 from your upay account.'],
]);
