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
import { DRIVERS, findExchange } from './exchanges.js';
import {
  createOrders,
  createScan,
  FRESH_MS,
  orTimeout,
  type PaymentFinder,
  withinTime,
} from './find-payments.js';

/** Maximum time to answer a shop's request. */
const TOTAL_MS = 8_500;
/** Maximum delay reported to a caller; the pause itself lasts as long as the exchange requires. */
const MAX_RETRY_S = 3_600;
/** Time after which an unused `ExchangeClient` is removed, with the credentials that it contains. */
const IDLE_MS = 3_600_000;
/** A hundred rows have about 100 KB; notes in them are the payers' own. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const CALL_MS = 4_000;
/** Faults that one suspicious id can cause if queried alone; they must not pause lookups of others. */
const OF_ONE_ORDER: readonly string[] = ['refused', 'malformed'];
const BACK_OFF: BackOff = {
  usual: { firstMs: FRESH_MS, longestMs: FRESH_MS },
  // As long as the exchange says, up to the longest ban that is known.
  limited: { firstMs: 0, longestMs: 3 * 24 * 3_600_000 },
};

export interface ExchangeQuestion {
  /** Id as the customer typed it. */
  readonly id: string;
  /** Other id of the payment to query instead, if the exchange is known not to accept this one. */
  readonly askAs?: string;
  /** Opening of the session, milliseconds since the epoch. */
  readonly notBefore: number;
}

type ExchangeCheck =
  | {
      readonly outcome: 'well';
      /** Lead of the exchange's clock over ours; 0 until a rejected timestamp makes the driver measure it. */
      readonly clockOffsetMs: number;
      /** Unneeded rights of the key, under the exchange's names; null if the API does not report rights. */
      readonly excess: readonly string[] | null;
    }
  | { readonly outcome: 'failed'; readonly kind: string; readonly detail: string };

export interface ExchangeReader {
  /** @returns a lookup for each question, in their order. */
  lookupMany(account: ExchangeAccount, questions: readonly ExchangeQuestion[]): Promise<readonly Lookup[]>;
  /** Calls the exchange now, regardless of earlier failures. */
  check(account: ExchangeAccount): Promise<ExchangeCheck>;
  /** Returns the calls and failures counted since the previous call. */
  tallies(): readonly SourceTally[];
}

interface ExchangeReaderOptions {
  readonly now: () => number;
  readonly random: RandomSource;
  /** Time limit of one lookup with all its calls, in ms. */
  readonly totalMs?: number;
}

/** API client of one set of credentials, shared by all accounts that use it. */
interface ExchangeClient {
  readonly api: ExchangeApi;
  readonly finder: PaymentFinder;
  /** Calls the exchange even during a pause: the operator wants to know if a fault is over. */
  check(signal: AbortSignal): Promise<DriverCheck>;
  usedAt: number;
}

interface ExchangeClientDeps {
  readonly now: () => number;
  readonly random: RandomSource;
  readonly totalMs: number;
  readonly tallies: Tallies;
}

export function createExchangeReader(options: ExchangeReaderOptions): ExchangeReader {
  const { now, random, totalMs = TOTAL_MS } = options;
  const lines = new Map<string, ExchangeClient>();
  const tallies = createTallies();

  const lineOf = (account: ExchangeAccount): ExchangeClient => {
    const { driver, baseUrl, key, secret } = account;
    const name = hashKey(JSON.stringify([driver, baseUrl, key, secret]));
    const known = lines.get(name);
    if (known !== undefined) {
      known.usedAt = now();
      return known;
    }
    for (const [old, { usedAt }] of lines) if (now() - usedAt > IDLE_MS) lines.delete(old);
    const line = createExchangeClient(account, { now, random, totalMs, tallies });
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
function createExchangeClient(
  account: ExchangeAccount,
  { now, random, totalMs, tallies }: ExchangeClientDeps,
): ExchangeClient {
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
    const scope = findExchange(driver)?.scope ?? '';
    return assess(answer.payments, { ...question, receiver, scope, now });
  }
  const { kind, detail, retryAfterMs } = answer.fault;
  if (retryAfterMs === undefined) return unavailable(`${kind}: ${detail}`);
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return unavailable(`${kind}: ${detail}`, Math.min(Math.max(seconds, 1), MAX_RETRY_S));
}
