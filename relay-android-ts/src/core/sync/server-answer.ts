/**
 * Reads what came back for a request and gives it a name. Parses strangers' input; trusts none of it: only a
 * receipt proves that Kashbox has answered.
 */

import { isDispatch } from '../outbox/outbox-state.js';
import type { Dispatch, HttpReply } from '../ports.js';
import { pollMs, retryAfterMs } from '../time/backoff.js';
import { type MessageResult, readReceipted, type Seal } from './receipt.js';

export type Verdict =
  /** The only answer on which anything is done: its receipt is right. */
  | {
      readonly kind: 'accepted';
      /** One for each message that was sent, in their order. */
      readonly results: readonly MessageResult[];
      readonly nextPollMs: number;
      /** Milliseconds since the Unix epoch, or null if the server did not say. */
      readonly serverTime: number | null;
      /** To be sent; each is handed out once. */
      readonly dispatches: readonly Dispatch[];
      /** From when on the server wants the SMS again, in Unix milliseconds; null: it does not. */
      readonly resendSince: number | null;
    }
  /** The server says that it does not take the key; nothing is wrong with the messages. */
  | { readonly kind: 'unpaired'; readonly reason: string }
  /** 413: a smaller request may pass. */
  | { readonly kind: 'too_large'; readonly reason: string }
  /** Another time, whoever has answered and whatever the status: it confirms nothing and refuses nothing. */
  | {
      readonly kind: 'failed';
      readonly code: 'server_error' | 'no_receipt';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'untrusted'; readonly reason: string };

const MAX_REASON = 200;

export interface Asked {
  /** Ids of the messages, in their order. */
  readonly sent: readonly string[];
  /** Under the key with which it was asked. */
  readonly seal: Seal;
}

/** `now` is needed for a Retry-After that is a date, and for a phone whose clock is wrong. */
export function readVerdict(reply: HttpReply, asked: Asked, now: number): Verdict {
  switch (reply.kind) {
    case 'unreachable':
    case 'untrusted':
      return reply;
    case 'too_long':
      return { kind: 'failed', code: 'server_error', reason: 'the answer is too long', retryAfterMs: null };
    case 'answered':
      return readAnswer(reply, asked, now);
    default:
      return reply satisfies never;
  }
}

function readAnswer(
  reply: Extract<HttpReply, { kind: 'answered' }>,
  { sent, seal }: Asked,
  now: number,
): Verdict {
  const { status } = reply;
  const parsed = parseObject(reply.body);
  const wait = { retryAfterMs: retryAfterMs(reply.retryAfter, now) };
  if (status === 200 && parsed?.status === true) {
    const receipted = readReceipted(parsed, sent, seal);
    if (receipted.kind === 'confirmed') return accepted(parsed, receipted.results, now);
    return { kind: 'failed', code: 'no_receipt', reason: receipted.reason, ...wait };
  }
  const reason = refusalText(parsed, status);
  if (status === 413) return { kind: 'too_large', reason };
  if (!isRefusal(parsed)) return { kind: 'failed', code: 'no_receipt', reason, ...wait };
  if (status === 401 || status === 403) return { kind: 'unpaired', reason };
  return { kind: 'failed', code: 'server_error', reason, ...wait };
}

function accepted(
  parsed: Readonly<Record<string, unknown>>,
  results: readonly MessageResult[],
  now: number,
): Verdict {
  const serverTime = instant(parsed.server_time);
  const aheadMs = serverTime === null ? 0 : serverTime - now;
  const dispatches: unknown[] = Array.isArray(parsed.dispatches) ? parsed.dispatches : [];
  return {
    kind: 'accepted',
    results,
    nextPollMs: pollMs(parsed.next_poll_ms),
    serverTime,
    dispatches: dispatches.flatMap((one) => readDispatch(one, aheadMs)),
    resendSince: instant(parsed.resend_since),
  };
}

/**
 * The end of its time is moved onto the phone's clock, which may be wrong. One that cannot be read is left
 * out; the server hears nothing of it and judges by itself.
 */
function readDispatch(value: unknown, aheadMs: number): Dispatch[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, number, message, sim_slot, parts, priority = 0, expires_at } = value as Record<string, unknown>;
  const expiresAt = (instant(expires_at) ?? Number.NaN) - aheadMs;
  const dispatch = { id, number, message, simSlot: sim_slot ?? null, parts, priority, expiresAt };
  return isDispatch(dispatch) ? [dispatch] : [];
}

function instant(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Whether an answer has the form of Kashbox's refusals. A proxy's page has another. */
export function isRefusal(parsed: Readonly<Record<string, unknown>> | undefined): boolean {
  return parsed?.status === false && typeof parsed.message === 'string';
}

/** Status and message of an answer that is no success. */
export function refusalText(parsed: Readonly<Record<string, unknown>> | undefined, status: number): string {
  if (!isRefusal(parsed)) return `HTTP ${status}, not in the form of Kashbox`;
  const message = shortText(parsed?.message);
  return message === undefined ? `HTTP ${status}` : `HTTP ${status}: ${message}`;
}

/** Bounded and without control characters, so that a server cannot paint on the terminal. */
export function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, MAX_REASON);
}
