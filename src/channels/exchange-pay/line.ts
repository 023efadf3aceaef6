/**
 * The line to one exchange account: what goes out over it is counted, kept within what the exchange allows,
 * and after a failure held back for a while. Nothing that is kept or told here repeats a credential.
 */
import type { RandomSource } from '../../base/values/ids.js';
import { callHttp } from '../http.js';
import { NO_TALLY, type Tally, withCall, withFailure, withSuccess } from '../tally.js';
import { createBudget } from './budget.js';
import {
  type CallResult,
  type DriverAnswer,
  type DriverCheck,
  type DriverFailure,
  type DriverId,
  type DriverQuestion,
  type ExchangePayDriver,
  failed,
  type Request,
} from './driver.js';
import { DRIVERS } from './drivers.js';
import { FRESH_MS } from './source.js';

/** A hundred rows have about 100 KB; notes in them are the payers' own. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CALL_MS = 4_000;

/** What one odd id may bring about where each is asked for by itself: it must not hold up the others. */
const OF_ONE_ORDER = ['refused', 'malformed'];

export interface LineMeans {
  readonly driver: DriverId;
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly now: () => number;
  readonly random: RandomSource;
}

export interface Line {
  readonly driver: ExchangePayDriver;
  /** As the driver's, unless the line is held. */
  find(question: DriverQuestion): Promise<DriverAnswer>;
  /** Always asks: who looks after a fault wants to know whether it is over. */
  check(signal: AbortSignal): Promise<DriverCheck>;
  /** What was counted since it was last taken, null where nothing was. */
  takeTally(): Tally | null;
}

export function createLine(means: LineMeans): Line {
  const { now } = means;
  const row = DRIVERS[means.driver];
  const budget = createBudget(now, row.callsPerMinute);
  let tally = NO_TALLY;
  let held: { readonly failure: DriverFailure; readonly until: number } | null = null;

  const call = async (request: Request, signal: AbortSignal): Promise<CallResult> => {
    const retryAfterMs = budget.take();
    if (retryAfterMs > 0) return { outcome: 'held', retryAfterMs };
    tally = withCall(tally);
    const headers = { ...request.headers, accept: 'application/json' };
    return callHttp({ ...request, headers, deadlineMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, signal });
  };
  const driver = row.create({ ...means, call });

  const note = <T extends DriverAnswer | DriverCheck>(answer: T): T => {
    if (answer.outcome !== 'failed') {
      held = null;
      tally = withSuccess(tally, now());
      return answer;
    }
    const { failure } = answer;
    const kind = kindOf(failure);
    const isOfOne = driver.lookup === 'by_id' && OF_ONE_ORDER.includes(kind);
    if (!isOfOne) held = { failure, until: now() + silenceOf(failure) };
    tally = withFailure(tally, { at: now(), kind, detail: failure.detail });
    return answer;
  };

  return {
    driver,
    find: async (question) => {
      if (held === null || now() >= held.until) return note(await driver.findPayments(question));
      return failed(stillHeld(held.failure, held.until - now()));
    },
    check: async (signal) => note(await driver.check(signal)),
    takeTally: () => {
      const taken = tally === NO_TALLY ? null : tally;
      tally = NO_TALLY;
      return taken;
    },
  };
}

function silenceOf(failure: DriverFailure): number {
  return failure.kind === 'rate_limited' ? failure.retryAfterMs : FRESH_MS;
}

function stillHeld(failure: DriverFailure, leftMs: number): DriverFailure {
  return failure.kind === 'rate_limited' ? { ...failure, retryAfterMs: leftMs } : failure;
}

/** What a failure is counted as: of those that have a cause, that. */
export function kindOf(failure: DriverFailure): string {
  if (failure.kind !== 'unavailable') return failure.kind;
  return failure.cause === 'stopped' ? 'timeout' : failure.cause;
}
