/**
 * What an exchange's API is to the reader: a driver asks and says what it was shown, in words of ours. It
 * judges nothing: whether a payment is ours, settled and USDT is decided in assess.ts. Failures are values.
 */
import type { RandomSource } from '../../base/values/ids.js';
import type { HttpCall, HttpFailure, HttpResult } from '../http.js';

export const DRIVER_IDS = ['binance-pay-history', 'binance-pay-merchant'] as const;
export type DriverId = (typeof DRIVER_IDS)[number];

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

/** `detail` is fit for logs: it repeats neither a credential nor what was asked. */
export type DriverFailure =
  /** Key, signature or right refused. */
  | { readonly kind: 'auth'; readonly detail: string }
  /** Our clock was refused, even after it was set by theirs. */
  | { readonly kind: 'clock'; readonly detail: string }
  | { readonly kind: 'rate_limited'; readonly detail: string; readonly retryAfterMs: number }
  | {
      readonly kind: 'unavailable';
      readonly cause: HttpFailure | 'http_status' | 'refused';
      readonly detail: string;
    }
  /** An answer that this driver cannot read. */
  | { readonly kind: 'malformed'; readonly detail: string };

export interface Failed {
  readonly outcome: 'failed';
  readonly failure: DriverFailure;
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

export interface ExchangePayDriver {
  readonly id: DriverId;
  readonly lookup: 'history' | 'by_id';
  findPayments(question: DriverQuestion): Promise<DriverAnswer>;
  /** May the key ask at all, and what else may it do? */
  check(signal: AbortSignal): Promise<DriverCheck>;
  /** How far the exchange's clock is ahead of ours, in milliseconds, as far as that had to be learnt. */
  clockOffsetMs(): number;
}

export type Request = Pick<HttpCall, 'method' | 'url' | 'headers' | 'body'>;
export type CallResult =
  | HttpResult
  /** Not made, because too many were. */
  | { readonly outcome: 'held'; readonly retryAfterMs: number };

export interface ExchangeAccount {
  /** Names it in tallies. */
  readonly id: string;
  readonly driver: DriverId;
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
  readonly call: (request: Request, signal: AbortSignal) => Promise<CallResult>;
}

export function failed(failure: DriverFailure): Failed {
  return { outcome: 'failed', failure };
}
