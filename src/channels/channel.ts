/**
 * What a channel is to the rest of Kashbox (design.md section 2): it describes the accounts of a brand as
 * an entry of create's `methods`, and knows how its references are written. Pushed proofs lie in the store
 * before anybody asks; of a pulled channel `Look` is what its reader finds outside. A new channel is a folder
 * here and a row in `index.ts`; a new wallet is none (src/domain/wallets).
 */
import type { TenThousandths } from '../base/values/usdt.js';
import type { Channel } from '../domain/accounts/channels.js';
import type { Disagreement } from '../domain/matching/matching.js';
import type { FoundReference, ReadReference } from '../domain/matching/reference.js';

export interface ReceivingAccount {
  readonly channel: string;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details). */
  readonly details: Readonly<Record<string, string>>;
}

/** What one session asks for on a channel, beyond its amount in BDT. */
export interface Offer {
  readonly usdt?: { readonly rate: TenThousandths; readonly amount: TenThousandths };
  /** Address of the picture of its QR code. */
  readonly qrImage?: string;
}

/** Element of `methods` (spec 2.3). */
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
  describe(accounts: readonly ReceivingAccount[], offer: Offer): MethodEntry | null;
  /** @param text what a customer says was paid, as it was typed (spec 4.5, `transaction_id`). */
  readReference(text: string): ReadReference;
  /** @param text what a customer pasted on the checkout page, perhaps a whole SMS. */
  findReference(text: string): FoundReference;
}

/** Money that a pulled channel has seen outside, for the account that it was asked about. */
export interface SeenPayment {
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
  /** JSON text of what else was seen, kept with the proof for whoever has to look into it. */
  readonly evidence: string;
}

export type Look =
  | { readonly outcome: 'found'; readonly payment: SeenPayment }
  /** A source that is well says that there is none. */
  | { readonly outcome: 'not_found' }
  /** It is there and agrees so far, but may yet be undone. */
  | {
      readonly outcome: 'not_final';
      readonly payment: SeenPayment;
      /** For customers and shops: `3 of 120 confirmations`. */
      readonly detail: string;
      /** Height of its block, where there is one: before that is final nothing new can be learnt. */
      readonly block: number | null;
    }
  | { readonly outcome: 'refused'; readonly about: Disagreement }
  /** No source could say anything: nobody's fault, to be asked again. */
  | { readonly outcome: 'unavailable'; readonly detail: string; readonly retryAfterS: number };

/** How one source outside did, since it was last told; kept in the store by whoever asked it. */
export interface SourceTally {
  /** Id of a node or an account. */
  readonly source: string;
  readonly calls: number;
  /** How often which kind of failure happened. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch, or null. */
  readonly lastOkAt: number | null;
  readonly lastFailure: { readonly at: number; readonly kind: string; readonly detail: string } | null;
}
