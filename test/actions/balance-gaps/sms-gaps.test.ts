/** SMS that never came: found by the balances of others, asked for, told of, closed when they come. */
import test from 'ava';
import { findGaps } from '../../../src/actions/balance-gaps/find-gaps.js';
import { closeGap, listGaps } from '../../../src/actions/balance-gaps/list-gaps.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import {
  alertsOf,
  askedSince,
  MINUTE,
  resend,
  SECOND,
  START,
  till,
} from '../../helpers/shop/balance-till.js';
import { rows } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { BKASH, bkash } from '../../helpers/shop/sms.js';
import { engines } from '../../helpers/stores/engines.js';
import { findByIndex, recorded } from '../../helpers/stores/plans.js';
import { auditOf } from '../../helpers/stores/rows.js';

for (const engine of engines) {
  test(`${engine}: a missing SMS is asked for, and its gap closes when the phone sends it`, async (t) => {
    const { core, shop, paid, look } = await till(t, engine);
    let called = 0;
    core.called.listen(shop.deviceId, () => {
      called += 1;
    });
    const [first, lost, last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
    await shop.receive(first, last);
    await look();
    t.like(await listGaps(core, { limit: 10 }), [
      {
        merchant: 'Alo Store',
        channel: 'mfs_a',
        recipient: WALLET,
        missing: '200.00',
        direction: 'in',
        before_at: dhakaIso(START),
        sms_at: dhakaIso(START + 6 * MINUTE),
        closed_at: null,
      },
    ]);
    t.is(await askedSince(core, shop), START);
    t.is(called, 1);
    t.is((await resend(core, shop, START, [first, lost, last])).resendSince, null);
    t.is(await askedSince(core, shop), null);
    await look();
    t.like(await listGaps(core, { limit: 10 }), [{ closed_by: 'sms' }]);
    t.deepEqual(await alertsOf(core), [], 'nobody needs to be told');
  });

  test(`${engine}: when several daemons look at once, one reports a gap`, async (t) => {
    const { clock, core, shop, paid, look } = await till(t, engine, 'forwarder');
    const [first, , last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
    await shop.receive(first, last);
    clock.advance(20 * SECOND);
    await Promise.all([findGaps(core), findGaps(core), findGaps(core)]);
    t.is((await listGaps(core, { limit: 10 })).length, 1);
    clock.advance(5 * MINUTE);
    const told = await Promise.all([findGaps(core), findGaps(core), findGaps(core)]);
    t.is(told.flatMap((one) => one.told).length, 1);
    t.is((await alertsOf(core)).length, 1);
    await look();
  });

  test(`${engine}: every statement of a look for gaps finds its rows by an index`, async (t) => {
    const { clock, core, shop, paid, look } = await till(t, engine);
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const [first, lost, last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
    await shop.receive(first, last);
    clock.advance(20 * SECOND);
    await findGaps(watched);
    await resend(watched, shop, START);
    clock.advance(5 * MINUTE);
    await findGaps(watched);
    await shop.receive(lost);
    clock.advance(20 * SECOND);
    await findGaps(watched);
    await look();
    // Where alerts go are a handful of rows, and the one row that says how far it was looked is a table.
    for (const sql of statements.keys())
      if (/alert_targets|from "gap_looks"/.test(sql)) statements.delete(sql);
    t.true(statements.size > 15, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });

  test(`${engine}: a gap that the phone cannot fill raises one alert, a minute after its answer`, async (t) => {
    const { clock, core, shop, paid, look } = await till(t, engine);
    const [first, lost, last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
    await shop.receive(first, last);
    await look();
    await resend(core, shop, START, [first, last]);
    await look();
    t.deepEqual(await alertsOf(core), []);
    clock.advance(MINUTE);
    t.is((await findGaps(core)).told.length, 1);
    const detail = {
      channel: 'mfs_a',
      recipient: WALLET,
      missing: '200.00',
      direction: 'in',
      from: dhakaIso(START),
      until: dhakaIso(START + 6 * MINUTE),
    };
    t.deepEqual(await alertsOf(core), [{ detail, isOver: false }]);
    clock.advance(120 * MINUTE);
    t.is((await findGaps(core)).told.length, 0);
    await addSms(core, { merchant: 'Alo Store', recipient: WALLET, sender: BKASH, text: lost, who: 'test' });
    await look();
    t.deepEqual(await alertsOf(core), [{ detail, isOver: true }]);
  });

  test(`${engine}: a forwarder is not asked, an app is, and both raise an alert after five minutes`, async (t) => {
    for (const agent of ['forwarder', 'app'] as const) {
      const { clock, core, shop, paid, look } = await till(t, engine, agent);
      const [first, , last] = [paid(50_000, 0), paid(20_000, 3), paid(10_000, 6)];
      await shop.receive(first, last);
      await look();
      t.is(await askedSince(core, shop), agent === 'app' ? START : null);
      clock.advance(5 * MINUTE - SECOND);
      t.is((await findGaps(core)).told.length, 0);
      clock.advance(SECOND);
      t.is((await findGaps(core)).told.length, 1);
    }
  });
}

test('a gap that is found while another of its wallet is followed is one more gap', async (t) => {
  const { clock, core, shop, paid, look } = await till(t, 'sqlite');
  const [first, , third, , fifth] = [0, 2, 4, 6, 8].map((minute) => paid(1_000, minute));
  await shop.receive(first ?? '', third ?? '');
  await look();
  clock.advance(10 * MINUTE);
  await shop.receive(fifth ?? '');
  await findGaps(core);
  const gaps = await listGaps(core, { open: true, limit: 10 });
  t.deepEqual(
    gaps.map(({ missing }) => missing),
    ['10.00', '10.00'],
  );
});

test('SMS that come late, and in another order than they were sent, leave no gap behind', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const texts = [0, 0, 0, 2, 3, 3, 9].map((minute, index) => paid(1_000 * (index + 1), minute));
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = texts;
  await shop.receive(f, c, a);
  await look();
  await shop.receive(g, d);
  await look();
  await shop.receive(b, e);
  await look();
  t.deepEqual(await listGaps(core, { open: true, limit: 10 }), []);
});

test('two SMS that are missing in a row are one gap, which shrinks when one of them comes', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const [a, b, c, d] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 3)];
  await shop.receive(a, d);
  await look();
  t.like(await listGaps(core, { limit: 10 }), [{ missing: '50.00' }]);
  await shop.receive(b);
  await look();
  const gaps = await listGaps(core, { limit: 10 });
  t.like(gaps, [{ missing: '30.00', before_at: dhakaIso(START + MINUTE), closed_at: null }]);
  await shop.receive(c);
  await look();
  t.deepEqual(await listGaps(core, { open: true, limit: 10 }), []);
});

test('a closed gap raises no more alerts, stays closed, and the audit names who closed it', async (t) => {
  const { clock, core, shop, paid, look } = await till(t, 'sqlite', 'forwarder');
  const [a, , c, d] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 2)];
  await shop.receive(a, c);
  await look();
  clock.advance(5 * MINUTE);
  await findGaps(core);
  const id = (await listGaps(core, { limit: 1 }))[0]?.id ?? '';
  await closeGap(core, { id, note: 'Savings', who: 'cli:test' });
  t.like(await alertsOf(core), [{ isOver: true }]);
  await shop.receive(d);
  await look();
  t.like(await listGaps(core, { limit: 10 }), [{ id, closed_by: 'cli:test' }]);
  t.like((await auditOf(core, id)).at(-1), { action: 'sms.gap_closed', who: 'cli:test' });
  await t.throwsAsync(closeGap(core, { id, note: 'Again', who: 'test' }), { code: 'state_refused' });
  await t.throwsAsync(closeGap(core, { id: 'gap_0', note: 'No', who: 'test' }), { code: 'not_found' });
});

test('gaps of one wallet share an alert, which is over with the last of them', async (t) => {
  const { clock, core, shop, paid, look } = await till(t, 'sqlite', 'forwarder');
  const [a, b, c, d, e] = [paid(1_000, 0), paid(2_000, 1), paid(3_000, 2), paid(4_000, 3), paid(5_000, 4)];
  await shop.receive(a, c, e);
  await look();
  clock.advance(5 * MINUTE);
  t.is((await findGaps(core)).told.length, 1);
  t.is((await listGaps(core, { open: true, limit: 10 })).length, 2);
  await shop.receive(b);
  await look();
  t.like(await alertsOf(core), [{ isOver: false }]);
  await shop.receive(d);
  await look();
  t.like(await alertsOf(core), [{ isOver: true }]);
});

test('forged texts and texts of other wallets have no place in the chain; what cannot be read breaks it', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const a = paid(1_000, 0);
  await shop.receive(a);
  const forged = bkash({
    amount: 'Tk 900.00',
    balance: 'Tk 77,000.00',
    id: 'DHL9ZZZZZZ',
    at: '21/08/2026 12:01',
  });
  const from = { merchant: 'Alo Store', recipient: WALLET, who: 'test' };
  await addSms(core, { ...from, sender: '01711111111', text: forged });
  await shop.receive(paid(2_000, 2));
  await look();
  t.deepEqual(await listGaps(core, { limit: 10 }), []);
  await shop.receive('Payment of Tk 30.00 to EXAMPLE made. TrxID DHL9YYYYYY at 21/08/2026 12:03');
  paid(-3_000, 3);
  await shop.receive(paid(4_000, 4));
  await look();
  t.deepEqual(await listGaps(core, { limit: 10 }), []);
});

test('a gap older than a week is not reported', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const week = 7 * 1_440;
  const [a, , c] = [paid(1_000, -week - 30), paid(2_000, -week - 20), paid(3_000, -week - 10)];
  await shop.receive(a, c);
  await look();
  t.deepEqual(await listGaps(core, { limit: 10 }), []);
});

test('parts of two SMS that a phone has mixed up at a seam count, and leave a gap in the balances', async (t) => {
  const { core, shop, paid, look } = await till(t, 'sqlite');
  const [before, one, two] = [paid(10_000, 0), paid(50_000, 3), paid(20_000, 6)];
  const tornAt = (text: string) => text.indexOf(' Fee');
  await shop.receive(before, `${one.slice(0, tornAt(one))}${two.slice(tornAt(two))}`);
  await look();
  t.deepEqual(
    (await rows(core, 'sms')).map(({ settle }) => settle),
    ['auto', 'auto'],
  );
  t.like(await listGaps(core, { limit: 10 }), [{ missing: '200.00', direction: 'in', closed_at: null }]);
});
