/** Templates that are proposed for a text: the values in it by their shapes, and those that are marked. */
import test from 'ava';
import { proposeTemplate, shapeOf } from '../../../src/channels/mfs/index.js';
import { KNOWN_SOURCES } from '../../../src/domain/sources/catalogue.js';
import { EBL, TALLYPAY } from '../../helpers/shop/sources.js';

const proposed: readonly (readonly [string, string])[] = [
  [TALLYPAY, '{amount} received from {payer} via TallyPay QR. Txn ID: {id}'],
  [
    EBL,
    'AC {account} is credited with {amount} as NPSB FUND TRANSFER on {date:named} Balance is {balance} Thanks. EBL Helpline 16230',
  ],
  [
    'TK 5,000.00 credited to A/C#13032**2001 on 06-05-23 @10:15 AM from OTHER BANK. Balance TK 42,743.77. BRAC Bank.',
    '{amount} credited to A/C#{account} on {date:short} from {name}. Balance {balance}. BRAC Bank.',
  ],
  [
    'TrxID: 58260928000006866 \n Acc: 20507776700000000 \n Deposit Amount: 9,000.00',
    'TrxID: {id} Acc: {account} Deposit Amount: {amount:plain}',
  ],
  [
    'Received 1,000.00 Tk (net of fee Tk 1.00). Ref ID FT26-1.X at 2026-09-01 10:38',
    'Received {amount:after} Tk \\(net of fee {fee}\\). Ref ID {id:any} at {date:iso}',
  ],
];
for (const [text, template] of proposed) {
  test(`the values of "${text.slice(0, 40)}" are found`, (t) =>
    t.is(proposeTemplate(text).template, template));
}

test('the amounts of all known examples are found', (t) => {
  for (const { formats } of KNOWN_SOURCES) {
    for (const { examples, settle } of formats) {
      if (settle === 'review') t.truthy(proposeTemplate(examples[0]?.text ?? '').parts.amount);
    }
  }
});

test('texts of one wording have one shape', (t) => {
  t.is(shapeOf(TALLYPAY), shapeOf(TALLYPAY.replace('1,898.57', '5').replace('YY1Z85HTP', 'YY2A11ZZZ')));
  t.not(shapeOf(TALLYPAY), shapeOf(`${TALLYPAY}.`));
});

test('a word that differs among texts of one wording is the id, and further ones are skipped', (t) => {
  const text = (n: number) => `BDT ${n}00.00 credited. Voucher V-${n}77 by counter ${n}9X, call 16230`;
  const alike = [text(1), text(2), text(3)];
  t.is(shapeOf(text(1)), shapeOf(text(2)));
  const template = '{amount} credited. Voucher {id:any} by counter {skip}, call 16230';
  t.is(proposeTemplate(text(3), {}, alike).template, template);
  t.is(proposeTemplate(text(3)).template, '{amount} credited. Voucher V-377 by counter 39X, call 16230');
  t.is(proposeTemplate('BDT 5.00 credited. Ref: ABC12399').template, '{amount} credited. Ref: {id}');
});

test('marked parts replace what is proposed, and an empty one removes it', (t) => {
  const text = 'Deposit of BDT 500.00, previous BDT 900.00, by Rahim for order 17. Code QX-77-12';
  const marks = { amount: 'BDT 500.00', payer: 'Rahim', id: 'QX-77-12', skip: ['order 17'] };
  t.deepEqual(proposeTemplate(text, { ...marks, balance: 'BDT 900.00' }), {
    template: 'Deposit of {amount}, previous {balance}, by {name} for {skip}. Code {id:any}',
    parts: { amount: 'BDT 500.00', id: 'QX-77-12', payer: 'Rahim', balance: 'BDT 900.00' },
  });
  t.false(proposeTemplate(TALLYPAY, { payer: '' }).template.includes('{payer}'));
});

for (const [marks, message] of [
  [{ amount: 'Tk 7' }, /not in the text/],
  [{ amount: 'received' }, /not written like a value for --amount/],
  [{ payer: 'T' }, /more than once/],
] as const) {
  test(`a part is refused: ${JSON.stringify(marks)}`, (t) => {
    t.regex(t.throws(() => proposeTemplate(TALLYPAY, marks))?.message ?? '', message);
  });
}
