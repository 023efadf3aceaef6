/**
 * One delivery attempt of an alert: takes a message, sends it, records the result. Taking a message moves its
 * due time past the deadline of the attempt, so that it is due again after a crash.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import type { AlertDetails, AlertEvent } from '../../domain/alerts/alert.js';
import {
  type AfterDelivery,
  type AlertPayload,
  type AlertTarget,
  afterDelivery,
  alertPayload,
  MAX_WAIT_MS,
} from '../../domain/alerts/alert-target.js';
import { buttonsBelow } from '../../domain/alerts/telegram.js';
import type { AlertSender, DeliveryResult } from '../../notify/send-alert.js';
import type { AlertTargetTable } from '../../store/schema/index.js';
import {
  firstDue,
  leaseMessage,
  messageInFull,
  settleMessage,
  waitingTargets,
} from '../../store/tables/alert-messages.js';
import { pauseTarget } from '../../store/tables/alert-targets.js';
import { findReview } from '../../store/tables/reviews.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { type FactsOfReview, factLines, factsOfReview } from '../why/review-facts.js';

/** Twice what a command may take. */
const LEASE_MS = 20_000;
const MAX_ERROR = 300;

export interface TakenMessage {
  readonly id: string;
  readonly tries: number;
  readonly targetId: string;
  readonly targetHint: string;
  readonly sealed: Pick<AlertTargetTable, 'id' | 'secret'>;
  readonly letter: AlertPayload;
}

/**
 * @param input.busy targets with a delivery under way: one at a time, so that none delays another.
 * @returns at most one message for each target, those that nobody else got; and how long nothing more is due.
 */
export async function takeAlertMessages(
  core: Core,
  { busy }: { readonly busy: ReadonlySet<string> },
): Promise<{ readonly taken: readonly TakenMessage[]; readonly waitMs: number | null }> {
  const now = core.clock.now();
  const never = now + MAX_WAIT_MS + LEASE_MS;
  const waiting = await core.store.read((db) => waitingTargets.all(db, {}));
  type Lane = (typeof waiting)[number];
  // As with a message, a pause that is longer than any comes from a clock that has been set back since.
  const pauseOf = ({ paused_until: until }: Lane) => (until === null || until > never ? 0 : until);
  const isDue = (lane: Lane) => pauseOf(lane) <= now && (lane.first_at <= now || lane.last_at > never);
  const due = waiting.filter((lane) => isDue(lane) && !busy.has(lane.target_id));
  const resting = waiting.filter((lane) => !isDue(lane));
  const later = resting.map((lane) => Math.max(lane.first_at, pauseOf(lane)) - now);
  const waitMs = later.length === 0 ? null : Math.min(...later);
  if (due.length === 0) return { taken: [], waitMs };
  const leased = await core.store.write(async (db) => {
    const messages: (AlertMessageRow & Pick<TakenMessage, 'id' | 'tries'>)[] = [];
    for (const { target_id: target } of due) {
      const first = await firstDue.first(db, { target, now, never });
      if (first === undefined) continue;
      const mine = await leaseMessage.first(db, { id: first.id, now, never, until: now + LEASE_MS });
      if (mine === undefined) continue;
      const row = await messageInFull.first(db, { id: mine.id });
      if (row !== undefined) messages.push({ ...row, id: mine.id, tries: mine.tries });
    }
    return messages;
  });
  const taken: TakenMessage[] = [];
  for (const row of leased) {
    taken.push({ id: row.id, tries: row.tries, ...messageOf(core, row, await factsNow(core, row)) });
  }
  return { taken, waitMs };
}

/** Loads a verification's facts as they are at sending time. @returns null for all other alerts. */
async function factsNow(core: Core, row: AlertMessageRow): Promise<FactsOfReview | null> {
  if (row.kind !== 'review.waiting') return null;
  const { verification } = JSON.parse(row.detail) as AlertDetails['review.waiting'];
  return core.store.read(async (db) => {
    const review = await findReview(db, verification);
    return review === undefined ? null : factsOfReview(db, review, core.clock.now());
  });
}

type AlertMessageRow = NonNullable<Awaited<ReturnType<typeof messageInFull.first>>>;

function messageOf(
  core: Core,
  row: AlertMessageRow,
  facts: FactsOfReview | null,
): Omit<TakenMessage, 'id' | 'tries'> {
  const { target_id: id, hint: targetHint, secret } = row;
  return {
    targetId: id,
    targetHint,
    sealed: { id, secret },
    letter: alertPayload({
      id: row.alert_id,
      at: row.at,
      // Typed when raised; the store keeps JSON.
      news: { kind: row.kind, detail: JSON.parse(row.detail) } as AlertEvent,
      device: named(row.device_id, row.device),
      merchant: named(row.merchant_id, row.merchant),
      lines: facts === null ? [] : factLines(facts.facts),
      buttons:
        facts === null || row.buttons === 0
          ? []
          : buttonsBelow(core.secrets, 'question', { message: row.message_id, facts: facts.facts_version }),
    }),
  };
}

function named(id: string | null, name: string | null) {
  return id === null || name === null ? null : { id, name };
}

const UNREADABLE: DeliveryResult = {
  isDelivered: false,
  detail: 'its credentials cannot be decrypted with this secret.key; remove it and add it again',
  isBusy: false,
  retryAfterS: null,
};

/** @throws KashboxError `secret_unreadable` */
export function openTarget(core: Core, { id, secret }: Pick<AlertTargetTable, 'id' | 'secret'>): AlertTarget {
  return JSON.parse(core.secrets.open(secret, sealPurpose('alert', id))) as AlertTarget;
}

/** @returns the result. Writes nothing. */
export async function sendAlert(
  core: Core,
  alertSender: AlertSender,
  { sealed, letter: payload }: Pick<TakenMessage, 'sealed' | 'letter'>,
): Promise<DeliveryResult> {
  let target: AlertTarget;
  try {
    target = openTarget(core, sealed);
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return UNREADABLE;
    throw error;
  }
  return alertSender.send(target, payload, core.clock.now());
}

/** Records the result of a delivery attempt. @returns the new state of the message. */
export async function recordDelivery(
  core: Core,
  message: TakenMessage,
  told: DeliveryResult,
): Promise<AfterDelivery> {
  const after = afterDelivery(told, message.tries + 1);
  const error = told.isDelivered ? null : told.detail.slice(0, MAX_ERROR);
  const now = core.clock.now();
  const { id, targetId, tries } = message;
  const tried = { id, tries: tries + 1, nextAt: null, error };
  await core.store.write(async (db) => {
    switch (after.state) {
      case 'PAUSED':
        await pauseTarget.all(db, { id: targetId, until: now + after.waitMs });
        await settleMessage.all(db, { ...tried, state: 'PENDING', tries, nextAt: now });
        return;
      case 'PENDING':
        await settleMessage.all(db, { ...tried, state: 'PENDING', nextAt: now + after.waitMs });
        return;
      case 'DELIVERED':
      case 'FAILED':
        await settleMessage.all(db, { ...tried, state: after.state });
        return;
      default:
        after satisfies never;
    }
  });
  return after;
}
