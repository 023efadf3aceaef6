/** What the board says beside lists: money that nobody claimed, totals of days, gaps, nodes never asked. */
import test from 'ava';
import { raiseAlert } from '../../src/actions/alerts/raise-alert.js';
import { closeGap } from '../../src/actions/balance-gaps/list-gaps.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import type { Core } from '../../src/actions/core/core.js';
import { reportDays } from '../../src/actions/reports/report-payments.js';
import { approveReview, rejectReview } from '../../src/actions/reviews/decide-review.js';
import { loadDashboard, showUnclaimed } from '../../src/actions/upkeep/load-dashboard.js';
import { unclaimedPanel } from '../../src/monitor/panels.js';
import { insertNode, putHealth } from '../../src/store/tables/nodes.js';
import { bkashId, bkashText, openShop, type Shop } from '../helpers/shop/shop.js';
import { enginesOfTier, openTestCore, testClock } from '../helpers/stores/engines.js';
import { openGapOf } from './gaps.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 21 August 2026, 23:30 in Dhaka. */
const LATE = Date.UTC(2026, 7, 21, 17, 30);
/** The moment at which that day began there. */
const MIDNIGHT = Date.UTC(2026, 7, 20, 18);

/** A text of so many taka; the payment of that price is opened and claimed where that is asked for. */
async function receive(core: Core, shop: Shop, serial: number, taka: number, price: number | null) {
  const reference = bkashId(core.clock.now(), serial);
  const session = price === null ? null : await shop.order(price * 100);
  await shop.receive(bkashText({ taka: `${taka}.00`, trxId: reference, at: core.clock.now() }));
  if (session !== null) {
    await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
  }
  return reference;
}

test('unclaimed money that is in doubt is marked', (t) => {
  const one = {
    at: '2026-08-21T12:35:00+06:00',
    came_at: '2026-08-21T12:35:00+06:00',
    channel: 'mfs_a',
  } as const;
  const money = {
    ...one,
    amount: '250.00',
    reference: 'DHK4TYP001',
    payer: null,
    recipient: null,
    paid_before: null,
    told_by: null,
  };
  const latest = (['auto', 'review'] as const).map((settle) => ({ ...money, id: `prf_${settle}`, settle }));
  const { rows } = unclaimedPanel({ count: 2, sum: '500.00', latest }, LATE);
  t.deepEqual(
    rows.map(({ cells }) => cells[1]?.text),
    ['250.00', '?250.00'],
  );
  t.is(rows[1]?.cells[1]?.tone, 'warn');
  const twice = {
    ...money,
    id: 'prf_1',
    settle: 'auto' as const,
    payer: '01711000081',
    paid_before: 'PAID1',
  };
  const panel = unclaimedPanel({ count: 1, sum: '250.00', latest: [twice] }, LATE);
  t.like(panel.rows[0]?.cells[4], { text: '01711000081 twice?', shorter: ['…0081 twice', 'twice'] });
});

for (const engine of enginesOfTier) {
  test(`${engine}: money that nobody claimed is listed, the newest first, until it is claimed`, async (t) => {
    const clock = testClock(LATE);
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    const listed = async () => (await loadDashboard(core)).unclaimed;
    t.deepEqual(await listed(), { count: 0, sum: '0.00', latest: [] });
    const old = await receive(core, shop, 1, 410, null);
    clock.advance(1_000);
    await receive(core, shop, 2, 500, 500);
    const newer = await receive(core, shop, 3, 75, null);
    // More than is due waits for a person, who is asked about it: it is claimed.
    const claimed = await receive(core, shop, 4, 900, 500);
    const { count, sum, latest } = await listed();
    t.deepEqual([count, sum], [2, '485.00']);
    t.deepEqual(
      latest.map(({ reference, amount, told_by }) => [reference, amount, told_by]),
      [
        [newer, '75.00', 'Alo Store phone'],
        [old, '410.00', 'Alo Store phone'],
      ],
    );
    t.like(await showUnclaimed(core, latest[1]?.id ?? ''), { reference: old, payment: null });
    await t.throwsAsync(showUnclaimed(core, 'prf_none'), { code: 'not_found' });

    const [review] = (await loadDashboard(core)).reviews.oldest;
    const decision = { id: review?.id ?? '', note: 'not theirs', who: 'test' };
    await rejectReview(core, decision);
    t.is((await listed()).latest[0]?.reference, claimed);

    const session = await shop.order(41_000);
    await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference: old });
    t.deepEqual(
      (await listed()).latest.map(({ reference }) => reference),
      [claimed, newer],
    );
  });

  test(`${engine}: today and yesterday are days of Bangladesh, and money counts when it is credited`, async (t) => {
    const clock = testClock(MIDNIGHT);
    const core = await openTestCore(t, engine, { clock });
    const shop = await openShop(core);
    await receive(core, shop, 4, 7, 7);
    clock.advance(LATE - MIDNIGHT);
    await receive(core, shop, 1, 100, 100);
    await receive(core, shop, 2, 900, 500);
    const [review] = (await loadDashboard(core)).reviews.oldest;
    clock.advance(HOUR);
    await receive(core, shop, 3, 30, 30);
    const totals = async () => {
      const { today, yesterday } = (await loadDashboard(core)).payments;
      return { today, yesterday };
    };
    t.deepEqual(await totals(), {
      today: { date: '2026-08-22', completed: 1, paid: '30.00', refunded: '0.00' },
      yesterday: { date: '2026-08-21', completed: 2, paid: '107.00', refunded: '0.00' },
    });
    await approveReview(core, { id: review?.id ?? '', note: 'keeps it', who: 'test' });
    t.like((await totals()).today, { completed: 2, paid: '930.00' });
    const days = await reportDays(core, { fromMs: LATE });
    t.deepEqual(
      days.map(({ date, completed, paid, refunded }) => ({ date, completed, paid, refunded })),
      [(await totals()).yesterday, (await totals()).today],
    );
    clock.advance(2 * DAY);
    t.like(await totals(), { today: { completed: 0, paid: '0.00' }, yesterday: { completed: 0 } });
  });

  test(`${engine}: an alert of gaps names the gaps that are open, and none that is closed`, async (t) => {
    const core = await openTestCore(t, engine);
    const shop = await openShop(core);
    const incident = 'sms.gap:test';
    const ids = ['gap_1', 'gap_2'];
    await core.store.write(async (db) => {
      for (const id of ids) await openGapOf(db, shop, { id, alert: incident });
      await raiseAlert(core, db, {
        kind: 'device.battery_low',
        detail: { battery: 17 },
        merchantId: shop.merchantId,
        incident,
      });
    });
    const gaps = async () => (await loadDashboard(core)).alerts.latest[0]?.gaps.map(({ id }) => id);
    t.deepEqual(await gaps(), ids);
    await closeGap(core, { id: 'gap_1', note: 'savings', who: 'test' });
    t.deepEqual(await gaps(), ['gap_2']);
  });

  test(`${engine}: a node that nobody has asked is neither ok nor failing`, async (t) => {
    const core = await openTestCore(t, engine);
    const states = async () => (await loadDashboard(core)).nodes.map(({ state }) => state);
    await core.store.write((db) =>
      insertNode(db, {
        ...{ id: 'node_1', chain_id: 56, origin: 'https://one.example', url: 'sealed', url_hash: 'one' },
        ...{ priority: 0, batches: 1, created_at: 0 },
      }),
    );
    t.deepEqual(await states(), ['never_asked']);
    const health = { source_id: 'node_1', calls: 1, failures: '{}' };
    const failed = { last_failure_at: 5, last_failure_kind: 'timeout', last_failure_detail: 'late' };
    const never = { last_failure_at: null, last_failure_kind: null, last_failure_detail: null };
    for (const [change, state] of [
      [{ last_ok_at: null, ...failed }, 'failing'],
      [{ last_ok_at: 5, ...failed }, 'ok'],
      [{ last_ok_at: 4, ...failed }, 'failing'],
      [{ last_ok_at: 4, ...never }, 'ok'],
    ] as const) {
      await core.store.write(async (db) => {
        await db.query.deleteFrom('source_health').execute();
        await putHealth(db, { ...health, ...change });
      });
      t.deepEqual(await states(), [state]);
    }
  });
}
