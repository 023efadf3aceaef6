/**
 * Looks for exchange payments outside. Claims on the same exchange account share one lookup, its cache and
 * its limits, whichever brands they are of. Knows no session and no store.
 */

import { hashKey } from '../../base/io/secret.js';
import type { RandomSource } from '../../base/values/ids.js';
import type { Lookup, SourceTally } from '../channel.js';
import { unavailable } from '../lookups.js';
import { createTallies } from '../tally.js';
import { assess, EARLIER_MS } from './assess.js';
import { createExchangeClient, type ExchangeClient, kindOf } from './client.js';
import type { DriverAnswer, DriverFailure, ExchangeAccount } from './driver.js';
import { createOrders } from './orders.js';
import { createScan } from './scan.js';
import { orTimeout, type Source, withinTime } from './source.js';

/** A shop that asks is answered within this time. */
const TOTAL_MS = 8_500;
/** Nobody is told to come back later than this; the line is held for as long as the exchange says. */
const MAX_RETRY_S = 3_600;
/** A line that nobody asked over for so long is forgotten, with the credentials that it holds. */
const IDLE_MS = 3_600_000;

export interface ExchangeQuestion {
  /** As it was typed. */
  readonly id: string;
  /** By which of its other ids the exchange is asked for it, where it is known not to take this one. */
  readonly askAs?: string;
  /** Opening of the session, milliseconds since the epoch. */
  readonly notBefore: number;
}

export type ExchangeCheck =
  | {
      readonly outcome: 'well';
      /** How far the exchange's clock is ahead of ours, as far as that had to be learnt. */
      readonly clockOffsetMs: number;
      /** Rights of the key beyond what is needed, by the exchange's names; null where it names none. */
      readonly excess: readonly string[] | null;
    }
  | { readonly outcome: 'failed'; readonly kind: string; readonly detail: string };

export interface ExchangeReader {
  lookup(account: ExchangeAccount, question: ExchangeQuestion): Promise<Lookup>;
  /** @returns one for each question, in their order. */
  lookupMany(account: ExchangeAccount, questions: readonly ExchangeQuestion[]): Promise<readonly Lookup[]>;
  /** Asks the exchange now, whatever failed before. */
  check(account: ExchangeAccount): Promise<ExchangeCheck>;
  /** What was counted since it was last asked for. */
  tallies(): readonly SourceTally[];
}

export interface ExchangeReaderOptions {
  readonly now: () => number;
  readonly random: RandomSource;
  /** For one lookup with everything that it takes, in milliseconds. */
  readonly totalMs?: number;
}

interface Post {
  readonly client: ExchangeClient;
  readonly source: Source;
  usedAt: number;
}

export function createExchangeReader(options: ExchangeReaderOptions): ExchangeReader {
  const { now, random, totalMs = TOTAL_MS } = options;
  const connections = new Map<string, Post>();
  const tallies = createTallies();

  const postOf = (account: ExchangeAccount): Post => {
    const { driver, baseUrl, key, secret } = account;
    const name = hashKey(JSON.stringify([driver, baseUrl, key, secret]));
    const known = connections.get(name);
    if (known !== undefined) {
      known.usedAt = now();
      return known;
    }
    for (const [old, { usedAt }] of connections) if (now() - usedAt > IDLE_MS) connections.delete(old);
    const client = createExchangeClient(account, { now, random, tallies });
    const means = { find: client.find, now, totalMs };
    const source = client.driver.lookup === 'history' ? createScan(means) : createOrders(means);
    const post: Post = { client, source, usedAt: now() };
    connections.set(name, post);
    return post;
  };

  const readFrom = async (
    account: ExchangeAccount,
    question: ExchangeQuestion,
    from: number,
  ): Promise<Lookup> => {
    const { source } = postOf(account);
    const answer = await orTimeout(totalMs, source.find(question.askAs ?? question.id, from - EARLIER_MS));
    return lookupOf(answer, account, question, now());
  };

  return {
    lookup: (account, question) => readFrom(account, question, question.notBefore),
    lookupMany: (account, questions) => {
      const from = Math.min(...questions.map(({ notBefore }) => notBefore));
      return Promise.all(questions.map((question) => readFrom(account, question, from)));
    },
    check: async (account) => {
      const { client } = postOf(account);
      const checked = await withinTime(totalMs, (signal) => client.check(signal));
      if (checked.outcome === 'well') {
        return { outcome: 'well', clockOffsetMs: client.driver.clockOffsetMs(), excess: checked.excess };
      }
      return { outcome: 'failed', kind: kindOf(checked.failure), detail: checked.failure.detail };
    },
    tallies: tallies.take,
  };
}

function lookupOf(
  answer: DriverAnswer,
  account: ExchangeAccount,
  question: ExchangeQuestion,
  now: number,
): Lookup {
  if (answer.outcome === 'failed') return afterFailure(answer.failure);
  return assess(answer.payments, { ...question, receiver: account.receiver, now });
}

function afterFailure(failure: DriverFailure): Lookup {
  const detail = `${kindOf(failure)}: ${failure.detail}`;
  if (failure.kind !== 'rate_limited') return unavailable(detail);
  const seconds = Math.ceil(failure.retryAfterMs / 1_000);
  return unavailable(detail, Math.min(Math.max(seconds, 1), MAX_RETRY_S));
}
