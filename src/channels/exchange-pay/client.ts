/**
 * The client of one exchange account: counts calls, keeps the exchange's rate limit, and pauses after a
 * failure. It never repeats a credential.
 */
import type { RandomSource } from '../../base/values/ids.js';
import { callHttp } from '../http.js';
import type { Tallies } from '../tally.js';
import {
  type CallResult,
  type DriverAnswer,
  type DriverCheck,
  type DriverFailure,
  type DriverQuestion,
  type ExchangeAccount,
  type ExchangePayDriver,
  failed,
  type Request,
} from './driver.js';
import { DRIVERS } from './drivers.js';
import { createRateLimiter } from './rate-limiter.js';
import { FRESH_MS } from './source.js';

/** A hundred rows have about 100 KB; notes in them are the payers' own. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CALL_MS = 4_000;

/** What one odd id may bring about where each is asked for by itself: it must not hold up the others. */
const OF_ONE_ORDER = ['refused', 'malformed'];

export interface ExchangeClientParts {
  readonly now: () => number;
  readonly random: RandomSource;
  readonly tallies: Tallies;
}

export interface ExchangeClient {
  readonly driver: ExchangePayDriver;
  /** As the driver's, unless the line is held. */
  find(question: DriverQuestion): Promise<DriverAnswer>;
  /** Always asks, also during a pause: the operator wants to know whether a fault is over. */
  check(signal: AbortSignal): Promise<DriverCheck>;
}

export function createExchangeClient(account: ExchangeAccount, parts: ExchangeClientParts): ExchangeClient {
  const { now, tallies } = parts;
  const row = DRIVERS[account.driver];
  const limiter = createRateLimiter(now, row.callsPerMinute);
  let held: { readonly failure: DriverFailure; readonly until: number } | null = null;

  const call = async (request: Request, signal: AbortSignal): Promise<CallResult> => {
    const retryAfterMs = limiter.take();
    if (retryAfterMs > 0) return { outcome: 'held', retryAfterMs };
    tallies.called(account.id);
    const headers = { ...request.headers, accept: 'application/json' };
    return callHttp({ ...request, headers, deadlineMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, signal });
  };
  const driver = row.create({ ...account, ...parts, call });

  const note = <T extends DriverAnswer | DriverCheck>(answer: T): T => {
    if (answer.outcome !== 'failed') {
      held = null;
      tallies.succeeded(account.id, now());
      return answer;
    }
    const { failure } = answer;
    const kind = kindOf(failure);
    const isOfOne = driver.lookup === 'by_id' && OF_ONE_ORDER.includes(kind);
    if (!isOfOne) held = { failure, until: now() + silenceOf(failure) };
    tallies.failed(account.id, { at: now(), kind, detail: failure.detail });
    return answer;
  };

  return {
    driver,
    find: async (question) => {
      if (held === null || now() >= held.until) return note(await driver.findPayments(question));
      return failed(stillHeld(held.failure, held.until - now()));
    },
    check: async (signal) => note(await driver.check(signal)),
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
