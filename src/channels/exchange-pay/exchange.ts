/**
 * Interfaces of an exchange and of the drivers of its APIs. A driver queries an API and translates its answer
 * into the types of this file. It decides nothing: assess.ts decides if a payment is ours, settled and in
 * USDT. Failures are values.
 */
import type { RandomSource } from '../../base/values/ids.js';
import type { LocalizedName } from '../../domain/wallets/wallet.js';
import type { HttpCall, HttpFailure, HttpResult } from '../http.js';
import type { SourceFault } from '../sources.js';

/** Definition of an exchange: a folder next to this file, and a row in exchanges.ts. */
export interface Exchange {
  /**
   * Namespace in which ids are unique, shared by all APIs of the exchange: the merchant's order and the row
   * of the history are the same money under one transaction id, and must be credited only once.
   */
  readonly scope: string;
  /** Name of its app, the same in every language. */
  readonly app: string;
  /** Name that customers use for this way to pay. */
  readonly name: LocalizedName;
  /** Name that the exchange uses for the id of a receiving account. */
  readonly userId: LocalizedName;
  /** Drivers of its APIs. Default of an account type with several drivers: the first. */
  readonly drivers: readonly ExchangeDriver[];
}

export type ExchangeAccountType = 'personal' | 'merchant';

export interface ExchangeDriver {
  /** Id stored with accounts: never changes once it is released. */
  readonly id: string;
  /** One for merchants sees no payment to the user id of a personal account. */
  readonly type: ExchangeAccountType;
  /** Default address of the API: origin and optional path, without a trailing slash. */
  readonly baseUrl: string;
  readonly callsPerMinute: number;
  readonly create: (means: DriverMeans) => ExchangeApi;
}

export interface ExchangePayment {
  /** The id under which it is credited, in that spelling (domain/matching/reference, `creditedName`). */
  readonly reference: string;
  /** Likewise; a number that the shop gave to its order as `shopNumberName` has it. */
  readonly aliases: readonly string[];
  readonly kind: 'payment' | 'refund' | 'other';
  /**
   * `unpaid` is an order that waits for its payer; a word that is not known is `pending`. What may be a
   * payment is `nameless` where it is shown without any id, its `reference` being empty, and `undated` where
   * it is shown without a time, its `at` being where the window begins that it was found in.
   */
  readonly state: 'settled' | 'pending' | 'unpaid' | 'failed' | 'refunded' | 'nameless' | 'undated';
  /** User id at the exchange; null if it is not reported. */
  readonly recipientId: string | null;
  readonly payer: string | null;
  readonly currency: string;
  /** Decimal text as reported; outgoing amounts have a minus. */
  readonly amount: string;
  /** Milliseconds since the epoch, by our own clock. */
  readonly at: number;
  /** Other data that can help in a manual review. */
  readonly evidence: Readonly<Record<string, string>>;
}

type ExchangeFaultKind =
  /** Key, signature or right refused. */
  | 'auth'
  /** Our clock was refused, even after it was set by theirs. */
  | 'clock'
  | 'rate_limited'
  | HttpFailure
  | 'http_status'
  | 'refused'
  /** An answer that this driver cannot read. */
  | 'malformed';

/** Fault whose `detail` repeats neither credentials nor the query. */
export type ExchangeFault = SourceFault<ExchangeFaultKind>;

export interface ExchangeFailure {
  readonly outcome: 'failed';
  readonly fault: ExchangeFault;
}

export type DriverAnswer =
  | { readonly outcome: 'seen'; readonly payments: readonly ExchangePayment[] }
  | ExchangeFailure;

export type DriverCheck =
  /**
   * `excess` lists the rights of the key beyond those needed, under the exchange's own names; null if the API
   * does not report the rights of a key.
   */
  { readonly outcome: 'well'; readonly excess: readonly string[] | null } | ExchangeFailure;

export interface DriverQuestion {
  /** Ids as customers typed them; a history driver ignores them and returns the complete window. */
  readonly ids: readonly string[];
  /** Both inclusive, milliseconds by our own clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly signal: AbortSignal;
}

export interface ExchangeApi {
  readonly lookup: 'history' | 'by_id';
  findPayments(question: DriverQuestion): Promise<DriverAnswer>;
  /** Checks that the key has access, and returns its excess rights. */
  check(signal: AbortSignal): Promise<DriverCheck>;
  /** Lead of the exchange's clock in ms; 0 until the driver measures it after a rejected timestamp. */
  clockOffsetMs(): number;
}

type ExchangeRequest = Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'>;
export type ExchangeResponse =
  | HttpResult
  /** Request not sent, because the rate limit is reached. */
  | { readonly outcome: 'held'; readonly retryAfterMs: number };

export interface ExchangeAccount {
  /** Names it in tallies. */
  readonly id: string;
  /** Id of an `ExchangeDriver`. */
  readonly driver: string;
  /** User id of the account at the exchange. */
  readonly receiver: string;
  /** Origin of the API and perhaps a path, without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
}

export interface DriverMeans extends Pick<ExchangeAccount, 'baseUrl' | 'key' | 'secret'> {
  readonly now: () => number;
  readonly random: RandomSource;
  readonly call: (request: ExchangeRequest, signal: AbortSignal) => Promise<ExchangeResponse>;
}

export function failed(kind: ExchangeFaultKind, detail: string): ExchangeFailure {
  return { outcome: 'failed', fault: { kind, detail } };
}

/** @param retryAfterMs time for which the exchange must not be called. */
export function limited(detail: string, retryAfterMs: number): ExchangeFailure {
  return { outcome: 'failed', fault: { kind: 'rate_limited', detail, retryAfterMs } };
}
