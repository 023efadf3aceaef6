/**
 * The interface of a channel: it describes the accounts of a brand as an entry of create's `methods`, and
 * parses its references. Pushed proofs lie in the store before anybody asks; of a pulled channel `Lookup` is
 * what its reader finds outside. A new channel is a folder here with a row in `index.ts`, and a row in
 * src/domain/accounts/channels.ts; a new wallet is none of these (src/domain/wallets).
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

/** What one session asks for on a channel, beyond its amount in BDT. */
export interface QuotedAmount {
  readonly usdt?: { readonly rate: TenThousandths; readonly amount: TenThousandths };
  /** Address of the picture of its QR code. */
  readonly qrImage?: string;
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
  /** @param text what a customer pasted on the checkout page, perhaps a whole SMS. */
  findReference(text: string): FoundReference;
  /**
   * Absent where an operator finds money under what customers type.
   * @param text under what an operator has found it in the account.
   * @returns the one form in which that is kept, or null for what it cannot be.
   */
  approveReference?(text: string): string | null;
  /** What an operator is told to write. */
  readonly approveHint: string;
}

/** Of money that stands in a bank's statement. */
export const STATEMENT_HINT = 'Write the letters and digits that stand in the statement, at most 64.';

/** A channel whose money is USDT and must be asked for outside. */
export interface PulledModule extends ChannelModule {
  readonly name: PulledChannel;
  /** How long before its session money may have moved, in milliseconds; null where the reader judges that. */
  readonly earlierMs: number | null;
  /** What may be missing of an amount, because it is rounded away on the way; both in base units. */
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
  /** Within what that id is given out once: `56` for a chain, `binance` for an exchange. */
  readonly scope: string;
  /** Its other ids, as they are credited (domain/matching/reference). */
  readonly aliases: readonly string[];
  /** `transfer`, `order`. */
  readonly kind: string;
  /** Each amount that reached the account, in base units of 10^-18 USDT; at least one, none of them 0. */
  readonly amounts: readonly bigint[];
  /** The account's number, spelled as the account spells it. */
  readonly recipient: string;
  readonly payer: string | null;
  /** When it moved, milliseconds since the epoch, as the source that saw it says. */
  readonly at: number;
  /** JSON text of what else was seen, kept with the proof for an operator who looks into it. */
  readonly evidence: string;
}

export type Lookup =
  | { readonly outcome: 'found'; readonly payment: ObservedPayment }
  /** A working source says that there is none. */
  | { readonly outcome: 'not_found' }
  /** It is there and agrees so far, but may yet be undone. */
  | {
      readonly outcome: 'not_final';
      readonly payment: ObservedPayment;
      /** For customers and shops: `3 of 120 confirmations`. */
      readonly detail: string;
      /** Height of its block, where there is one: before that is final nothing new can be learnt. */
      readonly block: number | null;
    }
  | { readonly outcome: 'refused'; readonly about: Disagreement }
  /** No source could answer; to be asked again. */
  | { readonly outcome: 'unavailable'; readonly detail: string; readonly retryAfterS: number };

/** Default delay before a retry. */
const RETRY_AFTER_S = 10;

export type Refused = Extract<Lookup, { readonly outcome: 'refused' }>;
export type Unavailable = Extract<Lookup, { readonly outcome: 'unavailable' }>;

export function refused(about: Disagreement): Refused {
  return { outcome: 'refused', about };
}

/** @param detail for logs: without addresses and credentials. @param retryAfterS whole seconds. */
export function unavailable(detail: string, retryAfterS = RETRY_AFTER_S): Unavailable {
  return { outcome: 'unavailable', detail, retryAfterS };
}
