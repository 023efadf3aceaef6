/** The books of wallets: whole to the paisa, or the difference with its reason; on both engines. */
import test from 'ava';
import { closeGap } from '../../../src/actions/balance-gaps/list-gaps.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { booksOfDay, reportBalances } from '../../../src/actions/reports/report-balances.js';
import { closeSms } from '../../../src/actions/sms/close-sms.js';
import { idIn, MINUTE, till } from '../../helpers/shop/balance-till.js';
import { answer } from '../../helpers/shop/scene.js';
import { bkashId, openShop, WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;
const TODAY = '2026-08-21';

for (const engine of engines) {
  test(`${engine}: a day is whole, and says what of it was credited and what nobody claimed`, async (t) => {
    const { core, shop, paid, clock } = await till(t, engine);
    const text = paid(50_050, 1);
    await shop.receive(text, paid(1, 2), paid(9_999, 2));
    const order = await shop.order(50_050);
    t.is(await answer(core, shop, order, /TrxID (\w+)/.exec(text)?.[1] ?? ''), 'completed');
    const [row, ...others] = await booksOfDay(core, TODAY);
    t.deepEqual(others, []);
    t.deepEqual(row, {
      date: TODAY,
      merchant: 'Alo Store',
      channel: 'mfs_a',
      recipient: WALLET,
      texts: 3,
      begin: '1000.00',
      in: '600.50',
      out: '0.00',
      fee: '0.00',
      end: '1600.50',
      difference: '0.00',
      credited: '500.50',
      ...{ parts: '0.00', unclaimed: '100.00', returned: '0.00', own: '0.00', other: '0.00' },
      refunded: '0.00',
      state: 'whole',
      last_text_at: '2026-08-21T12:02:00+06:00',
      reasons: [],
      transfers: [],
    });
    clock.advance(DAY);
    t.deepEqual(await booksOfDay(core, '2026-08-22'), [], 'a day without SMS says nothing');
    t.is((await reportBalances(core, { fromMs: clock.now() - 10 * DAY })).length, 1);
    t.deepEqual(
      await reportBalances(core, { fromMs: clock.now() - 9 * DAY, toMs: clock.now() - 5 * DAY }),
      [],
    );
  });

  test(`${engine}: a missing SMS shows as the difference until it arrives or is explained`, async (t) => {
    const { core, shop, paid, look } = await till(t, engine);
    const [first, lost, last] = [paid(10_000, 1), paid(20_000, 2), paid(30_000, 3)];
    await shop.receive(first, last);
    await look();
    const [missing] = await booksOfDay(core, TODAY);
    t.like(missing, { state: 'missing', difference: '200.00', in: '400.00', end: '1600.00' });
    const [reason] = missing?.reasons ?? [];
    t.like(reason, {
      difference: '200.00',
      from: '2026-08-21T12:01:00+06:00',
      until: '2026-08-21T12:03:00+06:00',
      cause: 'sms_missing',
    });
    const gap = reason?.gap ?? '';
    t.regex(gap, /^gap_/);
    await closeGap(core, { id: gap, note: 'Savings of August', who: 'test' });
    const [explained] = await booksOfDay(core, TODAY);
    t.like(explained, { state: 'explained', difference: '200.00' });
    t.is(explained?.reasons[0]?.cause, 'closed');
    await shop.receive(lost);
    t.like((await booksOfDay(core, TODAY))[0], { state: 'whole', difference: '0.00', in: '600.00' });
  });

  test(`${engine}: refunds, parts and closed money explain the day, and a transfer without a refund is listed`, async (t) => {
    const { core, shop, paid, sent, clock } = await till(t, engine);
    const [part, twice, own] = [paid(30_000, 1), paid(20_000, 2), paid(5_000, 3)];
    await shop.receive(part, twice, own);
    t.is(await answer(core, shop, await shop.order(50_000, true), idIn(part)), 'part');
    await closeSms(core, { id: idIn(own), note: 'float', as: 'own', who: 'test' });
    const [refund] = await createRefund(core, { of: idIn(twice), note: 'paid twice', who: 'test' });
    clock.advance(10 * MINUTE);
    const [back, other] = [sent(20_000, 35, '01711000081'), sent(1_000, 36, '01711000099')];
    await shop.receive(back, other);
    const [row] = await booksOfDay(core, TODAY);
    t.like(row, { in: '550.00', out: '210.00', fee: '10.00', difference: '0.00', state: 'whole' });
    const money = {
      credited: '300.00',
      parts: '300.00',
      unclaimed: '0.00',
      returned: '200.00',
      own: '50.00',
    };
    t.like(row, { ...money, other: '0.00', refunded: '200.00' });
    t.deepEqual(
      row?.transfers.map(({ reference, payee, refund: of }) => [reference, payee, of]),
      [
        [idIn(back), '01711000081', refund?.id],
        [idIn(other), '01711000099', null],
      ],
    );
  });

  test(`${engine}: each wallet of each merchant has its own books, and merchants do not see each other's`, async (t) => {
    const { core, shop, paid } = await till(t, engine);
    const other = await openShop(core, 'Other', '01711000055');
    const text = paid(10_000, 1);
    await shop.receive(text);
    await other.receive(text.replace(/TrxID \w+/, `TrxID ${bkashId(core.clock.now(), 77)}`));
    const walletsOf = async (merchant?: string) =>
      (await reportBalances(core, { fromMs: core.clock.now(), merchant })).map(({ recipient }) => recipient);
    t.deepEqual(await walletsOf(), [WALLET, '01711000055']);
    t.deepEqual(await walletsOf('Other'), ['01711000055']);
    await t.throwsAsync(walletsOf('none'), { code: 'not_found' });
    await t.throwsAsync(reportBalances(core, { fromMs: core.clock.now() - 367 * DAY }), {
      code: 'invalid_input',
    });
  });
}
