/**
 * Looks for exchange payments outside. Claims on the same exchange account share one lookup, its cache and
 * its limits, whichever brands they are of. Knows no session and no store.
 */
import { hashKey } from '../../base/io/secret.js';
import type { RandomSource } from '../../base/values/ids.js';
import { type Lookup, unavailable } from '../channel.js';
import { callHttp } from '../http.js';
import {
  type BackOff,
  createRateLimiter,
  createTallies,
  type Rest,
  restAfter,
  type SourceTally,
  type Tallies,
} from '../sources.js';
import { assess, EARLIER_MS } from './assess.js';
import type {
  DriverAnswer,
  DriverCheck,
  DriverMeans,
  DriverQuestion,
  ExchangeAccount,
  ExchangeApi,
  ExchangeFault,
} from './exchange.js';
import { DRIVERS, exchangeOf } from './exchanges.js';
import {
  createOrders,
  createScan,
  FRESH_MS,
  orTimeout,
  type PaymentFinder,
  withinTime,
} from './find-payments.js';

/** A shop that asks is answered within this time. */
const TOTAL_MS = 8_500;
/** Nobody is told to come back later than this; the line is held for as long as the exchange says. */
const MAX_RETRY_S = 3_600;
/** A line that nobody asked over for so long is forgotten, with the credentials that it holds. */
const IDLE_MS = 3_600_000;
/** A hundred rows have about 100 KB; notes in them are the payers' own. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CALL_MS = 4_000;
/** What one odd id may bring about where each is asked for by itself: it must not hold up the others. */
const OF_ONE_ORDER: readonly string[] = ['refused', 'malformed'];
const BACK_OFF: BackOff = {
  usual: { firstMs: FRESH_MS, longestMs: FRESH_MS },
  // As long as the exchange says, up to the longest ban that is known.
  limited: { firstMs: 0, longestMs: 3 * 24 * 3_600_000 },
};

export interface ExchangeQuestion {
  /** As it was typed. */
  readonly id: string;
  /** By which of its other ids the exchange is asked for it, where it is known not to take this one. */
  readonly askAs?: string;
  /** Opening of the session, milliseconds since the epoch. */
  readonly notBefore: number;
}

type ExchangeCheck =
  | {
      readonly outcome: 'well';
      /** How far the exchange's clock is ahead of ours, as far as that had to be learnt. */
      readonly clockOffsetMs: number;
      /** Rights of the key beyond what is needed, by the exchange's names; null where it names none. */
      readonly excess: readonly string[] | null;
    }
  | { readonly outcome: 'failed'; readonly kind: string; readonly detail: string };

export interface ExchangeReader {
  /** @returns a lookup for each question, in their order. */
  lookupMany(account: ExchangeAccount, questions: readonly ExchangeQuestion[]): Promise<readonly Lookup[]>;
  /** Asks the exchange now, whatever failed before. */
  check(account: ExchangeAccount): Promise<ExchangeCheck>;
  /** What was counted since it was last asked for. */
  tallies(): readonly SourceTally[];
}

interface ExchangeReaderOptions {
  readonly now: () => number;
  readonly random: RandomSource;
  /** For one lookup with everything that it takes, in milliseconds. */
  readonly totalMs?: number;
}

/** What is asked with one set of credentials, for all accounts that have them. */
interface Line {
  readonly api: ExchangeApi;
  readonly finder: PaymentFinder;
  /** Always asks, also during a pause: the operator wants to know whether a fault is over. */
  check(signal: AbortSignal): Promise<DriverCheck>;
  usedAt: number;
}

interface LineMeans {
  readonly now: () => number;
  readonly random: RandomSource;
  readonly totalMs: number;
  readonly tallies: Tallies;
}

export function createExchangeReader(options: ExchangeReaderOptions): ExchangeReader {
  const { now, random, totalMs = TOTAL_MS } = options;
  const lines = new Map<string, Line>();
  const tallies = createTallies();

  const lineOf = (account: ExchangeAccount): Line => {
    const { driver, baseUrl, key, secret } = account;
    const name = hashKey(JSON.stringify([driver, baseUrl, key, secret]));
    const known = lines.get(name);
    if (known !== undefined) {
      known.usedAt = now();
      return known;
    }
    for (const [old, { usedAt }] of lines) if (now() - usedAt > IDLE_MS) lines.delete(old);
    const line = openLine(account, { now, random, totalMs, tallies });
    lines.set(name, line);
    return line;
  };

  const readFrom = async (account: ExchangeAccount, question: ExchangeQuestion, from: number) => {
    const { finder } = lineOf(account);
    const answer = await orTimeout(totalMs, finder(question.askAs ?? question.id, from - EARLIER_MS));
    return lookupOf(answer, account, question, now());
  };

  return {
    lookupMany: (account, questions) => {
      const from = Math.min(...questions.map(({ notBefore }) => notBefore));
      return Promise.all(questions.map((question) => readFrom(account, question, from)));
    },
    check: async (account) => {
      const { api, check } = lineOf(account);
      const checked = await withinTime(totalMs, check);
      if (checked.outcome === 'failed') return { outcome: 'failed', ...checked.fault };
      return { outcome: 'well', clockOffsetMs: api.clockOffsetMs(), excess: checked.excess };
    },
    tallies: tallies.take,
  };
}

/** Counts calls, keeps the exchange's rate limit, and pauses after a failure. */
function openLine(account: ExchangeAccount, { now, random, totalMs, tallies }: LineMeans): Line {
  const driver = DRIVERS.find(({ id }) => id === account.driver);
  if (driver === undefined) throw new TypeError(`no driver is called ${account.driver}`);
  const limiter = createRateLimiter(now, driver.callsPerMinute);
  let rest: Rest<ExchangeFault> | null = null;

  const call: DriverMeans['call'] = async (request, signal) => {
    const retryAfterMs = limiter();
    if (retryAfterMs > 0) return { outcome: 'held', retryAfterMs };
    tallies.called(account.id);
    const headers = { ...request.headers, accept: 'application/json' };
    return callHttp({ ...request, headers, deadlineMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, signal });
  };
  const api = driver.create({ ...account, now, random, call });

  const note = <T extends DriverAnswer | DriverCheck>(answer: T): T => {
    if (answer.outcome !== 'failed') {
      rest = null;
      tallies.succeeded(account.id, now());
      return answer;
    }
    const { fault } = answer;
    const isOfOne = api.lookup === 'by_id' && OF_ONE_ORDER.includes(fault.kind);
    if (!isOfOne) rest = restAfter(rest, fault, now(), BACK_OFF);
    tallies.failed(account.id, fault, now());
    return answer;
  };

  const means = {
    find: async (question: DriverQuestion): Promise<DriverAnswer> => {
      if (rest === null || now() >= rest.retryAt) return note(await api.findPayments(question));
      const { fault, retryAt } = rest;
      const left = fault.kind === 'rate_limited' ? { retryAfterMs: retryAt - now() } : {};
      return { outcome: 'failed', fault: { ...fault, ...left } };
    },
    now,
    totalMs,
  };
  return {
    api,
    finder: api.lookup === 'history' ? createScan(means) : createOrders(means),
    check: async (signal) => note(await api.check(signal)),
    usedAt: now(),
  };
}

function lookupOf(
  answer: DriverAnswer,
  { driver, receiver }: ExchangeAccount,
  question: ExchangeQuestion,
  now: number,
): Lookup {
  if (answer.outcome === 'seen') {
    const scope = exchangeOf(driver)?.scope ?? '';
    return assess(answer.payments, { ...question, receiver, scope, now });
  }
  const { kind, detail, retryAfterMs } = answer.fault;
  if (retryAfterMs === undefined) return unavailable(`${kind}: ${detail}`);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return unavailable(`${kind}: ${detail}`, Math.min(Math.max(seconds, 1), MAX_RETRY_S));
}
