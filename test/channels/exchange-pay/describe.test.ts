import test from 'ava';
import fc from 'fast-check';
import { toBaseUnits } from '../../../src/base/values/usdt.js';
import { exchangePayChannel } from '../../../src/channels/exchange-pay/describe.js';

const { describe, findReference, readReference } = exchangePayChannel;
const account = (type: string, number: string) =>
  ({ channel: 'exchange_pay', type, number, details: {} }) as const;
const usdt = { rate: 1_205_000, amount: 41_667 };

test('the entry matches spec 2.3, with numbers as JSON numbers', (t) => {
  const entry = describe([account('personal', '34355667')], { usdt });
  t.deepEqual<unknown, unknown>(JSON.parse(JSON.stringify(entry)), {
    name: 'exchange_pay',
    active_payments: { personal: true, merchant: false },
    personal: '34355667',
    currency: 'USDT',
    dollar_rate: 120.5,
    amount_usdt: 4.1667,
  });
});

test('with a merchant account alone no user id is shown', (t) => {
  const entry = describe([account('merchant', '98765')], { usdt });
  t.deepEqual(entry?.active_payments, { personal: false, merchant: true });
  t.is(entry?.personal, '');
});

test('without a rate the channel is not offered', (t) => {
  t.is(describe([account('personal', '34355667')], {}), null);
});

test('order ids and transaction ids are read as they are pasted, without what surrounds them', (t) => {
  for (const [text, reference] of [
    ['331726482920497152', '331726482920497152'],
    [' m_p_71505104267788288\n', 'm_p_71505104267788288'],
    ['P_A1BtpsV58e9h11111', 'P_A1BtpsV58e9h11111'],
    ['abc-123', 'abc-123'],
    ['331726 482920497152', '331726482920497152'],
    ['"331726482920497152".', '331726482920497152'],
    ['\u202a৩৩১৭২৬৪৮২৯২০৪৯৭১৫২\u202c', '331726482920497152'],
    ['Order ID: 331726482920497152', '331726482920497152'],
  ] as const) {
    t.deepEqual(readReference(text), { outcome: 'id', reference });
  }
});

test('an id that the exchange never issues returns no_id, other scripts and spaces are invalid', (t) => {
  for (const text of ['12345', 'a'.repeat(65), 'M.P.71505', "x'or1=1--"]) {
    t.is(readReference(text).outcome, 'no_id', text);
  }
  for (const text of [
    '',
    '331726\n482920',
    'ſ31726482',
    '331726482920497152 331726482920497153, or',
    '\u212a31726482',
  ]) {
    t.is(readReference(text).outcome, 'invalid', text);
  }
});

test('an accepted id is always plain ASCII', (t) => {
  const isPlain = fc.property(fc.string({ unit: 'binary' }), (text) => {
    const read = readReference(text);
    return read.outcome !== 'id' || /^[A-Za-z0-9_-]{6,64}$/.test(read.reference);
  });
  t.notThrows(() => fc.assert(isPlain));
});

const pasted: [what: string, text: string, reference: string][] = [
  ['an id in Bengali digits', '৩৩১৭২৬৪৮২৯২০৪৯৭১৫২', '331726482920497152'],
  ['an id in groups', '331726 482920 497152', '331726482920497152'],
  [
    'a receipt with both ids',
    'Payment Successful 4.1667 USDT To Amar Dokan\nOrder ID 331726482920497152\nTransaction ID: M_P_71505104267788288',
    '331726482920497152',
  ],
  [
    'a receipt with the other id',
    'Paid. Transaction ID: m_p_71505104267788288 thanks',
    'm_p_71505104267788288',
  ],
  ['an id that is told twice', 'order id Ab1234567, Order ID AB1234567', 'Ab1234567'],
  [
    'a text without labels',
    'sent 2026-08-21T12:30:00 to 34355667: 331726482920497152, ok?',
    '331726482920497152',
  ],
];
for (const [what, text, reference] of pasted) {
  test(`the id is found in ${what}`, (t) => {
    t.deepEqual(findReference(text), { outcome: 'id', reference });
  });
}

test('two ids return several, and text without an id returns none', (t) => {
  t.is(findReference('331726482920497152 or 331726482920497153').outcome, 'several');
  t.is(findReference('order id 331726482920497152, order id 331726482920497153').outcome, 'several');
  t.is(findReference('I have paid 4.1667 USDT on 2026-08-21').outcome, 'none');
});

test('a thousandth of an amount may be missing, and never more than 0.0005 USDT', (t) => {
  const { shortUnits } = exchangePayChannel;
  // 0.05 taka are 0.0005 USDT at most rates: the exchange's smallest step pays none of it.
  t.is(shortUnits(toBaseUnits(5)), toBaseUnits(5) / 1_000n);
  t.true(shortUnits(toBaseUnits(1)) >= 10n ** 10n, 'a step of eight decimals');
  t.is(shortUnits(toBaseUnits(5_000)), toBaseUnits(5));
  t.is(shortUnits(toBaseUnits(1_000_000)), toBaseUnits(5));
});
