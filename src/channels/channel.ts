/**
 * Interface of a channel: it describes the accounts of a brand as an entry of create's `methods`, and parses
 * its references. Pushed proofs are in the store before a customer claims them; for a pulled channel,
 * `Lookup` is what its reader finds at an external source. A new channel is a folder here with a row in
 * `index.ts`, and a row in src/domain/accounts/channels.ts; a new wallet needs neither (src/domain/wallets).
 */
import type { TenThousandths } from '../base/values/usdt.js';
import type { Channel, PayChannel, PulledChannel } from '../domain/accounts/channels.js';
import type { Disagreement } from '../domain/matching/matching.js';
import type { FoundReference, ReadReference } from '../domain/matching/reference.js';

export interface ReceivingAccount {
  readonly channel: PayChannel;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details). */
  readonly details: Readonly<Record<string, string>>;
}

/** Values of one session that a channel needs in addition to the amount in BDT. */
export interface QuotedAmount {
  readonly usdt?: { readonly rate: TenThousandths; readonly amount: TenThousandths };
  /** Its QR code: address of the picture, and text. */
  readonly code?: { readonly image: string; readonly payload: string };
}

/** Element of `methods`. */
export interface MethodEntry {
  readonly name: Channel;
  readonly active_payments: Readonly<Record<string, boolean>>;
  readonly [field: string]: unknown;
}

export interface ChannelModule {
  readonly name: Channel;
  /**
   * @param accounts the brand's active accounts on this channel, at least one.
   * @returns null where the session cannot be paid there, as on a USDT channel without a rate.
   */
  describe(accounts: readonly ReceivingAccount[], offer: QuotedAmount): MethodEntry | null;
  /** @param text what a customer says was paid, as it was typed. */
  readReference(text: string): ReadReference;
  /** @param text text that a customer pasted on the checkout page, possibly a complete SMS. */
  findReference(text: string): FoundReference;
  /**
   * Absent where an operator finds money under what customers type.
   * @param text under what an operator has found it in the account.
   * @returns the one form in which that is kept, or null for what it cannot be.
   */
  approveReference?(text: string): string | null;
  /** Prompt for an operator: the reference to enter. */
  readonly approveHint: string;
}

/** Hint for money that appears in a bank statement. */
export const STATEMENT_HINT = 'Write the letters and digits that stand in the statement, at most 64.';

/** Channel paid in USDT, whose payments must be looked up at an external source. */
export interface PulledModule extends ChannelModule {
  readonly name: PulledChannel;
  /** Maximum time by which a payment may precede its session, in ms; null if the reader checks this. */
  readonly earlierMs: number | null;
  /** Maximum amount by which a payment may be short because of rounding on the way; both in base units. */
  shortUnits(quoted: bigint): bigint;
  /** Everybody sees its payments: the very amount, held for one session, must say whose each of them is. */
  readonly isPublic: boolean;
  /** @param details of an account. @returns within what a reference is unique. */
  scopeOf(details: ReceivingAccount['details']): string;
}

/** A payment observed on a pulled channel. */
export interface ObservedPayment {
  /** The one form of the one id under which it is credited, whichever the payer typed. */
  readonly reference: string;
  /** Namespace in which the id is unique: `56` for a chain, `binance` for an exchange. */
  readonly scope: string;
  /** Other ids of the payment, in the spelling in which they are credited (domain/matching/reference). */
  readonly aliases: readonly string[];
  /** `transfer`, `order`. */
  readonly kind: string;
  /** Each amount that reached the account, in base units of 10^-18 USDT; at least one, none of them 0. */
  readonly amounts: readonly bigint[];
  /** The account's number, spelled as the account spells it. */
  readonly recipient: string;
  readonly payer: string | null;
  /** Time of the payment as reported by the source, milliseconds since the epoch. */
  readonly at: number;
  /** Further data of the payment as JSON text, stored with the proof for an operator who reviews it. */
  readonly evidence: string;
}

export type Lookup =
  | { readonly outcome: 'found'; readonly payment: ObservedPayment }
  /** A working source reports that the payment does not exist. */
  | { readonly outcome: 'not_found' }
  /** Existing payment that matches so far, but may still be reversed. */
  | {
      readonly outcome: 'not_final';
      readonly payment: ObservedPayment;
      /** Progress shown to customers and shops: `3 of 120 confirmations`. */
      readonly detail: string;
      /** Height of its block, where there is one: before that is final nothing new can be learnt. */
      readonly block: number | null;
    }
  | { readonly outcome: 'refused'; readonly about: Disagreement }
  /** All sources failed to answer; the lookup must be retried. */
  | { readonly outcome: 'unavailable'; readonly detail: string; readonly retryAfterS: number };

/** Default delay before a retry. */
const RETRY_AFTER_S = 10;

export type LookupRefusal = Extract<Lookup, { readonly outcome: 'refused' }>;
export type Unavailable = Extract<Lookup, { readonly outcome: 'unavailable' }>;

export function refused(about: Disagreement): LookupRefusal {
  return { outcome: 'refused', about };
}

/** @param detail for logs: without addresses and credentials. @param retryAfterS integer seconds. */
export function unavailable(detail: string, retryAfterS = RETRY_AFTER_S): Unavailable {
  return { outcome: 'unavailable', detail, retryAfterS };
}
