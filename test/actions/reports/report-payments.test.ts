/** Totals by day of Bangladesh and by channel, to the paisa; on both engines. */
import test from 'ava';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import {
  reportChannels,
  reportDays,
  reportTodayAndYesterday,
} from '../../../src/actions/reports/report-payments.js';
import { openBank } from '../../helpers/shop/bank.js';
import { answer, refundSent, scene } from '../../helpers/shop/scene.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const DHAKA = 6 * HOUR;
const NONE = { refunded: '0.00', refund_fee: '0.00' };

for (const engine of engines) {
  test(`${engine}: a day ends at midnight in Bangladesh, and every day is listed`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    const pay = async (taka: string) => {
      const order = await shop.order(Number(taka.replace('.', '')));
      const { text, trxId } = money(taka);
      await shop.receive(text);
      t.is(await answer(core, shop, order, trxId), 'completed');
    };
    const startOfToday = Math.floor((clock.now() + DHAKA) / DAY) * DAY - DHAKA;
    // One minute before midnight, one after it, and nothing on the day between.
    clock.advance(startOfToday + DAY - 60_000 - clock.now());
    const first = clock.now();
    await pay('500.50');
    clock.advance(120_000);
    await pay('0.01');
    await pay('99.99');
    await shop.order(10_000);
    clock.advance(2 * DAY);
    await pay('7.00');
    const days = await reportDays(core, { fromMs: first });
    const rows = days.map(({ opened, completed, failed, paid, fee }) => [
      opened,
      completed,
      failed,
      paid,
      fee,
    ]);
    t.deepEqual(rows, [
      [1, 1, 0, '500.50', '0.00'],
      [3, 2, 1, '100.00', '0.00'],
      [0, 0, 0, '0.00', '0.00'],
      [1, 1, 0, '7.00', '0.00'],
    ]);
    const dates = days.map(({ date }) => date);
    t.is(dates[0], new Date(first + DHAKA).toISOString().slice(0, 10));
    t.deepEqual(dates, [...dates].sort());
    t.is(new Set(dates).size, 4);
    t.is((await reportDays(core, { fromMs: clock.now() })).length, 1, 'today alone');
  });

  test(`${engine}: channels add up with their shares, and a brand is counted alone`, async (t) => {
    const { core, shop, money, clock } = await scene(t, engine);
    const other = await openShop(core, 'Other Store', '01711000055');
    const bank = await openBank(core, shop);
    for (const [at, taka] of [
      [shop, '200.00'],
      [other, '100.00'],
    ] as const) {
      const order = await at.order(Number(taka.replace('.', '')));
      const { text, trxId } = money(taka);
      await at.receive(text);
      t.is(await answer(core, at, order, trxId), 'completed');
    }
    const all = await reportChannels(core, { fromMs: clock.now() });
    t.deepEqual(all, [
      { channel: 'mfs_a', completed: 2, paid: '300.00', fee: '0.00', ...NONE, net: '300.00', share: '100.0' },
    ]);
    t.deepEqual(await reportChannels(core, { fromMs: clock.now(), brand: 'Other Store' }), [
      { channel: 'mfs_a', completed: 1, paid: '100.00', fee: '0.00', ...NONE, net: '100.00', share: '100.0' },
    ]);
    const order = await bank.order();
    await bank.push({ reference: 'RRN1', payer: '01712345678' });
    t.is(await bank.verify(order.id, '01712345678'), 'RRN1');
    const two = await reportChannels(core, { fromMs: clock.now() });
    t.is(two.length, 2);
    const shares = two.map(({ share }) => Number(share));
    t.is(Math.round(shares.reduce((sum, share) => sum + share, 0)), 100);
    t.true((shares[0] ?? 0) >= (shares[1] ?? 0));
    await t.throwsAsync(reportChannels(core, { fromMs: 0 }), { code: 'invalid_input' });
    await t.throwsAsync(reportDays(core, { fromMs: clock.now(), brand: 'none' }), { code: 'not_found' });
  });

  test(`${engine}: a part is money without a completed payment, and a refund counts on the day it was sent`, async (t) => {
    const { core, shop, receive, clock } = await scene(t, engine);
    await updateBrand(core, { brand: shop.brand.name, sessionMinutes: 2_880, who: 'test' });
    const first = clock.now();
    const order = await shop.order(50_000, true);
    const part = await receive('300.00');
    t.is(await answer(core, shop, order, part), 'part');
    const totals = async () =>
      (await reportDays(core, { fromMs: first })).map(({ date: _, opened: __, ...day }) => day);
    const day = { completed: 0, failed: 0, paid: '300.00', fee: '0.00', ...NONE, net: '300.00' };
    t.deepEqual(await totals(), [day]);
    clock.advance(DAY);
    const rest = await receive('200.00');
    t.is(await answer(core, shop, order, rest), 'completed');
    await refundSent(core, part, 25_000);
    await createRefund(core, { of: rest, note: 'returned goods', who: 'test' });
    // What was never paid for anything is in no sum.
    await refundSent(core, await receive('40.00'));
    const refunded = { completed: 1, paid: '200.00', refunded: '250.00', refund_fee: '5.00', net: '-55.00' };
    t.deepEqual(await totals(), [day, { ...day, ...refunded }]);
    const [channel] = await reportChannels(core, { fromMs: first });
    t.like(channel, { completed: 1, paid: '500.00', refunded: '250.00', net: '245.00', share: '100.0' });
    const { today, yesterday } = await reportTodayAndYesterday(core);
    t.like(today, { completed: 1, paid: '200.00', refunded: '250.00' });
    t.like(yesterday, { completed: 0, paid: '300.00', refunded: '0.00' });
  });
}
