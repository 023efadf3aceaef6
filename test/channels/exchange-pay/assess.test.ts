import test from 'ava';
import { assess } from '../../../src/channels/exchange-pay/assess.js';
import type { ExchangePayment } from '../../../src/channels/exchange-pay/exchange.js';

const NOW = Date.UTC(2026, 7, 21, 6, 30);
const OPENED = NOW - 10 * 60_000;
const EARLIER_MS = 5 * 60_000;
const asked = {
  id: 'M_P_71505104267788288',
  notBefore: OPENED,
  receiver: '34355667',
  scope: 'binance',
  now: NOW,
};

const paid: ExchangePayment = {
  reference: 'M_P_71505104267788288',
  aliases: ['331726482920497152'],
  kind: 'payment',
  state: 'settled',
  recipientId: '34355667',
  payer: '21326891',
  currency: 'USDT',
  amount: '4.16670000',
  at: NOW - 60_000,
  evidence: { order_type: 'C2C' },
};
const look = (changes: Partial<ExchangePayment>, more: Partial<typeof asked> = {}) =>
  assess([{ ...paid, ...changes }], { ...asked, ...more });

test('a settled payment of USDT to the account is found, with all that is needed to credit it', (t) => {
  t.deepEqual(look({}), {
    outcome: 'found',
    payment: {
      reference: 'M_P_71505104267788288',
      scope: 'binance',
      aliases: ['331726482920497152'],
      kind: 'order',
      amounts: [4_166_700_000_000_000_000n],
      recipient: '34355667',
      payer: '21326891',
      at: NOW - 60_000,
      evidence: '{"order_type":"C2C"}',
    },
  });
});

test('either id finds the payment, and it is credited under the same one', (t) => {
  const byOrder = look({}, { id: '331726482920497152' });
  t.deepEqual(byOrder, look({}));
  t.deepEqual(look({}, { id: '331726482920497153' }), { outcome: 'not_found' });
  t.deepEqual(assess([], asked), { outcome: 'not_found' });
});

const refusals: [what: string, changes: Partial<ExchangePayment>, about: string][] = [
  ['is a refund', { kind: 'refund' }, 'not_incoming'],
  ['is of another kind of order', { kind: 'other' }, 'not_incoming'],
  ['went out', { amount: '-4.1667' }, 'not_incoming'],
  ['is of nothing', { amount: '0.00' }, 'not_incoming'],
  ['was refunded', { state: 'refunded' }, 'not_incoming'],
  ['was cancelled', { state: 'failed' }, 'failed'],
  ['went to another user', { recipientId: '34355668' }, 'recipient'],
  ['went to a user whose id begins alike', { recipientId: '343556671' }, 'recipient'],
  ['was of another currency', { currency: 'BNB' }, 'currency'],
  ['was of a currency of a similar name', { currency: 'USDTX' }, 'currency'],
  ['was of a currency of another spelling', { currency: 'usdt' }, 'currency'],
  ['is too old', { at: OPENED - EARLIER_MS - 1 }, 'time'],
  ['is pending and too old', { state: 'pending', at: OPENED - EARLIER_MS - 1 }, 'time'],
];
for (const [what, changes, about] of refusals) {
  test(`a payment that ${what} is refused`, (t) => {
    t.deepEqual<unknown, unknown>(look(changes), { outcome: 'refused', about });
  });
}

test('a payment without a receiver returns not_found, so that it is looked up again', (t) => {
  t.deepEqual(look({ recipientId: null }), { outcome: 'not_found' });
});

test('a payment is old enough to the millisecond', (t) => {
  t.is(look({ at: OPENED - EARLIER_MS }).outcome, 'found');
});

test('a pending order is not final, whatever comes of it; one that nobody paid is not found', (t) => {
  const pending = look({ state: 'pending' });
  t.is(pending.outcome, 'not_final');
  t.is(look({ state: 'unpaid' }).outcome, 'not_found');
});

test('amounts are exact to the last of 18 decimals, and never floats', (t) => {
  for (const [amount, units] of [
    ['0.000000000000000001', 1n],
    ['23.72469206', 23_724_692_060_000_000_000n],
    ['9007199254740993.00000001', 9_007_199_254_740_993_000_000_010_000_000_000n],
  ] as const) {
    const seen = look({ amount });
    t.deepEqual(seen.outcome === 'found' && seen.payment.amounts, [units], amount);
  }
});

test('an unreadable amount or a time in the future returns unavailable', (t) => {
  for (const amount of ['', '1e3', 'NaN', '1,000.00', '4.1667 USDT', '+4.1667', '৪.১৬৬৭', '0x10']) {
    t.is(look({ amount }).outcome, 'unavailable', amount);
  }
  t.is(look({ at: NOW + 11 * 60_000 }).outcome, 'unavailable');
  t.is(look({ at: NOW + 9 * 60_000 }).outcome, 'found');
});

test('an order that was refunded later is not an incoming payment', (t) => {
  const refund: ExchangePayment = {
    ...paid,
    reference: 'M_P_71505104267788299',
    kind: 'refund',
    amount: '-4.1667',
  };
  for (const id of ['331726482920497152', paid.reference, refund.reference]) {
    for (const payments of [
      [paid, refund],
      [refund, paid],
    ]) {
      const seen = assess(payments, { ...asked, id });
      t.deepEqual<unknown, unknown>(seen, { outcome: 'refused', about: 'not_incoming' }, id);
    }
  }
});

test('of an order that was paid in parts the first is taken, and each by its own id', (t) => {
  const later = { ...paid, reference: 'M_P_71505104267788300', at: paid.at + 1_000 };
  const referenceOf = (id: string, payments: readonly ExchangePayment[]) => {
    const seen = assess(payments, { ...asked, id });
    return seen.outcome === 'found' && seen.payment.reference;
  };
  t.is(referenceOf('331726482920497152', [later, paid]), paid.reference);
  t.is(referenceOf('331726482920497152', [paid, later]), paid.reference);
  t.is(referenceOf(later.reference, [paid, later]), later.reference);
});

test('payments of other people do not change the result', (t) => {
  const other = { ...paid, reference: 'OTHER1', aliases: ['OTHER2'], recipientId: '1', currency: 'BNB' };
  t.deepEqual(assess([other, paid, other], asked), look({}));
});
