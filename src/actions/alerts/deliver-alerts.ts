/**
 * One delivery attempt of an alert: take a message, send it, record the result. Taking moves its due time
 * behind the attempt's deadline, so that what a killed process had taken is due again by itself.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import type { AlertNews } from '../../domain/alerts/alert.js';
import { type AlertLetter, alertLetter } from '../../domain/alerts/alert-content.js';
import {
  type AfterTelling,
  type AlertTarget,
  afterTelling,
  MAX_WAIT_MS,
} from '../../domain/alerts/alert-target.js';
import type { AlertTeller, Told } from '../../notify/tell-alert.js';
import type { AlertTargetTable } from '../../store/schema/index.js';
import {
  firstDue,
  leaseMessage,
  messageInFull,
  settleMessage,
  waitingTargets,
} from '../../store/tables/alert-messages.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/seal-purposes.js';

/** Twice what a command may take. */
const LEASE_MS = 20_000;
const MAX_ERROR = 300;

/** @throws KashboxError `secret_unreadable` */
function openTarget(core: Core, { id, secret }: Pick<AlertTargetTable, 'id' | 'secret'>): AlertTarget {
  return JSON.parse(core.secrets.open(secret, sealPurpose('alert', id))) as AlertTarget;
}

export interface TakenMessage {
  readonly id: string;
  readonly tries: number;
  readonly targetId: string;
  readonly targetHint: string;
  readonly sealed: Pick<AlertTargetTable, 'id' | 'secret'>;
  readonly letter: AlertLetter;
}

/**
 * @param input.busy targets that are being told something: one at a time, so that none delays another.
 * @returns at most one message for each target, those that nobody else got; and how long nothing more is due.
 */
export async function takeAlertMessages(
  core: Core,
  { busy }: { readonly busy: ReadonlySet<string> },
): Promise<{ readonly taken: readonly TakenMessage[]; readonly waitMs: number | null }> {
  const now = core.clock.now();
  const never = now + MAX_WAIT_MS + LEASE_MS;
  const waiting = await core.store.read((db) => waitingTargets.all(db, {}));
  const isDue = ({ first_at, last_at }: (typeof waiting)[number]) => first_at <= now || last_at > never;
  const due = waiting.filter((lane) => isDue(lane) && !busy.has(lane.target_id));
  const later = waiting.filter((lane) => !isDue(lane)).map(({ first_at }) => first_at - now);
  const waitMs = later.length === 0 ? null : Math.min(...later);
  if (due.length === 0) return { taken: [], waitMs };
  const taken = await core.store.write(async (db) => {
    const messages: TakenMessage[] = [];
    for (const { target_id: target } of due) {
      const first = await firstDue.first(db, { target, now, never });
      if (first === undefined) continue;
      const leased = await leaseMessage.first(db, { id: first.id, now, never, until: now + LEASE_MS });
      if (leased === undefined) continue;
      const row = await messageInFull.first(db, { id: leased.id });
      if (row !== undefined) messages.push({ id: leased.id, tries: leased.tries, ...messageOf(row) });
    }
    return messages;
  });
  return { taken, waitMs };
}

type Row = NonNullable<Awaited<ReturnType<typeof messageInFull.first>>>;

function messageOf(row: Row): Omit<TakenMessage, 'id' | 'tries'> {
  const { target_id: targetId, hint: targetHint, secret } = row;
  return {
    targetId,
    targetHint,
    sealed: { id: targetId, secret },
    letter: alertLetter({
      id: row.alert_id,
      at: row.at,
      // What was raised was typed; the store only keeps it.
      news: { kind: row.kind, detail: JSON.parse(row.detail) } as AlertNews,
      device: named(row.device_id, row.device),
      merchant: named(row.merchant_id, row.merchant),
    }),
  };
}

function named(id: string | null, name: string | null) {
  return id === null || name === null ? null : { id, name };
}

const UNREADABLE: Told = {
  isDelivered: false,
  detail: 'its credentials cannot be opened with this secret.key; remove it and add it again',
  retryAfterS: null,
};

/** @returns what became of it. Nothing is written. */
export async function tellAlert(
  core: Core,
  teller: AlertTeller,
  { sealed, letter }: Pick<TakenMessage, 'sealed' | 'letter'>,
): Promise<Told> {
  let target: AlertTarget;
  try {
    target = openTarget(core, sealed);
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return UNREADABLE;
    throw error;
  }
  return teller.tell(target, letter, core.clock.now());
}

/** Records the result of a delivery attempt. @returns what becomes of the message. */
export async function recordTelling(core: Core, message: TakenMessage, told: Told): Promise<AfterTelling> {
  const tries = message.tries + 1;
  const after = afterTelling(told.isDelivered, tries, told.retryAfterS);
  const nextAt = after.state === 'DUE' ? core.clock.now() + after.waitMs : null;
  const error = told.isDelivered ? null : told.detail.slice(0, MAX_ERROR);
  const { id } = message;
  await core.store.write((db) => settleMessage.all(db, { id, state: after.state, tries, nextAt, error }));
  return after;
}
