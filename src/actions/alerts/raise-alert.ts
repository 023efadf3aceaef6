/** Raises and ends alerts, inside the database transaction that finds the problem: each incident once. */
import { newRowId } from '../../base/values/ids.js';
import { formatTaka } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import {
  ALERT_KINDS,
  type AlertEvent,
  type AlertKind,
  isChosen,
  kindFacts,
} from '../../domain/alerts/alert.js';
import { BURST_MS, keptUntil, MOST_SINGLE, quietUntil } from '../../domain/alerts/quiet-hours.js';
import { dueOn } from '../../domain/sessions/fees.js';
import type { AlertTargetTable, Db, HeldFor } from '../../store/schema/index.js';
import { insertAlertMessage, recentOfKind } from '../../store/tables/alert-messages.js';
import { targetsForRouting } from '../../store/tables/alert-targets.js';
import {
  endAlertRow,
  insertAlert,
  paymentForAlert,
  unpaidPaymentForAlert,
} from '../../store/tables/alerts.js';
import { findTestBrand } from '../../store/tables/brands.js';
import type { WriteDeps } from '../core/core.js';

type NewAlert = AlertEvent & {
  readonly merchantId: string | null;
  /** Absent where it is about no phone. */
  readonly deviceId?: string | null;
  /** Names the incident, as `device.offline:<device>:<last seen>`: only the first to find it raises it. */
  readonly incident: string;
};

/**
 * @param only id of the only target, regardless of its events; absent for all that chose this kind.
 * @returns `known`, without a write, if this incident was raised before or belongs to a test brand, whose
 * owners are not alerted.
 */
export async function raiseAlert(
  core: WriteDeps,
  db: Db,
  alert: NewAlert,
  only?: string,
): Promise<'raised' | 'known'> {
  const { kind, merchantId, deviceId = null, incident, detail } = alert;
  const isOfTests =
    merchantId !== null && (await findTestBrand.first(db, { merchant: merchantId })) !== undefined;
  if (isOfTests) return 'known';
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'alert');
  const isNew = await insertAlert(db, {
    ...{ id, kind, merchant_id: merchantId, device_id: deviceId, incident },
    ...{ detail: JSON.stringify(detail), at: now, ended_at: kindFacts(kind).lasts ? null : now },
  });
  if (!isNew) return 'known';
  for (const target of await targetsForRouting.all(db, {})) {
    const isMeant = only === undefined ? isChosen(target.events, kind) : target.id === only;
    if (!isMeant) continue;
    const hold = only === undefined ? await holdOf(db, target, alert, now) : null;
    await insertAlertMessage(db, {
      ...{ id: newRowId(core.random, now, 'message'), alert_id: id, target_id: target.id, tries: 0 },
      ...{ state: hold === null ? 'PENDING' : 'HELD', next_at: hold?.until ?? now, error: null },
      ...{ urgent: isFirst(alert) ? 1 : 0, held_for: hold?.reason ?? null },
    });
  }
  return 'raised';
}

/** True if the alert is delivered before other waiting alerts; a summary is if one of its alerts would be. */
function isFirst({ kind, detail }: NewAlert): boolean {
  if (kindFacts(kind).group !== null) return kindFacts(kind).urgent;
  const kinds = 'counts' in detail ? ALERT_KINDS.filter((one) => detail.counts[one] !== undefined) : [];
  return kinds.some((one) => kindFacts(one).urgent);
}

type Hours = Pick<AlertTargetTable, 'id' | 'quiet_from' | 'quiet_until' | 'quiet_all'>;

interface Hold {
  readonly reason: HeldFor;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** @returns why and until when it is kept from the target; null for not at all. */
async function holdOf(
  db: Db,
  hours: Hours,
  { kind }: Pick<NewAlert, 'kind'>,
  now: number,
): Promise<Hold | null> {
  const quiet = quietOf(hours, kind, now);
  if (quiet !== null) return { reason: 'quiet', until: quiet };
  const counted = { target: hours.id, kind, since: now - BURST_MS, limit: MOST_SINGLE };
  const recent = await recentOfKind.all(db, counted);
  const until = keptUntil(recent.length, kindFacts(kind).urgent, now);
  if (until === null) return null;
  const thenQuiet = quietOf(hours, kind, until);
  return thenQuiet === null ? { reason: 'many', until } : { reason: 'quiet', until: thenQuiet };
}

function quietOf(
  { quiet_from: from, quiet_until: until, quiet_all: all }: Hours,
  kind: AlertKind,
  now: number,
): number | null {
  if (from === null || until === null || (kindFacts(kind).urgent && all === 0)) return null;
  return quietUntil({ from, until }, now);
}

/** Ends the incident. @returns `not_open` where it was before, or never was. */
export async function endAlert(core: WriteDeps, db: Db, incident: string): Promise<'ended' | 'not_open'> {
  const ended = await endAlertRow.first(db, { incident, now: core.clock.now() });
  return ended === undefined ? 'not_open' : 'ended';
}

/** @param session has just been completed. */
export async function raisePaymentAlert(core: WriteDeps, db: Db, session: string): Promise<void> {
  const row = await paymentForAlert.first(db, { session });
  if (row === undefined) return;
  const { gateway_reference: payment, channel, reference, brand, cus_name: customer } = row;
  await raiseAlert(core, db, {
    kind: 'payment.completed',
    detail: { payment, channel, reference, amount: formatTaka(row.paid_paisa), brand, customer },
    merchantId: row.merchant_id,
    incident: `payment.completed:${session}`,
  });
}

/** @param session failed just now, with money credited to it. */
export async function raiseUnfinishedAlert(core: WriteDeps, db: Db, session: string): Promise<void> {
  const row = await unpaidPaymentForAlert.first(db, { session });
  if (row === undefined) return;
  const { gateway_reference: payment, brand, cus_name: customer, paid_paisa, amount_paisa } = row;
  const amounts = { paid: formatTaka(paid_paisa), price: formatTaka(amount_paisa) };
  await raiseAlert(core, db, {
    kind: 'payment.unfinished',
    detail: { payment, brand, customer, ...amounts },
    merchantId: row.merchant_id,
    incident: `payment.unfinished:${session}`,
  });
}

interface ReviewSubject {
  /** Id of the verification. */
  readonly id: string;
  readonly session: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly reason: string;
}

/** @param by id of the SMS or push that causes a repeated alert; absent for the first one. */
export async function raiseReviewAlert(
  core: WriteDeps,
  db: Db,
  asked: ReviewSubject,
  by?: string,
): Promise<void> {
  const { id: verification, session, channel, reference, reason } = asked;
  const row = await unpaidPaymentForAlert.first(db, { session });
  if (row === undefined) return;
  const { gateway_reference: payment, brand, cus_name: customer } = row;
  const amount = formatTaka(dueOn(channel, row).totalPaisa);
  await raiseAlert(core, db, {
    kind: 'review.waiting',
    detail: { payment, channel, reference, verification, reason, amount, brand, customer },
    merchantId: row.merchant_id,
    incident: `review.waiting:${verification}${by === undefined ? '' : `:${by}`}`,
  });
}
