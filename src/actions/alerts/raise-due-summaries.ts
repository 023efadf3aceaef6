/**
 * Summaries for a single target each: the alerts held back by quiet hours, and the daily figures. Due
 * summaries are found in the store, so that each is sent once even if daemons restart or several run.
 */
import { DAY_MS, dhakaIso, dhakaMs } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { type AlertEvent, alertText, type DailySummary } from '../../domain/alerts/alert.js';
import { isTooLate, nextTimeOfDay, summarisedDay } from '../../domain/alerts/quiet-hours.js';
import type { Db, HeldFor } from '../../store/schema/index.js';
import { type HeldAlert, heldAlerts, heldTargets, releaseHeld } from '../../store/tables/alert-messages.js';
import { dueDaily, nextDaily } from '../../store/tables/alert-targets.js';
import { countDeadNotifications, openReviewCount } from '../../store/tables/figures.js';
import {
  creditedByChannel,
  pendingRefundTotals,
  phonesOffline,
  refundedByChannel,
  totalUnclaimed,
} from '../../store/tables/reports.js';
import type { Core, WriteDeps } from '../core/core.js';
import { raiseAlert } from './raise-alert.js';

/** Sentences of a summary; what there is beyond these is counted. */
const MAX_SENTENCES = 10;

/** @returns how many summaries were made. */
export async function raiseDueSummaries(core: Core): Promise<number> {
  return (await tellHeld(core)) + (await tellDays(core));
}

async function tellHeld(core: Core): Promise<number> {
  const now = core.clock.now();
  // Nothing is held back for longer than a day, unless the clock was set back.
  const over = await core.store.read((db) => heldTargets.all(db, { now, never: now + DAY_MS }));
  for (const { target_id: target, held_for: reason } of over) {
    await core.store.write((db) => sumUp(core, db, target, reason ?? 'quiet'));
  }
  return over.length;
}

/** Combines held alerts into one summary. A single alert is sent unchanged. */
async function sumUp(core: WriteDeps, db: Db, target: string, reason: HeldFor): Promise<void> {
  const held = await heldAlerts(db, target, reason);
  const [newest, second] = held;
  if (newest === undefined) return;
  const now = core.clock.now();
  if (second === undefined) return releaseHeld(db, target, reason, { state: 'PENDING', next_at: now });
  const kind = `summary.${reason}` as const;
  const summary = { kind, merchantId: null, detail: sumOf(held) };
  // Of two daemons that sum up at once, one meets the other's row.
  const raised = await raiseAlert(core, db, { ...summary, incident: `${kind}:${newest.id}` }, target);
  if (raised === 'raised') await releaseHeld(db, target, reason, { state: 'SUMMED', next_at: null });
}

function sumOf(held: readonly HeldAlert[]) {
  const counts: Record<string, number> = {};
  let paid = 0;
  for (const { kind, detail } of held) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === 'payment.completed') paid += paisaOf((JSON.parse(detail) as { amount: string }).amount);
  }
  const messages = held
    .slice(0, MAX_SENTENCES)
    .map(({ kind, detail, device }) => alertText({ kind, detail: JSON.parse(detail) } as AlertEvent, device));
  return { counts, paid: formatTaka(paid), messages };
}

/** @param taka with two decimals, as `formatTaka` writes it. */
const paisaOf = (taka: string) => Number(taka.replace(/\D/g, ''));

async function tellDays(core: Core): Promise<number> {
  const now = core.clock.now();
  const due = await core.store.read((db) => dueDaily.all(db, { now, late: now + DAY_MS }));
  let told = 0;
  for (const { id, daily_at: minute, daily_due: dueAt } of due) {
    if (minute === null || dueAt === null) continue;
    const isNews = dueAt <= now && !isTooLate(dueAt, now);
    const detail = isNews ? await core.store.read((db) => daySummary(db, dueAt)) : null;
    await core.store.write(async (db) => {
      const won = await nextDaily.first(db, { id, due: dueAt, next: nextTimeOfDay(minute, now) });
      if (won === undefined || detail === null) return;
      const incident = `summary.daily:${id}:${dueAt}`;
      await raiseAlert(core, db, { kind: 'summary.daily', merchantId: null, incident, detail }, id);
      told += 1;
    });
  }
  return told;
}

async function daySummary(db: Db, dueAt: number): Promise<DailySummary> {
  const { at, isWhole } = summarisedDay(dueAt);
  const date = dhakaIso(at).slice(0, 10);
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const from = dhakaMs(year, month, day, 0, 0, 0);
  const span = { from, to: from + DAY_MS };
  const credited = await creditedByChannel(db, { ...span, brandId: null });
  const channels = credited
    .map(({ channel, completed, paid }) => ({ channel, completed: Number(completed), paisa: Number(paid) }))
    .sort((one, other) => one.channel.localeCompare(other.channel));
  const unclaimed = await totalUnclaimed(db, span);
  const refunded = await refundedByChannel(db, { ...span, brandId: null });
  return {
    date,
    whole: isWhole,
    completed: channels.reduce((sum, { completed }) => sum + completed, 0),
    paid: formatTaka(channels.reduce((sum, { paisa }) => sum + paisa, 0)),
    channels: channels.map(({ channel, completed, paisa }) => ({
      ...{ channel, completed, paid: formatTaka(paisa) },
    })),
    reviews_waiting: Number((await openReviewCount.first(db, {}))?.count ?? 0),
    webhooks_dead: await countDeadNotifications(db, span.from, span.to),
    phones_offline: await phonesOffline(db),
    unclaimed: Number(unclaimed.count),
    unclaimed_amount: formatTaka(Number(unclaimed.paisa ?? 0)),
    refunded: formatTaka(refunded.reduce((sum, { refunded: paisa }) => sum + Number(paisa), 0)),
    refunds_pending: Number((await pendingRefundTotals(db)).count),
  };
}
