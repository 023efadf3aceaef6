/** Alert targets, and the retry schedule of alert deliveries. Pure; opens and seals nothing. */

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
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE] as const;

/** No message waits longer for its next try. */
export const MAX_WAIT_MS = 30 * MINUTE;

/** How long a target is left alone that says "too many" and not until when. */
const USUAL_PAUSE_MS = 30 * SECOND;

export type AfterDelivery =
  | { readonly state: 'DELIVERED' | 'DEAD' }
  | { readonly state: 'DUE'; readonly waitMs: number }
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
  if (waitMs === undefined) return { state: 'DEAD' };
  return { state: 'DUE', waitMs: Math.min(MAX_WAIT_MS, Math.max(waitMs, (retryAfterS ?? 0) * SECOND)) };
}
