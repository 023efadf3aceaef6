/** Plans after a verdict which messages leave the queue and when to send the next request. Pure. */

import type { RelayErrorCode } from '../errors.js';
import { backoffMs, MAX_WAIT_MS } from '../time/backoff.js';
import { MAX_BATCH } from './batch.js';
import { type MessageResult, type SyncVerdict, shortText } from './server-answer.js';

/** State that the pump keeps between requests. */
export interface SyncPace {
  /** Maximum number of messages in the next request. */
  readonly batchLimit: number;
  /** Consecutive requests without progress. */
  readonly failures: number;
}

export const INITIAL_SYNC_PACE: SyncPace = { batchLimit: MAX_BATCH, failures: 0 };

/** Events that may end a wait early: any update, only a restored network, or only a stop. */
export type WakeOn = 'anything' | 'network' | 'stop';

export interface SyncPlan {
  /** The server has them: they leave the queue. */
  readonly taken: readonly string[];
  /** Messages rejected by the server itself: they become dead letters. */
  readonly rejected: readonly { readonly id: string; readonly reason: string }[];
  /** The single message of a failed request: either it or the connection is the cause. */
  readonly suspect: { readonly id: string; readonly reason: string } | null;
  readonly pace: SyncPace;
  readonly waitMs: number;
  readonly wakeOn: WakeOn;
  readonly error: { readonly code: RelayErrorCode; readonly reason: string } | null;
}

interface SentRequest {
  /** Ids of its messages, in their order. */
  readonly ids: readonly string[];
  /** True if it contained one message and no report, so that a smaller request cannot help. */
  readonly isAlone: boolean;
}

/** `random` is from [0, 1). The wait after a success is for an empty queue. */
export function planAfter(verdict: SyncVerdict, sent: SentRequest, pace: SyncPace, random: number): SyncPlan {
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

/** Plan without progress; the messages stay in the queue. */
function standstill(code: RelayErrorCode, reason: string, pace: SyncPace): SyncPlan {
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

function planAccepted(
  { results, nextPollMs }: Extract<SyncVerdict, { kind: 'accepted' }>,
  pace: SyncPace,
): SyncPlan {
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
 * Plan after a request that confirmed nothing. Requests are halved until a message that a filter blocks is
 * alone and the others pass. With Retry-After, the cause is the time and not the content.
 */
function planFailed(
  { code, reason, retryAfterMs }: Extract<SyncVerdict, { kind: 'failed' }>,
  sent: SentRequest,
  pace: SyncPace,
  random: number,
): SyncPlan {
  const plan = standstill(code, reason, pace);
  const waitMs = Math.max(backoffMs(plan.pace.failures, random), retryAfterMs ?? 0);
  const [only] = sent.ids;
  if (only === undefined || retryAfterMs !== null) return { ...plan, waitMs };
  if (sent.isAlone) return { ...plan, waitMs, suspect: { id: only, reason } };
  return { ...plan, waitMs, pace: { ...plan.pace, batchLimit: half(sent) } };
}

/** Halves the request without a delay, because the halving ends at one message. */
function planTooLarge(reason: string, sent: SentRequest, pace: SyncPace, random: number): SyncPlan {
  const failed = { kind: 'failed', code: 'server_error', reason, retryAfterMs: null } as const;
  const plan = planFailed(failed, sent, pace, random);
  if (sent.ids.length === 0 || sent.isAlone) return plan;
  const narrower = { batchLimit: half(sent), failures: pace.failures };
  return { ...plan, pace: narrower, waitMs: 0, wakeOn: 'anything', error: null };
}

function half({ ids }: SentRequest): number {
  return Math.ceil(ids.length / 2);
}
