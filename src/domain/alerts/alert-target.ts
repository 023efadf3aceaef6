/** Alert targets, what is delivered to them, and the retry schedule. Pure; opens and seals nothing. */
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
      /** Whether the server is on this very machine. */
      readonly isLocal: boolean;
      /** Null for a server that asks for none. */
      readonly user: string | null;
      readonly password: string | null;
      readonly allowPrivate: boolean;
    };

/** What makes it the same place again, whatever its secrets are now: kind and address. */
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

/** What may be shown of it: addresses, commands and tokens may all hold secrets. */
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
/** After that many failures the last of these is over, and with it the message. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
/** For sentences: how often what fails is tried again, and in about how many minutes. */
export const ALERT_RETRIES = WAITS_MS.length;
export const ALERT_RETRY_MINUTES =
  15 * Math.round(WAITS_MS.reduce((sum, wait) => sum + wait, 0) / (15 * MINUTE));

/** No message waits longer for its next try. */
export const MAX_WAIT_MS = Math.max(...WAITS_MS);

/** How long a target is left alone that says "too many" and not until when. */
const USUAL_PAUSE_MS = 30 * SECOND;

export type AfterDelivery =
  | { readonly state: 'DELIVERED' | 'FAILED' }
  | { readonly state: 'PENDING'; readonly waitMs: number }
  /** The whole target is left alone for so long; the message has not used a try. */
  | { readonly state: 'PAUSED'; readonly waitMs: number };

export interface Delivery {
  readonly isDelivered: boolean;
  /** The other side takes no more for now, whatever the message is: HTTP 429. */
  readonly isBusy: boolean;
  /** Seconds that the other side asked to be left alone, or null. */
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

interface Named {
  readonly id: string;
  readonly name: string;
}

interface AlertFacts {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null for a test, which reports nothing. */
  readonly news: AlertEvent | null;
  readonly device: Named | null;
  readonly merchant: Named | null;
  /** What is known besides when it leaves, below the sentence. */
  readonly lines?: readonly string[];
  /** For chats that show them; absent where there are none. */
  readonly buttons?: readonly Button[];
}

/** What a delivery needs of an alert. */
export interface AlertPayload {
  readonly id: string;
  /** The body, the same in all tries. */
  readonly content: string;
  readonly message: string;
  /** For the environment of a command, names without their prefix. */
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
