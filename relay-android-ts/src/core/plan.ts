/**
 * What follows from a verdict: which messages leave the queue, which go to the dead letters, and when to
 * call again. Pure; the pump carries it out.
 */
import { backoffMs, MAX_WAIT_MS } from './backoff.js';
import { MAX_BATCH } from './batch.js';
import type { ErrorCode } from './errors.js';
import type { Verdict } from './verdict.js';

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
  /** Answered for: they leave the queue. */
  readonly taken: readonly string[];
  /** Refused for good: they move to the dead letters. */
  readonly rejected: readonly { readonly id: string; readonly reason: string }[];
  /** Not answered for: they stay, behind the others. */
  readonly unanswered: readonly string[];
  readonly pace: Pace;
  readonly waitMs: number;
  readonly wakeOn: WakeOn;
  readonly error: { readonly code: ErrorCode; readonly reason: string } | null;
}

/**
 * `sent` are the ids of the request in their order, `random` is from [0, 1). The wait after a success is
 * for an empty queue; with messages left the pump goes on at once.
 */
export function planAfter(verdict: Verdict, sent: readonly string[], pace: Pace, random: number): Plan {
  switch (verdict.kind) {
    case 'accepted':
      return planAccepted(verdict, sent, pace, random);
    case 'refused':
      return planRefused(verdict.reason, sent, pace, random);
    case 'unpaired':
      return { ...standstill('unpaired', verdict.reason, pace), waitMs: MAX_WAIT_MS };
    case 'untrusted':
      return { ...standstill('untrusted_server', verdict.reason, pace), waitMs: MAX_WAIT_MS };
    case 'unreachable': {
      const plan = standstill('unreachable', verdict.reason, pace);
      return { ...plan, waitMs: backoffMs(plan.pace.failures, random), wakeOn: 'network' };
    }
    case 'failed': {
      const plan = standstill('server_error', verdict.reason, pace);
      const waitMs = Math.max(backoffMs(plan.pace.failures, random), verdict.retryAfterMs ?? 0);
      return { ...plan, waitMs };
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
    unanswered: [],
    pace: { batchLimit: pace.batchLimit, failures: pace.failures + 1 },
    waitMs: 0,
    wakeOn: 'stop',
    error: { code, reason },
  };
}

function planAccepted(
  verdict: Extract<Verdict, { kind: 'accepted' }>,
  sent: readonly string[],
  pace: Pace,
  random: number,
): Plan {
  const taken: string[] = [];
  const rejected: { id: string; reason: string }[] = [];
  const unanswered: string[] = [];
  for (const id of sent) {
    const answer = verdict.answers.get(id);
    if (answer === undefined) unanswered.push(id);
    else if (answer.kind === 'taken') taken.push(id);
    else rejected.push({ id, reason: answer.reason });
  }
  const movement = { taken, rejected, unanswered };
  // Without this a server that answers 200 and nothing else would be asked in a tight loop.
  if (unanswered.length > 0 && unanswered.length === sent.length) {
    const plan = standstill('no_progress', `none of ${sent.length} messages answered`, pace);
    return { ...plan, ...movement, waitMs: backoffMs(plan.pace.failures, random) };
  }
  return {
    ...movement,
    pace: { batchLimit: Math.min(MAX_BATCH, pace.batchLimit * 2), failures: 0 },
    waitMs: verdict.nextPollMs,
    wakeOn: 'anything',
    error: null,
  };
}

/**
 * One bad message must not hold up the others: the batch is halved until it stands alone, then it is a
 * dead letter. Halving goes on at once, since it ends by itself; dead letters are paced by the back-off,
 * so that a server that refuses everything does not empty the queue in a minute.
 */
function planRefused(reason: string, sent: readonly string[], pace: Pace, random: number): Plan {
  const failures = pace.failures + 1;
  const waitMs = backoffMs(failures, random);
  const [only] = sent;
  if (only === undefined) return { ...standstill('server_error', reason, pace), waitMs };
  const base = { taken: [], unanswered: [], error: null };
  if (sent.length > 1) {
    const narrower = { batchLimit: Math.ceil(sent.length / 2), failures: pace.failures };
    return { ...base, rejected: [], pace: narrower, waitMs: 0, wakeOn: 'anything' };
  }
  return {
    ...base,
    rejected: [{ id: only, reason }],
    pace: { batchLimit: 1, failures },
    waitMs,
    wakeOn: 'stop',
  };
}
