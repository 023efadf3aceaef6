/**
 * What follows from a verdict: which messages leave the queue, which go to the dead letters, and when to
 * call again. Pure; the pump carries it out.
 */

import type { ErrorCode } from '../errors.js';
import { backoffMs, MAX_WAIT_MS } from '../time/backoff.js';
import { MAX_BATCH } from './batch.js';
import type { MessageResult } from './receipt.js';
import { shortText, type Verdict } from './server-answer.js';

/** What the pump remembers from request to request. */
export interface Pace {
  /** How many messages the next request may hold. */
  readonly batchLimit: number;
  /** Requests in a row that brought nothing forward. */
  readonly failures: number;
}

export const FIRST_PACE: Pace = { batchLimit: MAX_BATCH, failures: 0 };

/** What may end a wait early: anything new, a network that came back, or only the end of the agent. */
export type WakeOn = 'anything' | 'network' | 'stop';

export interface Plan {
  /** The server has them: they leave the queue. */
  readonly taken: readonly string[];
  /** Refused by the server itself: they move to the dead letters. */
  readonly rejected: readonly { readonly id: string; readonly reason: string }[];
  /** The one message that failed although nothing else was in the request: it, or the line, is the reason. */
  readonly suspect: { readonly id: string; readonly reason: string } | null;
  readonly pace: Pace;
  readonly waitMs: number;
  readonly wakeOn: WakeOn;
  readonly error: { readonly code: ErrorCode; readonly reason: string } | null;
}

/** What a request held. */
export interface Sent {
  /** Of its messages, in their order. */
  readonly ids: readonly string[];
  /** It held one message and no report: if it fails, smaller requests are no help. */
  readonly isAlone: boolean;
}

/**
 * `random` is from [0, 1). The wait after a success is for an empty queue; with messages left the pump goes
 * on at once.
 */
export function planAfter(verdict: Verdict, sent: Sent, pace: Pace, random: number): Plan {
  switch (verdict.kind) {
    case 'accepted':
      return planAccepted(verdict, pace);
    case 'too_large':
      return planTooLarge(verdict.reason, sent, pace, random);
    case 'failed':
      return planFailed(verdict, sent, pace, random);
    case 'unpaired':
      return { ...standstill('unpaired', verdict.reason, pace), waitMs: MAX_WAIT_MS };
    case 'untrusted':
      return { ...standstill('untrusted_server', verdict.reason, pace), waitMs: MAX_WAIT_MS };
    case 'unreachable': {
      const plan = standstill('unreachable', verdict.reason, pace);
      return { ...plan, waitMs: backoffMs(plan.pace.failures, random), wakeOn: 'network' };
    }
    default:
      return verdict satisfies never;
  }
}

/** Nothing moved; the messages stay as they are. */
function standstill(code: ErrorCode, reason: string, pace: Pace): Plan {
  return {
    taken: [],
    rejected: [],
    suspect: null,
    pace: { batchLimit: pace.batchLimit, failures: pace.failures + 1 },
    waitMs: 0,
    wakeOn: 'stop',
    error: { code, reason },
  };
}

function planAccepted({ results, nextPollMs }: Extract<Verdict, { kind: 'accepted' }>, pace: Pace): Plan {
  const isRejected = ({ state }: MessageResult): boolean => state === 'rejected';
  return {
    taken: results.filter((one) => !isRejected(one)).map(({ id }) => id),
    rejected: results.filter(isRejected).map(({ id, reason }) => {
      return { id, reason: shortText(reason) ?? 'no reason given' };
    }),
    suspect: null,
    pace: { batchLimit: Math.min(MAX_BATCH, pace.batchLimit * 2), failures: 0 },
    waitMs: nextPollMs,
    wakeOn: 'anything',
    error: null,
  };
}

/**
 * Nobody has confirmed anything. What stands in the way may object to one text only, so the requests are
 * halved until that message stands alone and the others get through. With a Retry-After it is the moment
 * that is wrong, and not what was sent.
 */
function planFailed(
  { code, reason, retryAfterMs }: Extract<Verdict, { kind: 'failed' }>,
  sent: Sent,
  pace: Pace,
  random: number,
): Plan {
  const plan = standstill(code, reason, pace);
  const waitMs = Math.max(backoffMs(plan.pace.failures, random), retryAfterMs ?? 0);
  const [only] = sent.ids;
  if (only === undefined || retryAfterMs !== null) return { ...plan, waitMs };
  if (sent.isAlone) return { ...plan, waitMs, suspect: { id: only, reason } };
  return { ...plan, waitMs, pace: { ...plan.pace, batchLimit: half(sent) } };
}

/** Halving goes on at once, since it ends by itself. */
function planTooLarge(reason: string, sent: Sent, pace: Pace, random: number): Plan {
  const failed = { kind: 'failed', code: 'server_error', reason, retryAfterMs: null } as const;
  const plan = planFailed(failed, sent, pace, random);
  if (sent.ids.length === 0 || sent.isAlone) return plan;
  const narrower = { batchLimit: half(sent), failures: pace.failures };
  return { ...plan, pace: narrower, waitMs: 0, wakeOn: 'anything', error: null };
}

function half({ ids }: Sent): number {
  return Math.ceil(ids.length / 2);
}
