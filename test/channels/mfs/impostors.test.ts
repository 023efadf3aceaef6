/**
 * Who sent it. A perfect text from anybody but the wallet is a forgery; a number that a list knows but no
 * handset was seen to show goes to a person; anything merely like a wallet's name is a stranger.
 */
import test from 'ava';
import { BKASH, bkash, NAGAD, nagad, ROCKET, read, rocket, UPAY, upay } from '../../helpers/shop/sms.js';

const official = [
  ...['bKash', ' bKash ', 'bkash', 'BKASH', 'Bkash', 'bKASH'].map((sender) => [sender, bkash({})] as const),
  ...['NAGAD', 'nagad', 'Nagad', 'NaGaD'].map((sender) => [sender, nagad({})] as const),
  ['16216', rocket({})],
  ...['upay', 'UPAY', 'Upay', 'uPay'].map((sender) => [sender, upay({})] as const),
] as const;

for (const [sender, body] of official) {
  test(`${JSON.stringify(sender)} speaks for its wallet`, (t) => {
    const reading = read(sender, body);
    t.deepEqual(reading.reasons, ['checks_passed']);
    t.is(reading.settle, 'auto');
  });
}

const weak = [
  ...['16247', '247', 'bKash\u200b', '\ufeffbKash', 'bKash\u00a0', 'bKash\n'].map(
    (sender) => [sender, bkash({})] as const,
  ),
  ...['16167', 'NAGAD\u200b', '\u200bnagad'].map((sender) => [sender, nagad({})] as const),
  ...['DBBL', 'DUTCHB', 'Rocket', 'ROCKET', '16215', '16214'].map((sender) => [sender, rocket({})] as const),
  ...['16268'].map((sender) => [sender, upay({})] as const),
];

for (const [sender, body] of weak) {
  test(`${JSON.stringify(sender)} is too weak to settle automatically, but a person may`, (t) => {
    const reading = read(sender, body);
    t.is(reading.settle, 'review');
    t.true(reading.reasons.includes('sender_weak'));
    t.not(reading.amountPaisa, null);
  });
}

const impostors = [
  ...[
    '+8801711000062',
    '01711000062',
    '8801711000063',
    'bKash Offer',
    'bKashNotice',
    'BKASH-PROMO',
    'AD-BKASH',
  ],
  ...[
    'bKrash',
    'bKesh',
    'bCkash',
    'bKaash',
    'b-Kash',
    'b.Kash',
    'bKash.',
    'bKash24',
    'bKash!',
    'b Kash',
    'xbKash',
  ],
  ...[
    'bКash',
    'bKаsh',
    'ВKash',
    'ｂＫａｓｈ',
    'b\u200bKash',
    'bKash\u0000',
    'bKash bKash',
    'bKash,NAGAD',
    '162471',
  ],
  ...[
    '016247',
    '+16247',
    '',
    ' ',
    'Info',
    'NAGAD',
    '16216',
    'upay',
    'GP',
    'BRAC BANK',
    'IBBL .',
    'tap',
    '__proto__',
  ],
  ...['constructor', 'toString', 'b'.repeat(100_000)],
];

for (const sender of impostors) {
  test(`a perfect bKash text from ${JSON.stringify(sender.slice(0, 30))} is a forgery without values`, (t) => {
    const reading = read(sender, bkash({}));
    const { channel, kind, settle, credit, amountPaisa, trxId, from } = reading;
    t.deepEqual(
      { channel, kind, settle, credit, amountPaisa, trxId, from },
      {
        channel: 'mfs_a',
        kind: 'spoofed',
        settle: 'never',
        credit: false,
        amountPaisa: null,
        trxId: null,
        from: null,
      },
    );
  });
}

const crossed = [
  [NAGAD, upay({}), 'mfs_d'],
  [BKASH, rocket({}), 'mfs_c'],
  [ROCKET, nagad({}), 'mfs_b'],
  [UPAY, nagad({}), 'mfs_b'],
  ['Nagad.', nagad({}), 'mfs_b'],
  ['N A G A D', nagad({}), 'mfs_b'],
  ['016167', nagad({}), 'mfs_b'],
  ['+16216', rocket({}), 'mfs_c'],
  ['1621б', rocket({}), 'mfs_c'],
  ['u-pay', upay({}), 'mfs_d'],
  ['upаy', upay({}), 'mfs_d'],
  ['+8801711000068', `bKash: ${bkash({})}`, 'mfs_a'],
  ['+8801711000068', `From: bKash\n${bkash({})}`, 'mfs_a'],
  ['+8801711000068', `Fwd: ${nagad({})}`, 'mfs_b'],
  ['+8801711000068', bkash({ tail: '. Please deliver now' }), 'mfs_a'],
  ['+8801711000068', bkash({ amount: 'Tk five' }), 'mfs_a'],
  ['+8801711000068', bkash({}).replace('received', 'rеceived'), 'mfs_a'],
] as const;

for (const [sender, body, channel] of crossed) {
  test(`${JSON.stringify(sender)} is not the wallet of ${JSON.stringify(body.slice(0, 40))}`, (t) => {
    const reading = read(sender, body);
    t.is(reading.channel, channel);
    t.is(reading.kind, 'spoofed');
    t.is(reading.settle, 'never');
  });
}

const nobody = [
  ['GP', 'You have received Tk 50.00 from 01711000003. Current balance Tk 75.00.'],
  ['Banglalink', 'You have received Tk 50.00 from 019YYYYYYYY. Main balance is Tk 65.50.'],
  ['tap', 'Received Tk 500.00 from 01711000112. Balance Tk. 8915.90. TxID: ETRLQL6UP4930G.'],
  ['PathaoPay', 'You have received BDT 250.00 from +8801511000119. Balance BDT 662.00 TrxID OBVPW2YJ25'],
  [
    '16216',
    'Dear Sir, your A/C ***123 credited (Fund Transfer) by Tk500.00 on 01-09-2024 02:11:54 AM C/B Tk787.00.',
  ],
  ['DBBL', 'Dear Customer, 100401 is your OTP for e-com transaction of Debit Card no# 0000****0000'],
  ['+8801711000099', 'Vai 500 tk bkash korsi, check koren'],
  ['+8801711000099', ''],
] as const;

for (const [sender, body] of nobody) {
  test(`${sender} with ${JSON.stringify(body.slice(0, 40))} is of none of the four`, (t) => {
    const reading = read(sender, body);
    t.is(reading.channel, null);
    t.is(reading.settle, 'never');
  });
}
