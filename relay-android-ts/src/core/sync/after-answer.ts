/** What follows from a verdict: what leaves the queue, and when to call again. Pure. */

import type { ErrorCode } from '../errors.js';
import { backoffMs, MAX_WAIT_MS } from '../time/backoff.js';
import { MAX_BATCH } from './batch.js';
import { type MessageResult, shortText, type Verdict } from './server-answer.js';

/** What the pump remembers from request to request. */
export interface SyncPace {
  /** How many messages the next request may hold. */
  readonly batchLimit: number;
  /** Consecutive requests without progress. */
  readonly failures: number;
}

export const FIRST_PACE: SyncPace = { batchLimit: MAX_BATCH, failures: 0 };

/** What may end a wait early: an update, a network that is back, or only a stop. */
export type WakeOn = 'anything' | 'network' | 'stop';

export interface Plan {
  /** The server has them: they leave the queue. */
  readonly taken: readonly string[];
  /** Refused by the server itself: they move to the dead letters. */
  readonly rejected: readonly { readonly id: string; readonly reason: string }[];
  /** The single message of a failed request: either it or the connection is the cause. */
  readonly suspect: { readonly id: string; readonly reason: string } | null;
  readonly pace: SyncPace;
  readonly waitMs: number;
  readonly wakeOn: WakeOn;
  readonly error: { readonly code: ErrorCode; readonly reason: string } | null;
}

/** What a request held. */
interface Sent {
  /** Of its messages, in their order. */
  readonly ids: readonly string[];
  /** It held one message and no report, so a failure cannot be helped by a smaller request. */
  readonly isAlone: boolean;
}

/** `random` is from [0, 1). The wait after a success is for an empty queue. */
export function planAfter(verdict: Verdict, sent: Sent, pace: SyncPace, random: number): Plan {
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

/** Nothing changed; the messages stay in the queue. */
function standstill(code: ErrorCode, reason: string, pace: SyncPace): Plan {
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

function planAccepted({ results, nextPollMs }: Extract<Verdict, { kind: 'accepted' }>, pace: SyncPace): Plan {
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
 * Nothing is confirmed. A filter may block only one text, so requests are halved until that message is alone
 * and the others pass. With a Retry-After the time is the cause, not the content.
 */
function planFailed(
  { code, reason, retryAfterMs }: Extract<Verdict, { kind: 'failed' }>,
  sent: Sent,
  pace: SyncPace,
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
function planTooLarge(reason: string, sent: Sent, pace: SyncPace, random: number): Plan {
  const failed = { kind: 'failed', code: 'server_error', reason, retryAfterMs: null } as const;
  const plan = planFailed(failed, sent, pace, random);
  if (sent.ids.length === 0 || sent.isAlone) return plan;
  const narrower = { batchLimit: half(sent), failures: pace.failures };
  return { ...plan, pace: narrower, waitMs: 0, wakeOn: 'anything', error: null };
}

function half({ ids }: Sent): number {
  return Math.ceil(ids.length / 2);
}
