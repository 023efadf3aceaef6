/** Classifies the response of an endpoint and describes it in words that its shop understands. Pure. */
import { describeNetFailure } from '../base/io/net-failure.js';
import type { ReadAnswer } from '../base/io/read-answer.js';
import { redactAddress } from '../domain/notifications/address.js';
import type { AttemptOutcome } from '../domain/notifications/notification.js';

export interface AttemptVerdict {
  readonly outcome: AttemptOutcome;
  readonly detail: string;
}

interface HttpExchange {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Error that ended the response early; null if it was read to its end or to the limit. */
  readonly failure: unknown;
  /** The deadline has passed. */
  readonly isLate: boolean;
  readonly deadlineMs: number;
}

/** Returns the outcome of an attempt. Only 200 with a complete body is a delivery. */
export function classifyOutcome({ status, failure, isLate, deadlineMs }: HttpExchange): AttemptVerdict {
  if (status !== null && status !== 200) {
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { outcome: 'refused', detail: `answered ${status}, 200 is required${redirect}` };
  }
  if (status === 200 && failure === null) return { outcome: 'delivered', detail: 'answered 200' };
  if (isLate) return { outcome: 'timeout', detail: lateText(status, deadlineMs) };
  const { kind, detail } = describeNetFailure(failure);
  if (kind === 'unreachable' || kind === 'tls') {
    return { outcome: kind, detail: status === null ? detail : `answered 200, but ${detail}` };
  }
  return {
    outcome: 'refused',
    detail: status === null ? detail : 'answered 200, then broke the HTTP protocol',
  };
}

function lateText(status: number | null, deadlineMs: number): string {
  const within = `within ${inSeconds(deadlineMs)}`;
  return status === null ? `no answer ${within}` : `answered ${status}, but not to its end ${within}`;
}

export function inSeconds(ms: number): string {
  return `${ms / 1_000} s`;
}

const MAX_ANSWER_BYTES = 1_024;
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Commands of terminals, NUL, which PostgreSQL refuses, and what turns the direction of writing. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** @returns the beginning as one line that a database and a terminal can hold; null if nothing is left. */
export function answerText(bytes: Buffer): string | null {
  const text = new TextDecoder().decode(bytes).replace(LINE_ENDS, ' ').replace(UNSAFE, '').trim();
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES));
  return read === 0 ? null : text.slice(0, read);
}

/** Maximum length of a redirect's target, as long as the address of a shop can be on a line. */
const MAX_TARGET = 200;

/** @param from called address, to which a target may be relative. @returns null for other responses. */
export function redirectTarget(
  { status, headers: { location } }: Pick<ReadAnswer, 'status' | 'headers'>,
  from: URL,
): string | null {
  const isRedirect = status !== null && status >= 300 && status < 400;
  if (!isRedirect || location === undefined || !URL.canParse(location, from.href)) return null;
  return redactAddress(new URL(location, from.href).href).slice(0, MAX_TARGET);
}
