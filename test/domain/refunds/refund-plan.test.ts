/** What goes back to whom: to each payer what that payer has paid, and never more than was paid. */
import test from 'ava';
import { payeeAgrees } from '../../../src/domain/refunds/choose-refund.js';
import {
  type PlannedRefund,
  planRefund,
  type RefundableMoney,
} from '../../../src/domain/refunds/refund-plan.js';
import { sequence } from '../../helpers/sequence.js';

const money = (change: Partial<RefundableMoney> = {}): RefundableMoney => ({
  proof: 'prf_1',
  channel: 'mfs_a',
  amountPaisa: 50_000,
  units: null,
  payer: '01900000001',
  kind: 'received',
  isFromElsewhere: false,
  isDisputed: false,
  ...change,
});
const plan = (all: readonly RefundableMoney[], paisa: number | null = null, feePaisa = 0) =>
  planRefund({ money: all, earlier: [], feePaisa, only: null }, paisa);

test('the payee is the payer that the proof shows in full, and nobody where it shows another number', (t) => {
  const cases: [Partial<RefundableMoney>, payee: string | null, shown: string | null][] = [
    [{}, '01900000001', '01900000001'],
    [{ payer: '+8801900000001' }, '01900000001', '+8801900000001'],
    [{ kind: 'payment_received' }, '01900000001', '01900000001'],
    [{ channel: 'mfs_c', payer: '019000000015' }, '019000000015', '019000000015'],
    [{ channel: 'mfs_c', payer: '***268' }, null, '***268'],
    [{ kind: 'cash_in', payer: '01711000099' }, null, null],
    [{ kind: 'bonus' }, null, null],
    [{ kind: 'add_money' }, null, null],
    [{ isFromElsewhere: true }, null, '01900000001'],
    [{ payer: 'ExampleWeb' }, null, 'ExampleWeb'],
    [{ channel: 'qr_interbank', kind: 'push', payer: '019****0001' }, null, '019****0001'],
    [{ channel: 'bep20', kind: 'transfer', payer: `0x${'ab'.repeat(20)}` }, null, `0x${'ab'.repeat(20)}`],
    [{ channel: 'exchange_pay', kind: 'order', payer: '34355667' }, '34355667', '34355667'],
    [{ channel: 'bank', kind: 'bank_transfer', payer: null }, null, null],
  ];
  for (const [change, payee, shown] of cases) {
    const planned = plan([money(change)]);
    t.is(planned.outcome, 'planned');
    const [refund] = planned.outcome === 'planned' ? planned.refunds : [];
    t.like(refund, { payee, shown }, JSON.stringify(change));
  }
});

test('parts of one payer go back as one refund, those of others on their own, the latest first', (t) => {
  const parts = [
    money({ proof: 'prf_1', amountPaisa: 10_000 }),
    money({ proof: 'prf_2', amountPaisa: 20_000, payer: '01900000002' }),
    money({ proof: 'prf_3', amountPaisa: 30_000 }),
  ];
  t.like(plan(parts), {
    refunds: [
      { proof: 'prf_3', amountPaisa: 40_000, payee: '01900000001' },
      { proof: 'prf_2', amountPaisa: 20_000, payee: '01900000002' },
    ],
  });
  t.like(plan(parts, 45_000), { refunds: [{ amountPaisa: 40_000 }, { proof: 'prf_2', amountPaisa: 5_000 }] });
  const only = planRefund({ money: parts, earlier: [], feePaisa: 0, only: 'prf_2' }, null);
  t.like(only, { refunds: [{ proof: 'prf_2', amountPaisa: 20_000 }] });
  const disputed = parts.map((part) => ({ ...part, isDisputed: part.proof === 'prf_2' }));
  const planOf = (proof: string | null, refunded = 0) => {
    const earlier = [{ proof_id: 'prf_3', amount_paisa: refunded, state: 'COMPLETED' as const }];
    return planRefund({ money: disputed, earlier, feePaisa: 0, only: proof }, null);
  };
  t.like(planOf('prf_1'), { refunds: [{ proof: 'prf_1', amountPaisa: 10_000 }] });
  t.like(planOf('prf_1', 35_000), { refunds: [{ amountPaisa: 5_000 }] }, 'it went back with another');
  for (const proof of [null, 'prf_2']) t.deepEqual(planOf(proof), { outcome: 'disputed' });
});

test('the default leaves the fees out, which go back only if the amount is named', (t) => {
  t.like(plan([money()], null, 1_000), { refunds: [{ amountPaisa: 49_000 }] });
  t.like(plan([money()], 50_000, 1_000), { refunds: [{ amountPaisa: 50_000 }] });
  t.deepEqual(plan([money()], 50_001), { outcome: 'more_than_paid', mostPaisa: 50_000 });
  const earlier = [{ proof_id: 'prf_1', amount_paisa: 49_000, state: 'PENDING' as const }];
  const after = (paisa: number | null) =>
    planRefund({ money: [money()], earlier, feePaisa: 1_000, only: null }, paisa);
  t.deepEqual(after(null), { outcome: 'nothing_left', mostPaisa: 1_000 });
  t.like(after(1_000), { refunds: [{ amountPaisa: 1_000 }] });
  t.deepEqual(plan([money({ isDisputed: true })]), { outcome: 'disputed' });
});

test('USDT goes back in proportion, rounded down', (t) => {
  const usdt = money({ channel: 'bep20', amountPaisa: 60_000, units: '4979300000000000001' });
  t.like(plan([usdt], 20_000), { refunds: [{ units: '1659766666666666667', amountPaisa: 20_000 }] });
});

test('a number agrees with every digit that a text shows', (t) => {
  const agrees = (payee: string, shown: string) => payeeAgrees('mfs_c', payee, shown);
  t.true(agrees('01711000268', '***268'));
  t.true(agrees('017110002685', '***268'), 'the check digit is hidden');
  t.true(agrees('017110002685', '**685'), 'the check digit is shown');
  t.true(agrees('01711000268', '**685'), 'the payee lacks the check digit');
  t.true(agrees('01711000268', '017110002685'));
  t.false(agrees('017110002685', '**684'));
  t.false(agrees('01711000269', '***268'));
  t.false(agrees('01711000269', '017****0268'));
  t.false(agrees('01711000268', '017110002695'));
  t.false(agrees('01711000268', '**68'), 'fewer than three digits');
  t.false(payeeAgrees('mfs_a', '01711000268', '**685'), 'a wallet without check digits');
});

test('100,000 random refunds: nobody gets more than they paid, and no payment loses more than it had', (t) => {
  let count = 0;
  for (let seed = 1; count < 100_000; seed += 1) {
    const below = sequence(seed);
    const all = Array.from({ length: 1 + below(4) }, (_, at) =>
      money({ proof: `prf_${at}`, amountPaisa: 1 + below(5_000), payer: `0190000000${below(3)}` }),
    );
    const feePaisa = below(all[0]?.amountPaisa ?? 1);
    const made: { proof_id: string; amount_paisa: number; state: 'PENDING' | 'CANCELLED'; payee: string }[] =
      [];
    for (let turn = 0; turn < 12; turn += 1) {
      count += 1;
      if (below(5) === 0 && made.length > 0) {
        const one = made[below(made.length)];
        if (one !== undefined) one.state = 'CANCELLED';
        continue;
      }
      const paisa = below(3) === 0 ? null : 1 + below(6_000);
      const only = below(4) === 0 ? (all[below(all.length)]?.proof ?? null) : null;
      const planned = planRefund({ money: all, earlier: made, feePaisa, only }, paisa);
      const refunds: readonly PlannedRefund[] = planned.outcome === 'planned' ? planned.refunds : [];
      if (paisa !== null && refunds.length > 0) {
        t.is(
          refunds.reduce((sum, { amountPaisa }) => sum + amountPaisa, 0),
          paisa,
          `seed ${seed}`,
        );
      }
      for (const { proof, amountPaisa, payee } of refunds) {
        made.push({ proof_id: proof, amount_paisa: amountPaisa, state: 'PENDING', payee: payee ?? '' });
      }
    }
    for (const payer of new Set(all.map(({ payer }) => payer))) {
      const paid = all.filter((one) => one.payer === payer).reduce((sum, one) => sum + one.amountPaisa, 0);
      const back = made
        .filter(({ payee, state }) => payee === payer && state !== 'CANCELLED')
        .reduce((sum, { amount_paisa }) => sum + amount_paisa, 0);
      if (back > paid) return t.fail(`seed ${seed}: ${back} of ${paid} to ${payer}`);
    }
  }
  t.pass();
});
