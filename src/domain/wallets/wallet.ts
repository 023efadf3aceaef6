/**
 * Descriptor of a mobile wallet. A wallet is one file in this folder that fills this descriptor, and one row
 * in index.ts. Everything is data, including the SMS formats, because the domain, the SMS engine, the
 * checkout page and the command line each need a part of it, and all of them may import the domain. Does not
 * depend on any wallet.
 */
import type { Format, Slot } from './format.js';

export type MfsAccountType = 'personal' | 'agent' | 'payment';

/** A text in each language of the checkout page. */
export interface LocalizedName {
  readonly en: string;
  readonly bn: string;
}

/** Ids with this beginning are given out from then to then, milliseconds since the epoch. */
export interface IdBand {
  readonly prefix: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A counter that was seen at this value at that time, milliseconds since the epoch. */
export interface CounterSample {
  readonly ms: number;
  readonly value: number;
}

/** Way in which an id encodes its time. */
export type IdRule =
  /** Year, month and day of the transaction in base 36, then a digit. */
  | { readonly rule: 'dated'; readonly firstYear: number }
  /** A rising counter whose beginnings are known by date. */
  | { readonly rule: 'banded'; readonly bands: readonly IdBand[] }
  /** A rising decimal counter, known at a few moments. */
  | { readonly rule: 'counted'; readonly marks: readonly CounterSample[] }
  /** The time part of a ULID: milliseconds in base 32. */
  | { readonly rule: 'ulid' };

export type IdPredictability =
  /** A number, written to that base, that rises with every payment of the wallet's customers. */
  | {
      readonly kind: 'counter';
      readonly base: 10 | 36;
      readonly perSecond: number;
      /** The newest value that was seen in public. */
      readonly latest: CounterSample;
    }
  /** The millisecond in which the payment began. */
  | { readonly kind: 'time' };

/** Shapes that are easy to distinguish, whatever their colours are. */
export type BadgeShape = 'drop' | 'circle' | 'arch' | 'shield' | 'leaf';

export interface Wallet<Channel extends string = string> {
  /** Identifier in the API and in the store; must never change after a release. */
  readonly channel: Channel;
  readonly name: LocalizedName;
  readonly checkout: {
    /** One or two letters on its card. */
    readonly mark: string;
    /** Background colour of the white mark: `#rrggbb`, dark enough for a contrast of 4.5. */
    readonly colour: string;
    /** Shape of the background of the mark: our own design, so that no trademark is used. */
    readonly shape: BadgeShape;
    /** USSD menu for phones without the app. */
    readonly dialCode: string;
    /** Menu item in the app that pays to an account of each type. */
    readonly services: Readonly<Record<MfsAccountType, LocalizedName>>;
    /**
     * Maximum charge that the payer pays to the wallet for that, in hundredths of a percent; 0 is none.
     * Absent if it is unknown or depends on more than the amount. Sources: docs/channels.md.
     */
    readonly charges: Readonly<Partial<Record<MfsAccountType, number>>>;
  };
  /** Account types that a merchant can have. */
  readonly accountTypes: readonly MfsAccountType[];
  /** Account numbers may have a 12th digit, a check digit that is not part of the SIM's number. */
  readonly hasCheckDigit?: true;
  readonly senders: {
    /** Sender of transaction texts, as phones show it; forwarders change its case. */
    readonly official: string;
    /** Unconfirmed senders in lower case, such as helpline numbers, from other public lists. */
    readonly weak: readonly string[];
    /** Exactly as shown: for offers and notices; no transaction text comes from them. */
    readonly notices: readonly string[];
    /** True if a shared sender's text that no format matches belongs to the other business. */
    readonly isOtherBusiness?: (text: string) => boolean;
  };
  /** Inferred from public samples: an id that differs is doubtful, not wrong. */
  readonly ids: {
    /** Pattern of the complete id, in upper case. */
    readonly shape: RegExp;
    readonly rule: IdRule;
    /** Null where no guess is likely. */
    readonly guessable: IdPredictability | null;
    /** Nobody's, of the right shape; shown to customers. */
    readonly example: string;
    /** Label of ids in its app and SMS. */
    readonly name: string;
  };
  readonly texts: {
    /** Formats in the order in which they are tried. Long lists are in a file of the folder `formats`. */
    readonly formats: readonly Format[];
    /** Slots of its own for templates, by name; every format file may use them. */
    readonly slots?: Readonly<Record<string, Slot>>;
    /** Spellings of its name in the texts of other wallets. */
    readonly spellings: readonly string[];
    /** `Tk.50` is half a taka; for other wallets it is not clear what the dot belongs to. */
    readonly writesPaisaAlone?: true;
    /** A masked payer in a shape that only this wallet writes. */
    readonly maskedPayer?: RegExp;
  };
  /** Known additions of the wallet to its messages. */
  readonly additions: {
    /** The wallet's names and products, in lower case: another wallet's words give a text away. */
    readonly names: readonly string[];
    /** Complete sentences, in lower case. Forwarders cut them at any position. */
    readonly tails: readonly string[];
    /** Prefixes of its links, lower case, without `www.`; anyone can create links to others. */
    readonly links: readonly string[];
  };
  readonly imitation: {
    /** Patterns that occur together only in the wallet's own texts, at any position. */
    readonly marks: readonly RegExp[];
    /** The marks may also match texts of other wallets, so those of all other wallets are checked first. */
    readonly isVague?: true;
    /** Pattern of its name in texts about an account. */
    readonly phishing: RegExp;
  };
}

export const SEND_MONEY: LocalizedName = { en: 'Send Money', bn: 'সেন্ড মানি (Send Money)' };
export const CASH_OUT: LocalizedName = { en: 'Cash Out', bn: 'ক্যাশ আউট (Cash Out)' };
export const PAYMENT: LocalizedName = { en: 'Payment', bn: 'পেমেন্ট (Payment)' };
export const MERCHANT_PAY: LocalizedName = { en: 'Merchant Pay', bn: 'মার্চেন্ট পে (Merchant Pay)' };
export const MAKE_PAYMENT: LocalizedName = { en: 'Make Payment', bn: 'মেক পেমেন্ট (Make Payment)' };

/** URL prefix of Android apps in the Play Store, up to the id of the app. */
export const APP_STORE = 'play.google.com/store/apps/details?id=';
