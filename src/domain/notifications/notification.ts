/** Contents and retry schedule of notifications. Pure: src/notify signs and sends. */
import { JsonText, writeJson } from '../../base/values/json-text.js';
import { formatTaka, type Paisa, takaJsonNumber } from '../../base/values/money.js';
import type { PayChannel } from '../accounts/channels.js';
import type { OrderItem } from '../sessions/order-items.js';
import {
  amountFields,
  type MetadataAs,
  type PaymentRecord,
  paidField,
  partFields,
  type StatusAs,
  testField,
  usdtFields,
  writtenStatus,
} from '../sessions/payment-record.js';
import { type ReturnFacts, returnParameters, reviewFacts } from '../sessions/redirect.js';
import type { SessionStatus } from '../sessions/session.js';

/** `ping` is a test and reports no payment. */
export const NOTIFICATION_EVENTS = [
  'payment.completed',
  'payment.pending',
  'payment.failed',
  // Money that was credited has gone back, as a later message says.
  'payment.disputed',
  // A part of the money has come, and a rest is due.
  'payment.partial',
  // Money that was credited was sent back to its payer.
  'payment.refunded',
  'ping',
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/**
 * Events that are sent as forms. Programs that read forms do not know the others: they would book a refunded
 * or disputed payment once more, and a part as the full amount.
 */
export const FORM_EVENTS = [
  'payment.completed',
  'payment.pending',
  'payment.failed',
  'ping',
] as const satisfies readonly NotificationEvent[];

/** `PENDING` waits for its next attempt; `FAILED` is abandoned until an operator replays it. */
export const NOTIFICATION_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

export const WEBHOOK_FORMATS = ['json', 'form'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/**
 * `refused`: answered, but not with 200. `blocked`: an address that may not be called. `tls`: no certificate
 * that holds for this name. `unreachable`: no such name, or no connection, or one that broke. `unsigned`: not
 * sent, because the brand's secret could not be opened.
 */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'refused',
  'timeout',
  'unreachable',
  'tls',
  'blocked',
  'unsigned',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Result of one POST. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** HTTP status, null where there was no answer. */
  readonly status: number | null;
  /** Result in words, such as `answered 204, 200 is required`. */
  readonly detail: string;
  /** The beginning of the answer's body as text, at most 1 KiB; null where there was none. */
  readonly answer: string | null;
  /** Target of a redirect, which is not followed, without the values of its query; null for other answers. */
  readonly redirect: string | null;
  /** Duration from the first DNS lookup to the end, in ms. */
  readonly ms: number;
  /** Delay that the response requested, in seconds, or null. */
  readonly retryAfterS: number | null;
}

/**
 * Transaction id in a notification to a program that books any completed id (`Binding`). It ends with the
 * notification's own id, which only the shop's server sees.
 */
export const boundReference = (reference: string, notification: string): string =>
  `${reference}-${notification.slice(notification.indexOf('_') + 1)}`;

/** @returns the identifier of the notification that such an id came in; null of any other id. */
export function parseNotificationId(reference: string): string | null {
  const [, digits] = /^.+-([0-9a-f]{24})$/.exec(reference) ?? [];
  return digits === undefined ? null : `ntf_${digits}`;
}

const EVENT_OF = {
  COMPLETED: 'payment.completed',
  FAILED: 'payment.failed',
  PENDING: 'payment.pending',
} as const satisfies Record<SessionStatus, NotificationEvent>;

export function toNotificationEvent(status: SessionStatus): NotificationEvent {
  return EVENT_OF[status];
}

/** Refund that `payment.refunded` reports. */
export interface RefundFacts {
  readonly id: string;
  readonly amountPaisa: Paisa;
  readonly channel: PayChannel;
  /** The channel's reference of the transfer to the payer; null if the operator gave none. */
  readonly transactionId: string | null;
  /** What sending it cost the shop; null if that is unknown. */
  readonly feePaisa: Paisa | null;
}

/** Credited amounts exclude the fee; under review, the fee is what is due on top of the amount. */
export interface NotificationFacts extends PaymentRecord, ReturnFacts {
  readonly sessionId: string;
  readonly flow: 'hosted' | 'headless';
  readonly metadataAs: MetadataAs;
  readonly statusAs: StatusAs;
  readonly items: readonly OrderItem[];
  readonly description: string;
  /** The refund that is reported, if any. */
  readonly refund?: RefundFacts;
}

export interface Envelope {
  readonly id: string;
  readonly event: NotificationEvent;
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** @param payment null for a test. @returns the body, which is the same in all attempts. */
export function notificationContent(
  format: WebhookFormat,
  { id, event, sequence, createdAt }: Envelope,
  payment: NotificationFacts | null,
): string {
  const head = { event, id, created_at: new Date(createdAt).toISOString(), sequence };
  switch (format) {
    case 'json':
      return writeJson({ ...head, ...(payment === null ? {} : record(payment, event)) });
    case 'form':
      return formText({ ...head, ...(payment === null ? {} : parameters(payment)) });
    default:
      return format satisfies never;
  }
}

/** The transaction record, with the amount as verify of the same API version writes it. */
function record(payment: NotificationFacts, event: NotificationEvent) {
  const { flow, amountPaisa, metaJson, metadataAs } = payment;
  const isHosted = flow === 'hosted';
  const taka = (paisa: Paisa) => (isHosted ? formatTaka(paisa) : takaJsonNumber(paisa));
  return {
    session_id: payment.sessionId,
    cus_name: payment.cusName,
    cus_email: payment.cusEmail,
    amount: taka(amountPaisa),
    ...amountFields(payment, taka),
    transaction_id: payment.transactionId,
    meta_data: metaJson === null || (isHosted && metadataAs === 'string') ? metaJson : new JsonText(metaJson),
    payment_method: payment.channel,
    status: isHosted ? writtenStatus(payment.status, payment.statusAs) : payment.status,
    ...usdtFields(payment),
    ...orderFields(payment, taka),
    ...testField(payment.isTest),
    ...newsFields(payment, event, taka),
  };
}

/** @returns what has happened, for an event without a new status. */
function newsFields(
  { parts, refund }: NotificationFacts,
  event: NotificationEvent,
  taka: (paisa: Paisa) => string | number,
) {
  const part = parts.at(-1);
  if (event === 'payment.partial' && part !== undefined) return { part: partFields(part, taka) };
  if (refund === undefined) return {};
  const { id, amountPaisa, transactionId, channel, feePaisa } = refund;
  return {
    refund: {
      id,
      amount: taka(amountPaisa),
      transaction_id: transactionId,
      payment_method: channel,
      fee: feePaisa === null ? null : taka(feePaisa),
    },
  };
}

/** @returns what the shop sent of the two; an empty object for most, so that their fields do not change. */
function orderFields({ items, description }: NotificationFacts, taka: (paisa: Paisa) => string | number) {
  const lines = items.map(({ name, quantity, pricePaisa }) => ({ name, quantity, price: taka(pricePaisa) }));
  return {
    ...(description === '' ? {} : { description }),
    ...(lines.length === 0 ? {} : { items: lines }),
  };
}

/** Builds the parameters of the redirect, and the additional names that receivers of forms read. */
function parameters(payment: NotificationFacts) {
  const facts = payment.status === 'PENDING' ? reviewFacts(payment) : payment;
  return {
    session_id: payment.sessionId,
    ...Object.fromEntries(returnParameters(facts)),
    transaction_id: payment.transactionId,
    ...paidField(payment, formatTaka),
    ...(payment.metaJson === null ? {} : { meta_data: payment.metaJson }),
    ...(payment.isTest ? { test: 'true' } : {}),
  };
}

function formText(fields: Readonly<Record<string, string | number>>): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

export function contentType(format: WebhookFormat): string {
  return format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delay before each retry, in ms. */
const RETRY_MS = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
];
/** Attempts of one schedule: the first and the retries. */
export const MAX_TRIES = RETRY_MS.length + 1;
/** Duration of the retry schedule in days, for use in sentences. */
export const RETRY_DAYS = Math.round(RETRY_MS.reduce((sum, wait) => sum + wait, 0) / (24 * HOUR));
/** Share of random change of a delay: what failed together is not retried together. */
const JITTER = 0.2;
/** Maximum delay that an endpoint can request, in ms; it may exceed the delay of the schedule. */
const MAX_RETRY_AFTER_MS = HOUR;

/** Maximum delay, in ms; a longer one was set by a wrong clock. */
export const MAX_WAIT_MS = 1.25 * Math.max(...RETRY_MS);

export type AfterAttempt =
  | { readonly state: 'DELIVERED' | 'FAILED' }
  | { readonly state: 'PENDING'; readonly waitMs: number };

/**
 * @param tries attempts of this schedule so far, this one included.
 * @param chance 0 up to 1, drawn again for each attempt.
 */
export function afterAttempt(
  { outcome, retryAfterS }: Pick<AttemptResult, 'outcome' | 'retryAfterS'>,
  tries: number,
  chance: number,
): AfterAttempt {
  if (outcome === 'delivered') return { state: 'DELIVERED' };
  const planned = RETRY_MS[tries - 1];
  // Not retried: the shop must correct the address.
  if (outcome === 'blocked' || planned === undefined) return { state: 'FAILED' };
  const jittered = Math.round(planned * (1 - JITTER + 2 * JITTER * chance));
  const asked = Math.min((retryAfterS ?? 0) * SECOND, MAX_RETRY_AFTER_MS);
  return { state: 'PENDING', waitMs: Math.max(jittered, asked) };
}
