/**
 * The line to one exchange account: what goes out over it is counted, kept within what the exchange allows,
 * and after a failure held back for a while. Nothing that is kept or told here repeats a credential.
 */
import type { RandomSource } from '../../base/ids.js';
import type { SourceTally } from '../channel.js';
import { callHttp } from '../http.js';
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
  takeTally(): Omit<SourceTally, 'source'> | null;
}

type Tally = Omit<SourceTally, 'source'>;
const EMPTY: Tally = { calls: 0, failures: {}, lastOkAt: null, lastFailure: null };

export function createLine(means: LineMeans): Line {
  const { now } = means;
  const row = DRIVERS[means.driver];
  const budget = createBudget(now, row.callsPerMinute);
  let tally = EMPTY;
  let held: { readonly failure: DriverFailure; readonly until: number } | null = null;

  const call = async (request: Request, signal: AbortSignal): Promise<CallResult> => {
    const retryAfterMs = budget.take();
    if (retryAfterMs > 0) return { outcome: 'held', retryAfterMs };
    tally = { ...tally, calls: tally.calls + 1 };
    const headers = { ...request.headers, accept: 'application/json' };
    return callHttp({ ...request, headers, deadlineMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, signal });
  };
  const driver = row.create({ ...means, call });

  const note = <T extends DriverAnswer | DriverCheck>(answer: T): T => {
    if (answer.outcome !== 'failed') {
      held = null;
      tally = { ...tally, lastOkAt: now() };
      return answer;
    }
    const { failure } = answer;
    const kind = kindOf(failure);
    const isOfOne = driver.lookup === 'by_id' && OF_ONE_ORDER.includes(kind);
    if (!isOfOne) held = { failure, until: now() + silenceOf(failure) };
    const failures = { ...tally.failures, [kind]: (tally.failures[kind] ?? 0) + 1 };
    tally = { ...tally, failures, lastFailure: { at: now(), kind, detail: failure.detail } };
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
      const taken = tally === EMPTY ? null : tally;
      tally = EMPTY;
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
