/**
 * Honest texts in every spelling that phones, carriers, forwarders and the wallets themselves make of them.
 * A real customer must not wait for a person because of a space, a line end or a known offer behind the text.
 */
import test from 'ava';
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

type Row = readonly [sender: string, body: string, receivedAt?: string];

/** All of them say the same as the first. */
function same(what: string, rows: readonly Row[]): void {
  for (const [index, [sender, body, receivedAt]] of rows.entries()) {
    test(`${what} ${index + 1}: ${JSON.stringify(body.slice(0, 200))} ${receivedAt ?? ''}`, (t) => {
      const [first] = rows;
      t.is(read(sender, body, receivedAt).settle, 'auto');
      t.deepEqual(told(read(sender, body, receivedAt)), told(read(sender, first?.[1] ?? '')));
    });
  }
}

const plain = bkash({ amount: 'Tk 1,250.50' });

same('bKash spelt otherwise', [
  [BKASH, plain],
  [BKASH, plain, '2026-08-13T16:02:11+06:00'],
  [BKASH, plain, '2026-08-13T15:52:00+06:00'],
  [BKASH, plain, '2026-08-14T16:01:00+06:00'],
  [BKASH, `${plain}.`],
  [BKASH, `  ${plain} \n\n`],
  [BKASH, `\ufeff${plain}`],
  [BKASH, `\u200e${plain}\u200f`],
  [BKASH, plain.replaceAll(' ', '  ')],
  [BKASH, plain.replaceAll(' ', '\u00a0')],
  [BKASH, plain.replaceAll(' ', '\u202f')],
  [BKASH, plain.replaceAll('. ', '.\r\n')],
  [BKASH, plain.replaceAll('. ', '.\n')],
  [BKASH, plain.replaceAll('. ', '.\r')],
  [BKASH, plain.replaceAll('. ', '.\t')],
  [BKASH, plain.replace(' from ', '\nfrom ')],
  [BKASH, plain.replace('received', 'rece\u00adived')],
  [BKASH, plain.replace('received', 'received\u200b')],
  [BKASH, plain.replace('. TrxID', '.TrxID')],
  [BKASH, plain.replace('1,250.50', '1250.50')],
  [BKASH, plain.replace('1,250.50', '1,250.5')],
  [BKASH, plain.replaceAll('Tk ', 'Tk. ')],
  [BKASH, plain.replaceAll('Tk ', 'TK ')],
  [BKASH, plain.replaceAll('Tk ', 'Tk')],
  [BKASH, plain.replaceAll('Tk ', 'BDT ')],
  [BKASH, plain.replaceAll('Tk ', 'Taka ')],
  [BKASH, plain.replaceAll('Tk ', '৳')],
  [BKASH, plain.replaceAll('Tk ', '৳ ')],
  [BKASH, plain.replace('01711000081', '+8801711000081')],
  [BKASH, plain.replace('01711000081', '8801711000081')],
  [BKASH, plain.replace('01711000081', '01711-000081')],
  [BKASH, plain.replace('01711000081', '01711 000081')],
  [BKASH, plain.replace('1,250.50', '১,২৫০.৫০')],
  [BKASH, plain.replace('01711000081', '০১৭১১০০০০৮১').replace('13/08/2026 16:02', '১৩/০৮/২০২৬ ১৬:০২')],
  ...[
    'Download App: https://bKa.sh/8app',
    'Download App: https://bKa',
    'Mobile Recharge bKash korun.',
    'TCA',
  ].map((tail): Row => [BKASH, `${plain}. ${tail}`]),
  ...[
    'Priyo Cash Out at 13.95/thousand',
    'Cashback 50 on 25,000 CashOut',
    'Helpline 16247',
    'Dial *247# for offers',
  ].map((tail): Row => [BKASH, `${plain}.${tail}`]),
  [BKASH, `${plain}. Get Tk 100 cashback on Send Money! Offer till 30/11/2026 23:59. TCA`],
  [BKASH, `${plain}. Enjoy 20% discount at Example Mart. Details: https://www.bkash.com/offers T&C apply`],
]);

for (const [shown, body] of [
  ['0130XXX0011', bkash({ from: '0130XXX0011' })],
  ['013****0191', bkash({ from: '013****0191' })],
  ['0170XXXX001', bkash({ from: '0170XXXX001' })],
  ['0130XXX0011', bkash({ from: 'Nagad 0130XXX0011 through NPSB' })],
  ['01711000081', bkash({ from: 'Upay 01711000081 through NPSB' })],
] as const) {
  test(`the payer ${body.slice(27, 70)} is as good as a full number`, (t) => {
    const reading = read(BKASH, body);
    t.is(reading.settle, 'auto');
    t.is(reading.from, shown);
  });
}

const OTHERS = [
  ...[
    'Tap',
    'tap',
    'CellFin',
    'mCash',
    'OK Wallet',
    'SureCash',
    'TeleCash',
    'iPay',
    'Pathao Pay',
    'TallyPay',
  ],
  ...['Nagad', 'NAGAD', 'Rocket', 'Upay', 'upay', 'UPAY'],
];
for (const name of OTHERS) {
  test(`money that came from ${name} is as good as any`, (t) => {
    const reading = read(BKASH, bkash({ from: `${name} 01711000082 through NPSB` }));
    t.is(reading.settle, 'auto');
    t.is(reading.from, '01711000082');
  });
}

same('Nagad spelt otherwise', [
  [NAGAD, nagad({})],
  [NAGAD, nagad({ ref: null })],
  [NAGAD, nagad({ ref: 'Ref:' })],
  [NAGAD, nagad({}).replaceAll('\n', '\r\n')],
  [NAGAD, nagad({}).replaceAll('\n', '\r')],
  [NAGAD, nagad({}).replaceAll('\n', '\u2028')],
  [NAGAD, nagad({}).replaceAll('\n', '\n\n')],
  [NAGAD, nagad({}).replaceAll('\n', ' ')],
  [NAGAD, nagad({}).replaceAll('\n', '\t')],
  [NAGAD, nagad({}).replaceAll('\n', ' \n ')],
  [NAGAD, nagad({}).replaceAll(' ', '\u00a0')],
  [NAGAD, nagad({}).replaceAll(': ', ':')],
  [NAGAD, nagad({}).replace('Amount: Tk 50.00', 'Amt:Tk 50').replace('Balance: Tk ', 'Bal:')],
  [NAGAD, nagad({}).replace('50.00', '50.0')],
  [NAGAD, nagad({}).replace('8431.25', '৮৪৩১.২৫')],
  [NAGAD, `WIN LAND IN DHAKA! CLICK NOW  nagad.io/exa\n${nagad({})}`],
  [NAGAD, `WIN LAND IN DHAKA! CLICK NOW nagad.io/exa ${nagad({}).replaceAll('\n', ' ')}`],
  [NAGAD, `${nagad({})}\nFor Details Call 16167`],
]);

same('Rocket spelt otherwise', [
  [ROCKET, rocket({})],
  [ROCKET, rocket({ tail: '' })],
  [ROCKET, rocket({ tail: '. Download https://bit.ly/nexuspay' })],
  [ROCKET, rocket({ tail: '. Download https://bit.ly/nexuspa' })],
  [ROCKET, rocket({ tail: '. Please download https://bit.ly/nexuspay' })],
  [ROCKET, rocket({ fee: 'Tk.00' })],
  [ROCKET, rocket({ fee: 'Tk .00' })],
  [ROCKET, rocket({ fee: 'Tk0.00' })],
  [ROCKET, rocket({ amount: 'Tk480' })],
  [ROCKET, rocket({ amount: 'Tk.480.00' })],
  [ROCKET, rocket({ amount: 'Tk 480.00' })],
  [ROCKET, rocket({}).replace(' TxnId', '\nTxnId')],
  [ROCKET, rocket({}).replace(' TxnId', '.TxnId')],
  [ROCKET, rocket({}).replace('TxnId:', 'TxnId: ')],
  [ROCKET, rocket({}).replace('Fee:Tk', 'Fee: Tk')],
  [ROCKET, rocket({}).replace('A/C:*', 'A/C: *')],
  [ROCKET, rocket({}).replaceAll(' ', '  ')],
  [ROCKET, rocket({}).replaceAll(' ', '\u00a0')],
  [ROCKET, rocket({}).replace('480.00', '৪৮০.০০').replace('***268', '***২৬৮')],
]);

for (const [from, shown] of [
  ['017110002689', '017110002689'],
  ['01711000268-9', '017110002689'],
  ['01711000268', '01711000268'],
  ['**268', '**268'],
  ['*268', '*268'],
] as const) {
  test(`Rocket's payer ${from} is one`, (t) => {
    const reading = read(ROCKET, rocket({ from }));
    t.is(reading.settle, 'auto');
    t.is(reading.from, shown);
  });
}

test('distinguishes midnight from noon', (t) => {
  t.is(read(ROCKET, rocket({ at: '31-JUL-26 12:00:30 am' })).at, '2026-07-31T00:00:30+06:00');
  t.is(read(ROCKET, rocket({ at: '31-JUL-26 12:00:30 pm' })).at, '2026-07-31T12:00:30+06:00');
});

test('half a taka and a lakh are read to the paisa', (t) => {
  t.is(read(ROCKET, rocket({ amount: 'Tk.50' })).amountPaisa, 50);
  t.is(read(ROCKET, rocket({ amount: 'Tk1,64,000.05', balance: 'Tk1,64,000.05' })).amountPaisa, 16_400_005);
  t.is(
    read(BKASH, bkash({ amount: 'Tk 12,34,567.89', balance: 'Tk 1,234,567.89' })).amountPaisa,
    123_456_789,
  );
});

same('Upay spelt otherwise', [
  [UPAY, upay({})],
  [UPAY, upay({ ref: '' })],
  [UPAY, upay({ ref: ' Ref-INV 22.' })],
  [UPAY, upay({ at: '03/02/2026 08:09' })],
  [UPAY, upay({ amount: 'Tk.1500.00', balance: 'Tk.4977.68' })],
  [UPAY, upay({ amount: 'TK. 1500.00', balance: 'TK. 4977.68' })],
  [UPAY, upay({ amount: 'Tk. 1,500.00', balance: 'Tk. 4,977.68' })],
  [UPAY, upay({ amount: 'Tk. 1500' })],
  [UPAY, upay({ at: '03/02/2026\u00a008:09.' })],
  [UPAY, upay({}).replaceAll('. ', '.\n').replaceAll('Tk.\n', 'Tk. ')],
]);
