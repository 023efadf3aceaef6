/**
 * What there is to know of a mobile wallet. A wallet is one file of this folder that fills this descriptor,
 * and one row in index.ts. All of it is data, the SMS formats too, because the domain, the SMS engine, the
 * checkout page and the command line each need a part of it, and all of them may import the domain. Knows no
 * single wallet.
 */
import type { Format, Slot } from './format.js';

export type MfsAccountType = 'personal' | 'agent' | 'payment';

/** A text in each language of the checkout page. */
export interface Bilingual {
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
export interface IdMark {
  readonly ms: number;
  readonly value: number;
}

/** How an id reports its time. */
export type IdRule =
  /** Year, month and day of the transaction in base 36, then a digit. */
  | { readonly rule: 'dated'; readonly firstYear: number }
  /** A rising counter whose beginnings are known by date. */
  | { readonly rule: 'banded'; readonly bands: readonly IdBand[] }
  /** A rising decimal counter, known at a few moments. */
  | { readonly rule: 'counted'; readonly marks: readonly IdMark[] }
  /** The time part of a ULID: milliseconds in base 32. */
  | { readonly rule: 'ulid' };

/** How a stranger can guess an id. */
export type GuessableIds =
  /** A number, written to that base, that rises with every payment of the wallet's customers. */
  | { readonly kind: 'counter'; readonly base: 10 | 36; readonly perSecond: number }
  /** The millisecond in which the payment began. */
  | { readonly kind: 'time' };

/** Shapes that are told apart at a glance, whatever their colours. */
export type MarkShape = 'drop' | 'circle' | 'arch' | 'shield' | 'leaf';

export interface Wallet<Channel extends string = string> {
  /** Its name in the API and in the store; never changed once it is released. */
  readonly channel: Channel;
  readonly name: Bilingual;
  readonly checkout: {
    /** One or two letters on its card. */
    readonly mark: string;
    /** Behind the white mark: `#rrggbb`, dark enough for a contrast of 4.5. */
    readonly colour: string;
    /** Of the ground behind the mark: our own, so that nobody's trademark is drawn. */
    readonly shape: MarkShape;
    /** Its menu for phones without its app. */
    readonly dialCode: string;
    /** What a customer chooses in its app to pay to an account of that type. */
    readonly services: Readonly<Record<MfsAccountType, Bilingual>>;
    /**
     * What it charges the payer on top for that, at most, in hundredths of a percent; 0 is nothing. Absent
     * where that is unknown or depends on more than the amount. Sources: docs/channels.md.
     */
    readonly charges: Readonly<Partial<Record<MfsAccountType, number>>>;
  };
  /** Those that a merchant can have. */
  readonly accountTypes: readonly MfsAccountType[];
  /** Its account numbers may be written with a 12th digit, a check digit that no SIM has. */
  readonly hasCheckDigit?: true;
  readonly senders: {
    /** As handsets show it with transaction texts; forwarders change its capitals. */
    readonly official: string;
    /** In lower case: helpline numbers and the like, seen in others' lists, confirmed by nobody. */
    readonly weak: readonly string[];
    /** Exactly as shown: for offers and notices; no transaction text comes from them. */
    readonly notices: readonly string[];
    /** Of a sender that is shared: whether a text that no format consumed is of the other business. */
    readonly isOtherBusiness?: (text: string) => boolean;
  };
  /** Inferred from public samples: an id that differs is doubtful, not wrong. */
  readonly ids: {
    /** The whole id, in upper case. */
    readonly shape: RegExp;
    readonly rule: IdRule;
    /** Null where no guess is likely. */
    readonly guessable: GuessableIds | null;
    /** Nobody's, of the right shape; shown to customers. */
    readonly example: string;
    /** What its app and SMS call it. */
    readonly name: string;
  };
  readonly texts: {
    /** In the order in which they are tried. Long ones stand in a file of the folder `formats`. */
    readonly formats: readonly Format[];
    /** Slots of its own for templates, by name; every format file may use them. */
    readonly slots?: Readonly<Record<string, Slot>>;
    /** How other wallets' texts write its name. */
    readonly spellings: readonly string[];
    /** `Tk.50` is half a taka; elsewhere nobody can tell whom the dot belongs to. */
    readonly writesPaisaAlone?: true;
    /** A masked payer in a shape that only this wallet writes. */
    readonly maskedPayer?: RegExp;
  };
  /** What it is known to add to its messages. */
  readonly additions: {
    /** The wallet's names and products, in lower case: another wallet's words give a text away. */
    readonly names: readonly string[];
    /** Whole, in lower case. Forwarders cut them anywhere. */
    readonly tails: readonly string[];
    /** Where its links lead, in lower case and without `www.`; anybody can make one elsewhere. */
    readonly links: readonly string[];
  };
  readonly imitation: {
    /** Parts that only the wallet's own texts have together, wherever they stand. */
    readonly marks: readonly RegExp[];
    /** The marks may fit other wallets' texts too: those of all others are looked for first. */
    readonly isVague?: true;
    /** Its name, as texts that talk of an account write it. */
    readonly phishing: RegExp;
  };
}

export const SEND_MONEY: Bilingual = { en: 'Send Money', bn: 'সেন্ড মানি (Send Money)' };
export const CASH_OUT: Bilingual = { en: 'Cash Out', bn: 'ক্যাশ আউট (Cash Out)' };
export const PAYMENT: Bilingual = { en: 'Payment', bn: 'পেমেন্ট (Payment)' };
export const MERCHANT_PAY: Bilingual = { en: 'Merchant Pay', bn: 'মার্চেন্ট পে (Merchant Pay)' };
export const MAKE_PAYMENT: Bilingual = { en: 'Make Payment', bn: 'মেক পেমেন্ট (Make Payment)' };

/** Where Android apps are installed from, up to the id of the app. */
export const APP_STORE = 'play.google.com/store/apps/details?id=';
