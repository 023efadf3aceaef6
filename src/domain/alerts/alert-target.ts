/** Alert targets, their payloads and the retry schedule. Pure; does not encrypt or decrypt secrets. */
import type { NamedRef } from '../../base/values/ids.js';
import { type AlertEvent, alertText } from './alert.js';
import type { Button } from './telegram.js';

export type AlertTarget =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** `whsec_…` */
      readonly secret: string;
      /** Private addresses and plain http, as the operator allowed for this one. */
      readonly allowPrivate: boolean;
    }
  | { readonly kind: 'command'; readonly command: string }
  | {
      readonly kind: 'telegram';
      /** Origin of the Bot API. */
      readonly api: string;
      readonly token: string;
      readonly chat: string;
      readonly allowPrivate: boolean;
    }
  | {
      readonly kind: 'email';
      readonly to: string;
      readonly from: string;
      readonly host: string;
      readonly port: number;
      /** TLS from the first byte on; without it STARTTLS is required, but on this machine. */
      readonly isSecure: boolean;
      /** True if the server runs on the same machine. */
      readonly isLocal: boolean;
      /** User name; null for a server without authentication. */
      readonly user: string | null;
      readonly password: string | null;
      readonly allowPrivate: boolean;
    };

/** Identity of a target: its kind and address, whatever its secrets are. */
export function targetAddress(target: AlertTarget): string {
  switch (target.kind) {
    case 'webhook':
      return `webhook ${target.url}`;
    case 'command':
      return `command ${target.command}`;
    case 'telegram':
      return `telegram ${target.api} ${target.chat}`;
    case 'email':
      return `email ${target.to.toLowerCase()}`;
    default:
      return target satisfies never;
  }
}

/** Omits full addresses, commands and tokens where they may contain secrets. */
export function targetHint(target: AlertTarget): string {
  switch (target.kind) {
    case 'webhook':
      return `${new URL(target.url).origin}/…`;
    case 'command': {
      const program = target.command.replace(/\s.*$/s, '');
      return program === target.command ? program : `${program} …`;
    }
    case 'telegram':
      return `chat ${target.chat} by bot ${target.token.split(':')[0]}`;
    case 'email':
      return `${target.to} by ${target.host}`;
    default:
      return target satisfies never;
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Delay before each retry, in ms. If the last retry fails, the message fails. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
/** Number of retries and their approximate total duration in minutes, for use in sentences. */
export const ALERT_RETRIES = WAITS_MS.length;
export const ALERT_RETRY_MINUTES =
  15 * Math.round(WAITS_MS.reduce((sum, wait) => sum + wait, 0) / (15 * MINUTE));

/** Maximum delay before a retry, in ms. */
export const MAX_WAIT_MS = Math.max(...WAITS_MS);

/** Pause of a target that answers HTTP 429 without a retry delay, in ms. */
const USUAL_PAUSE_MS = 30 * SECOND;

export type AfterDelivery =
  | { readonly state: 'DELIVERED' | 'FAILED' }
  | { readonly state: 'PENDING'; readonly waitMs: number }
  /** Pause of the target: nothing is sent to it for `waitMs`. Does not count as an attempt of the message. */
  | { readonly state: 'PAUSED'; readonly waitMs: number };

export interface Delivery {
  readonly isDelivered: boolean;
  /** The other side takes no more for now, whatever the message is: HTTP 429. */
  readonly isBusy: boolean;
  /** Delay that the server requested, in seconds, or null. */
  readonly retryAfterS: number | null;
}

/** @param tries how often it was tried, this time included. */
export function afterDelivery({ isDelivered, isBusy, retryAfterS }: Delivery, tries: number): AfterDelivery {
  if (isDelivered) return { state: 'DELIVERED' };
  if (isBusy) {
    const pauseMs = retryAfterS === null ? USUAL_PAUSE_MS : Math.max(1, retryAfterS) * SECOND;
    return { state: 'PAUSED', waitMs: Math.min(MAX_WAIT_MS, pauseMs) };
  }
  const waitMs = WAITS_MS[tries - 1];
  if (waitMs === undefined) return { state: 'FAILED' };
  return { state: 'PENDING', waitMs: Math.min(MAX_WAIT_MS, Math.max(waitMs, (retryAfterS ?? 0) * SECOND)) };
}

interface AlertFacts {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null for a test, which reports nothing. */
  readonly news: AlertEvent | null;
  readonly device: NamedRef | null;
  readonly merchant: NamedRef | null;
  /** Lines below the sentence, with what else is known at the time of sending. */
  readonly lines?: readonly string[];
  /** Buttons for chats that support them; absent if there are none. */
  readonly buttons?: readonly Button[];
}

export interface AlertPayload {
  readonly id: string;
  /** The body, the same in all tries. */
  readonly content: string;
  readonly message: string;
  /** Environment variables of a command; names without their prefix. */
  readonly words: Readonly<Record<string, string>>;
  readonly buttons: readonly Button[];
}

export function alertPayload(facts: AlertFacts): AlertPayload {
  const { id, at, news, device, merchant, lines = [], buttons = [] } = facts;
  const event = news?.kind ?? 'test';
  const says =
    news === null ? 'This is a test: alerts of Kashbox arrive here.' : alertText(news, device?.name ?? null);
  const message = [says, ...lines].join('\n');
  const created_at = new Date(at).toISOString();
  // `text` is where chat servers look for what to show.
  const about = { device, merchant, detail: news?.detail ?? {} };
  const body = { event, id, created_at, ...about, message, text: message };
  return {
    id,
    content: JSON.stringify(body),
    message,
    buttons,
    words: {
      '': message,
      EVENT: event,
      ID: id,
      AT: created_at,
      DEVICE: device?.name ?? '',
      DEVICE_ID: device?.id ?? '',
      MERCHANT: merchant?.name ?? '',
    },
  };
}
