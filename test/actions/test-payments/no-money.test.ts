/** Played payments are in no report, figure, alert, export or chain: the books are as without them. */
import test, { type ExecutionContext } from 'ava';
import { addAlertTarget } from '../../../src/actions/alerts/alert-targets.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { raiseDueSummaries } from '../../../src/actions/alerts/raise-due-summaries.js';
import { verifyAudit } from '../../../src/actions/audit/verify-audit.js';
import { findGaps } from '../../../src/actions/balance-gaps/find-gaps.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { listBrands } from '../../../src/actions/brands/brand-view.js';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkShops, checkTenants } from '../../../src/actions/doctor/check-shops.js';
import { listMerchants } from '../../../src/actions/merchants/merchant-view.js';
import { reportBalances } from '../../../src/actions/reports/report-balances.js';
import { reportDevices } from '../../../src/actions/reports/report-devices.js';
import { reportChannels, reportDays } from '../../../src/actions/reports/report-payments.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { exportPages } from '../../../src/actions/sessions/export-payments.js';
import { followPayments } from '../../../src/actions/sessions/follow-payments.js';
import { listPayments, showPayment } from '../../../src/actions/sessions/list-payments.js';
import { listSms } from '../../../src/actions/sms/list-sms.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { openActivity } from '../../../src/actions/upkeep/count-activity.js';
import { loadDashboard } from '../../../src/actions/upkeep/load-dashboard.js';
import { loadFigures } from '../../../src/actions/upkeep/load-figures.js';
import { SCENARIOS } from '../../../src/domain/accounts/test-accounts.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { type engines, enginesOfTier } from '../../helpers/stores/engines.js';

const DAY = 86_400_000;
const who = 'test';

async function readAll<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** All that tells an owner of money. */
async function books(core: Core) {
  const fromMs = core.clock.now() - DAY;
  const { payments, reviews, unclaimed, alerts } = await loadDashboard(core);
  const { openSessions, openReviews, openGaps } = await loadFigures(core);
  const verified = await verifyAudit(core, {
    expected: null,
    signal: new AbortController().signal,
    onRows: () => {},
  });
  const credits = await core.store.read((db) =>
    db.query.selectFrom('audit_chain').where('kind', '=', 'credit').select('row_id').execute(),
  );
  return {
    days: await reportDays(core, { fromMs }),
    channels: await reportChannels(core, { fromMs }),
    balances: await reportBalances(core, { fromMs }),
    devices: (await reportDevices(core, { fromMs })).map(({ sms, completed, paid }) => ({
      sms,
      completed,
      paid,
    })),
    board: { payments, reviews, unclaimed, alerts },
    figures: { openSessions, openReviews, openGaps },
    exported: await readAll(exportPages(core, {})),
    listed: await listPayments(core, { limit: 99 }),
    reviews: await listReviews(core, { state: null, limit: 99 }),
    sms: await listSms(core, { limit: 99 }),
    alerts: await listAlerts(core, { open: false, limit: 99 }),
    merchants: await listMerchants(core),
    doctor: [await checkShops(core), await checkTenants(core)],
    audit: [verified.ok, credits],
  };
}

async function openShops(t: ExecutionContext, engine: (typeof engines)[number]) {
  const on = await scene(t, engine);
  const { core, shop, money } = on;
  const events = 'all payment.completed';
  await addAlertTarget(core, { target: { kind: 'command', command: 'true' }, choices: { events }, who });
  const order = await shop.order(50_000);
  const { text, trxId } = money('500.00');
  await shop.receive(text);
  t.is(await answer(core, shop, order, trxId), 'completed');
  return on;
}

async function playEverything(core: Core, merchant: string): Promise<string[]> {
  await createBrand(core, { merchant, name: 'Trial', test: true, who });
  const ids: string[] = [];
  for (const channel of ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'] as const) {
    for (const play of SCENARIOS) {
      const { id } = await createSession(core, {
        brand: await brandContext(core, 'Trial'),
        hosted: null,
        ...{ cusName: 'Customer', cusEmail: '', amountPaisa: 77_700, metaJson: null },
      });
      await simulatePayment(core, { payment: id, channel, play, who });
      ids.push(id);
    }
  }
  return ids;
}

for (const engine of enginesOfTier) {
  test(`${engine}: the books are the same as before, whatever was played`, async (t) => {
    const { core, shop, clock } = await openShops(t, engine);
    clock.advance(1);
    const before = await books(core);
    t.is(before.listed.length, 1);
    t.deepEqual(before.board.payments.today, {
      ...before.board.payments.today,
      completed: 1,
      paid: '500.00',
    });
    const count = openActivity(core);
    const ids = await playEverything(core, shop.merchantId);
    const { id } = await createSession(core, {
      brand: await brandContext(core, 'Trial'),
      hosted: {
        successUrl: 'https://shop.example.com/a',
        cancelUrl: 'https://shop.example.com/b',
        webhookUrl: null,
        returnType: 'GET',
      },
      ...{ cusName: 'Customer', cusEmail: '', amountPaisa: 77_700, metaJson: null },
    });
    await cancelSession(core, id);
    await findGaps(core);
    await raiseDueSummaries(core);
    t.deepEqual(await books(core), before);
    t.deepEqual(await count(), {
      ...{ opened: {}, completed: {}, paisa: {}, failed: {}, sms: {} },
      ...{ refunds: {}, refundedPaisa: {} },
    });
    clock.advance(1_000);
    // Not because nothing happened.
    const statuses = await Promise.all(ids.map(async (one) => (await showPayment(core, one)).status));
    t.is(statuses.filter((status) => status === 'COMPLETED').length, 4);
    const shown = await listPayments(core, { test: true, limit: 99 });
    t.is(shown.length, ids.length + 1);
    t.true(shown.every((row) => row.test && row.brand === 'Trial'));
    t.is((await listPayments(core, { brand: 'Trial', limit: 99 })).length, ids.length + 1);
    const waiting = await listReviews(core, { state: 'OPEN', test: true, limit: 99 });
    t.is(waiting.length, 4);
    t.true(waiting.every((row) => row.test));
  });

  test(`${engine}: books of a test brand are refused, and say where its payments are`, async (t) => {
    const { core, shop } = await openShops(t, engine);
    await createBrand(core, { merchant: shop.merchantId, name: 'Trial', test: true, who });
    const fromMs = core.clock.now() - DAY;
    for (const ask of [
      () => reportDays(core, { fromMs, brand: 'Trial' }),
      () => reportChannels(core, { fromMs, brand: 'Trial' }),
      () => readAll(exportPages(core, { brand: 'Trial' })),
    ]) {
      await t.throwsAsync(ask(), { code: 'state_refused', message: /test brand/ });
    }
    t.like(await listBrands(core, { merchant: shop.merchantId }), [{ kind: 'live' }, { kind: 'test' }]);
    const [live, trial] = await listBrands(core, {});
    t.deepEqual([trial?.merchant_id, trial?.merchant], [live?.merchant_id, live?.merchant]);
  });

  test(`${engine}: following payments shows those of a test brand only by its name`, async (t) => {
    const { core, shop, clock } = await openShops(t, engine);
    await playEverything(core, shop.merchantId);
    const follow = async (brand?: string) => {
      const ends = new AbortController();
      const seen: boolean[] = [];
      const about = { brand, sinceMs: clock.now() - DAY, everyMs: 1, signal: ends.signal };
      for await (const { payment } of followPayments(core, about)) {
        seen.push(payment.test);
        // What does not belong here would come with it, or in the next rounds.
        if (seen.length === 1) setTimeout(() => ends.abort(), 500);
      }
      return [...new Set(seen)];
    };
    t.deepEqual(await follow(), [false]);
    t.deepEqual(await follow('Trial'), [true]);
  });
}
