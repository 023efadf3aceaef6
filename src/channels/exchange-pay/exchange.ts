/**
 * What an exchange is to Kashbox, and what its APIs are to the reader: a driver asks and says what it was
 * shown, in words of ours. It judges nothing: whether a payment is ours, settled and USDT is decided in
 * assess.ts. Failures are values.
 */
import type { RandomSource } from '../../base/values/ids.js';
import type { Bilingual } from '../../domain/wallets/wallet.js';
import type { HttpCall, HttpFailure, HttpResult } from '../http.js';
import type { SourceFault } from '../sources.js';

/** A folder beside this file, and a row in exchanges.ts. */
export interface Exchange {
  /**
   * Within this its ids are given out once. One for all its APIs: the merchant's order and the row of the
   * history are the same money under the same transaction id, and must not be credited once by way of each.
   */
  readonly scope: string;
  /** As its app calls itself, in every language. */
  readonly app: string;
  /** What customers call paying by it. */
  readonly name: Bilingual;
  /** What it calls the number of an account that is paid to. */
  readonly userId: Bilingual;
  /** Its APIs. Of several for one type of accounts the first is asked unless an operator says otherwise. */
  readonly drivers: readonly ExchangeDriver[];
}

export type ExchangeAccountType = 'personal' | 'merchant';

export interface ExchangeDriver {
  /** Kept with accounts: never changed once it is released. */
  readonly id: string;
  /** One for merchants sees no payment to the user id of a personal account. */
  readonly type: ExchangeAccountType;
  /** The ids by which customers may name a payment, as operators are told. */
  readonly finds: string;
  /**
   * Where its API is, unless an operator says otherwise: origin and perhaps a path, without a slash at its
   * end.
   */
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
  /** User id at the exchange, null where it is not told. */
  readonly recipientId: string | null;
  readonly payer: string | null;
  readonly currency: string;
  /** Decimal text as it was told; what went out has a minus. */
  readonly amount: string;
  /** Milliseconds since the epoch, by our own clock. */
  readonly at: number;
  /** Whatever else may help a person who looks into it. */
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

/** Its detail repeats neither a credential nor what was asked. */
export type ExchangeFault = SourceFault<ExchangeFaultKind>;

export interface Failed {
  readonly outcome: 'failed';
  readonly fault: ExchangeFault;
}

export type DriverAnswer =
  | { readonly outcome: 'seen'; readonly payments: readonly ExchangePayment[] }
  | Failed;

export type DriverCheck =
  /**
   * `excess` are the rights of the key beyond what is needed, by the exchange's own names; null where the
   * API does not tell what a key may do.
   */
  { readonly outcome: 'well'; readonly excess: readonly string[] | null } | Failed;

export interface DriverQuestion {
  /** As they were typed. A driver that reads the history gives all of the window. */
  readonly ids: readonly string[];
  /** Both inclusive, milliseconds by our own clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly signal: AbortSignal;
}

export interface ExchangeApi {
  readonly lookup: 'history' | 'by_id';
  findPayments(question: DriverQuestion): Promise<DriverAnswer>;
  /** May the key ask at all, and what else may it do? */
  check(signal: AbortSignal): Promise<DriverCheck>;
  /** How far the exchange's clock is ahead of ours, in milliseconds, as far as that had to be learnt. */
  clockOffsetMs(): number;
}

type ExchangeRequest = Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'>;
export type ExchangeResponse =
  | HttpResult
  /** Not made, because too many were. */
  | { readonly outcome: 'held'; readonly retryAfterMs: number };

export interface ExchangeAccount {
  /** Names it in tallies. */
  readonly id: string;
  /** Id of an `ExchangeDriver`. */
  readonly driver: string;
  /** Its user id at the exchange. */
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

export function failed(kind: ExchangeFaultKind, detail: string): Failed {
  return { outcome: 'failed', fault: { kind, detail } };
}

/** @param retryAfterMs how long the exchange is not to be asked. */
export function limited(detail: string, retryAfterMs: number): Failed {
  return { outcome: 'failed', fault: { kind: 'rate_limited', detail, retryAfterMs } };
}
