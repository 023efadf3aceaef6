/** Reads all data of a dashboard, and writes nothing; if one part fails, everything fails. */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { echoed } from '../../base/values/text.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { type AlertEvent, alertText } from '../../domain/alerts/alert.js';
import { expectedJobs, isJobSilent, isLoop } from '../../domain/upkeep/jobs.js';
import {
  deadNotifications,
  dispatchCounts,
  dueNotifications,
  firstDue,
  lastAlerts,
  lastDead,
  openAlerts,
  openedBySlot,
  openGapsOfAlerts,
  openReviewCount,
  SLOT_MS,
} from '../../store/tables/figures.js';
import { jobRuns } from '../../store/tables/job-runs.js';
import { newestUnclaimed, tellingText } from '../../store/tables/money.js';
import { pendingRefundTotals } from '../../store/tables/reports.js';
import type { Core } from '../core/core.js';
import { listDevices } from '../devices/device-view.js';
import { listDispatches } from '../dispatches/dispatches.js';
import { defineView } from '../input/view.js';
import { reportTodayAndYesterday } from '../reports/report-payments.js';
import { listReviews } from '../reviews/list-reviews.js';
import { listPayments } from '../sessions/list-payments.js';
import { listNodes } from '../usdt/nodes.js';
import { findPaidBefore, type PaidBefore } from '../why/paid-twice.js';
import { findForgeries } from '../why/review-facts.js';
import { whyNoWrites } from './prove-writes.js';

/** Steps of the sparklines: an hour. */
const SLOTS = 30;
const MAX_ROWS = 50;

/** Output of `kashbox monitor --json`; scripts rely on these names. Times are in Bangladesh time. */
export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;
export type BoardJob = DashboardData['jobs'][number];
export type BoardAlert = DashboardData['alerts']['latest'][number];
export type BoardNotification = DashboardData['notifications']['failing'][number];

/** @throws KashboxError `store_unreachable`, `store_busy`, `store_damaged` */
export async function loadDashboard(core: Core) {
  const now = core.clock.now();
  return {
    at: dhakaIso(now),
    /** Reason why the store accepts no writes, so that nobody can pay; null if no problem is known. */
    store: { problem: await whyNoWrites(core) },
    devices: await listDevices(core, {}),
    payments: {
      /** Credited and refunded on these days of Bangladesh. */
      ...(await reportTodayAndYesterday(core)),
      last_hour: await lastHour(core, now),
      latest: await listPayments(core, { limit: MAX_ROWS }),
    },
    reviews: {
      waiting: await core.store.read((db) => openReviewCount.first(db, {})).then((row) => Number(row?.count)),
      oldest: await openReviews(core),
    },
    unclaimed: await listUnclaimed(core, MAX_ROWS),
    refunds: await refundsToSend(core),
    notifications: await notifications(core, now),
    dispatches: await dispatches(core),
    nodes: await listNodes(core, {}),
    jobs: await jobs(core, now),
    alerts: await alerts(core),
  };
}

/** Lists reviews; `named_in` is the forgery that names the id of a claim with unseen money, or null. */
async function openReviews(core: Core) {
  const reviews = await listReviews(core, { state: 'OPEN', limit: MAX_ROWS });
  const unseen = reviews.filter(
    ({ seen_at, channel }) => seen_at === null && CHANNEL[channel].kind === 'sms',
  );
  const forgeries = await core.store.read((db) => findForgeries(db, unseen));
  return reviews.map((review) => ({ ...review, named_in: forgeries.get(review.id) ?? null }));
}

/** Counts the payments created in the last hour; `paid` is BDT with two decimals. */
async function lastHour(core: Core, now: number) {
  const first = Math.floor(now / SLOT_MS) - SLOTS + 1;
  const rows = await core.store.read((db) => openedBySlot.all(db, { since: first * SLOT_MS }));
  const counts = { COMPLETED: 0, PENDING: 0, FAILED: 0 };
  const slots = Array.from({ length: SLOTS }, (_, at) => ({ slot: first + at, opened: 0, completed: 0 }));
  let paid = 0;
  for (const { slot, status, count, paisa } of rows) {
    counts[status] += Number(count);
    if (status === 'COMPLETED') paid += Number(paisa);
    const place = slots[Number(slot) - first];
    // What was opened since `now` was asked for.
    if (place === undefined) continue;
    place.opened += Number(count);
    if (status === 'COMPLETED') place.completed += Number(count);
  }
  return {
    opened: counts.COMPLETED + counts.PENDING + counts.FAILED,
    completed: counts.COMPLETED,
    pending: counts.PENDING,
    failed: counts.FAILED,
    paid: formatTaka(paid),
    /** Two minutes of payments each, by when they were opened. */
    slots: slots.map(({ slot, opened, completed }) => ({ at: dhakaIso(slot * SLOT_MS), opened, completed })),
  };
}

/** Refunds that the shop has not sent yet. */
async function refundsToSend(core: Core) {
  const { count, paisa, oldest } = await core.store.read(pendingRefundTotals);
  return {
    pending: Number(count),
    sum: formatTaka(Number(paisa ?? 0)),
    oldest_at: oldest === null ? null : dhakaIso(Number(oldest)),
  };
}

async function notifications(core: Core, now: number) {
  return core.store.read(async (db) => {
    const due = await dueNotifications(db);
    const dead = await deadNotifications(db);
    const rows = [
      ...(await lastDead.all(db, { limit: MAX_ROWS / 2 })),
      ...(await firstDue.all(db, { limit: MAX_ROWS / 2 })),
    ];
    return {
      pending: due.count,
      failed: dead,
      /** Time that the first due notification has been waiting, seconds; 0 if none is due. */
      overdue_seconds: due.nextAt === null ? 0 : Math.max(0, Math.floor((now - due.nextAt) / 1000)),
      failing: rows.map(({ created_at, next_at, ...row }) => ({
        ...row,
        created_at: dhakaIso(created_at),
        /** Time of the next attempt; null if it was abandoned. */
        next_at: row.state === 'PENDING' ? dhakaIso(next_at) : null,
      })),
    };
  });
}

/** Outbound SMS: `queued` wait here, `leased` are with a phone that has said nothing of them yet. */
async function dispatches(core: Core) {
  const rows = await core.store.read((db) => dispatchCounts.all(db, {}));
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  return {
    queued: count('QUEUED'),
    leased: count('LEASED'),
    latest: await listDispatches(core, { limit: MAX_ROWS }),
  };
}

async function jobs(core: Core, now: number) {
  const rows = await core.store.read(jobRuns);
  return expectedJobs(core.settings).map((name) => {
    const row = rows.find((run) => run.name === name);
    const error = row?.last_error ?? null;
    const isSilent = isJobSilent(name, row?.last_at ?? null, now);
    return {
      name: name as string,
      /** `silent`: it should have run long ago, or has never. */
      state: isSilent ? ('silent' as const) : error === null ? ('ok' as const) : ('failed' as const),
      runs: Number(row?.runs ?? 0),
      errors: Number(row?.errors ?? 0),
      last_at: row === undefined ? null : dhakaIso(row.last_at),
      last_ms: row?.last_ms ?? null,
      /** True for a job that runs as long as a daemon does; `last_at` is then its last heartbeat. */
      continuous: isLoop(name),
      last_error: error,
    };
  });
}

/** Open incidents come first, however old. */
async function alerts(core: Core) {
  return core.store.read(async (db) => {
    const open = await openAlerts.all(db, { limit: MAX_ROWS });
    const gaps = await openGapsOfAlerts.all(db, {});
    const over = (await lastAlerts.all(db, { limit: MAX_ROWS })).filter(({ ended_at }) => ended_at !== null);
    return {
      open: open.length,
      latest: [...open, ...over].map(({ kind, detail, ...row }) => {
        const news = { kind, detail: JSON.parse(detail) } as AlertEvent;
        return {
          ...{ id: row.id, kind, device_id: row.device_id, device: row.device },
          at: dhakaIso(row.at),
          ended_at: row.ended_at === null ? null : dhakaIso(row.ended_at),
          message: alertText(news, row.device),
          detail: news.detail,
          /** Open gaps of an `sms.gap`: positive amounts came in, negative ones went out. */
          gaps: gaps
            .filter(({ alert }) => alert === row.id)
            .map(({ id, missing_paisa }) => ({ id, missing: formatTaka(missing_paisa) })),
        };
      }),
    };
  });
}

type UnclaimedRow = Omit<Awaited<ReturnType<typeof newestUnclaimed.all>>[number], 'count' | 'paisa'> & {
  readonly paidBefore?: PaidBefore | undefined;
};

const unclaimedView = defineView<UnclaimedRow>()(({ same, times, time, taka }) => ({
  ...same('id'),
  /** Time when the money moved; `came_at` is when its SMS or push arrived. */
  ...times('at'),
  came_at: time('created_at'),
  ...same('channel'),
  /** BDT; null where the text gave none that could be read safely. */
  amount: taka('amount_paisa'),
  ...same('reference', 'payer', 'recipient'),
  /** Effect of a claim: `auto` pays at once, `review` needs manual review first. */
  ...same('settle'),
  /** Gateway reference of a payment for which its payer has paid the same amount, or null. */
  paid_before: ({ paidBefore }) => paidBefore?.payment ?? null,
  /** Phone or bank connection that reported it. */
  told_by: (row) => row.device ?? row.acquirer,
}));

/** @returns at most `limit` rows, newest first, with count and sum of all unclaimed money. */
export async function listUnclaimed(core: Core, limit: number) {
  const { rows, before } = await core.store.read(async (db) => {
    const newest = await newestUnclaimed.all(db, { limit });
    return { rows: newest, before: await findPaidBefore(db, newest) };
  });
  return {
    count: Number(rows[0]?.count ?? 0),
    sum: formatTaka(Number(rows[0]?.paisa ?? 0)),
    latest: rows.map((row) => unclaimedView({ ...row, paidBefore: before.get(row.id) })),
  };
}

/** Returns the money, its original text and the payment paid by now. @throws KashboxError `not_found` */
export async function showUnclaimed(core: Core, id: string) {
  const row = await core.store.read((db) => tellingText(db, id));
  if (row !== undefined) {
    const { sender, body, payment } = row;
    const before = await core.store.read((db) => findPaidBefore(db, payment === null ? [row] : []));
    return { ...unclaimedView({ ...row, paidBefore: before.get(row.id) }), payment, sender, body };
  }
  throw new KashboxError('not_found', {
    message: `There is no money "${echoed(id)}"`,
    hint: 'See it with `kashbox sms list --unmatched` and `kashbox pushes list --unmatched`.',
  });
}
