/** Reads what came back for a request and gives it a name. Parses strangers' input; trusts none of it. */
import { pollMs, retryAfterMs } from './backoff.js';
import { isDispatch } from './outbox-state.js';
import type { Dispatch, HttpReply } from './ports.js';

export type MessageAnswer =
  | { readonly kind: 'taken' }
  | { readonly kind: 'rejected'; readonly reason: string };

export type Verdict =
  | {
      readonly kind: 'accepted';
      /** By message id. A message that is missing here has not been answered for. */
      readonly answers: ReadonlyMap<string, MessageAnswer>;
      readonly nextPollMs: number;
      /** Milliseconds since the Unix epoch, or null if the server did not say. */
      readonly serverTime: number | null;
      /** To be sent; each is handed out once. */
      readonly dispatches: readonly Dispatch[];
      /** From when on the server wants the SMS again, in Unix milliseconds; null: it does not. */
      readonly resendSince: number | null;
    }
  /** 401 or 403: nothing is wrong with the messages. */
  | { readonly kind: 'unpaired'; readonly reason: string }
  /** This very request can never be taken: it is too large or invalid. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Another time, or after somebody has mended the server. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'untrusted'; readonly reason: string };

/** 4xx that speak of the server, the route or the moment, not of the body that was sent. */
const NOT_ABOUT_THE_BODY = new Set([404, 405, 407, 408, 409, 421, 423, 425, 429]);
const MAX_REASON = 200;

/** `now` is only needed for a Retry-After that is a date. */
export function readVerdict(reply: HttpReply, now: number): Verdict {
  switch (reply.kind) {
    case 'unreachable':
    case 'untrusted':
      return reply;
    case 'too_long':
      return { kind: 'failed', reason: 'the answer is too long', retryAfterMs: null };
    case 'answered':
      return readAnswer(reply, now);
    default:
      return reply satisfies never;
  }
}

function readAnswer(reply: Extract<HttpReply, { kind: 'answered' }>, now: number): Verdict {
  const { status } = reply;
  const parsed = parseObject(reply.body);
  if (status === 200)
    return parsed?.status === true ? accepted(parsed, now) : failed('unusable answer', null);
  const reason = reasonText(parsed?.message, status);
  if (status === 401 || status === 403) return { kind: 'unpaired', reason };
  if (status >= 400 && status < 500 && !NOT_ABOUT_THE_BODY.has(status)) return { kind: 'refused', reason };
  return failed(reason, retryAfterMs(reply.retryAfter, now));
}

function failed(reason: string, waitMs: number | null): Verdict {
  return { kind: 'failed', reason, retryAfterMs: waitMs };
}

function accepted(parsed: Record<string, unknown>, now: number): Verdict {
  const answers = new Map<string, MessageAnswer>();
  const results: unknown[] = Array.isArray(parsed.results) ? parsed.results : [];
  for (const result of results) {
    if (typeof result !== 'object' || result === null) continue;
    const { id, state, reason } = result as Record<string, unknown>;
    if (typeof id !== 'string') continue;
    if (state === 'stored' || state === 'duplicate') answers.set(id, { kind: 'taken' });
    if (state === 'rejected')
      answers.set(id, { kind: 'rejected', reason: shortText(reason) ?? 'no reason given' });
  }
  const serverTime = instant(parsed.server_time);
  const aheadMs = serverTime === null ? 0 : serverTime - now;
  const dispatches: unknown[] = Array.isArray(parsed.dispatches) ? parsed.dispatches : [];
  return {
    kind: 'accepted',
    answers,
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

/** The server's own words, if it has any, with the status. */
export function reasonText(message: unknown, status: number): string {
  const words = shortText(message);
  return words === undefined ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
}

/** Bounded and without control characters, so that a server cannot paint on the terminal. */
export function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, MAX_REASON);
}
