/**
 * The words of the SMS engine: what goes in, what comes out, and what a format file says. Types and two
 * small tables; it knows no wallet's texts.
 */
import type { Paisa } from '../../base/values/money.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';

export type { MfsChannel };

/** `auto` may settle a payment by itself, `review` only by a person, `never` is no payment. */
export type Settle = 'auto' | 'review' | 'never';

/** Every kind of text, and whether it adds money to the wallet that it was sent to. */
export const KIND_IS_CREDIT = {
  received: true,
  cash_in: true,
  payment_received: true,
  cash_out_received: true,
  b2b_received: true,
  add_money: true,
  bonus: true,
  remittance: true,
  loan: true,
  refund: true,
  outgoing: false,
  pending: false,
  failed: false,
  otp: false,
  promo: false,
  notice: false,
  balance: false,
  spoofed: false,
  unknown: false,
} as const satisfies Record<string, boolean>;

export type SmsKind = keyof typeof KIND_IS_CREDIT;

/** Why a text is judged as it is. Each has one plain sentence in explain.ts. */
export type SmsReason =
  | 'checks_passed'
  | 'kind_never_settles'
  | 'kind_needs_person'
  | 'sender_weak'
  | 'sender_not_official'
  | 'other_business'
  | 'format_unknown'
  | 'not_a_credit'
  | 'incomplete'
  | 'amount_unreadable'
  | 'amount_ambiguous'
  | 'amount_zero'
  | 'amount_over_balance'
  | 'balance_unreadable'
  | 'fee_charged'
  | 'payer_unusual'
  | 'date_missing'
  | 'date_impossible'
  | 'date_after_delivery'
  | 'date_long_before_delivery'
  | 'id_shape'
  | 'id_date'
  | 'id_range'
  | 'characters_foreign'
  | 'characters_hidden'
  | 'reference_like_message'
  | 'tail_unknown'
  | 'two_messages'
  | 'text_repeated'
  | 'text_too_long'
  | 'delivered_again'
  | 'id_seen_before'
  | 'transaction_reversed';

export interface SmsText {
  /** Exactly as the phone shows it: case and every character count. */
  readonly sender: string;
  readonly body: string;
  /** Milliseconds since the epoch at which the phone received it; null if nobody knows. */
  readonly receivedAtMs: number | null;
}

/** What a text says, each null where it does not say it (or not safely). */
export interface SmsValues {
  readonly amountPaisa: Paisa | null;
  readonly feePaisa: Paisa | null;
  readonly balancePaisa: Paisa | null;
  /** Payer as an 11-digit number, a masked number, a Rocket account or a name. */
  readonly from: string | null;
  readonly trxId: string | null;
  /** Bangladesh time, ISO 8601 with +06:00. */
  readonly at: string | null;
}

export interface SmsReading extends SmsValues {
  /** Null: of none of our wallets. */
  readonly channel: MfsChannel | null;
  readonly kind: SmsKind;
  readonly credit: boolean;
  readonly settle: Settle;
  readonly reasons: readonly SmsReason[];
  /** Id of the format that consumed the whole text; null if none did. */
  readonly format: string | null;
}

export const NO_VALUES: SmsValues = {
  amountPaisa: null,
  feePaisa: null,
  balancePaisa: null,
  from: null,
  trxId: null,
  at: null,
};

/** What an example's text must be read as, in the words of `sms parse`: amounts are decimal texts. */
export interface ExampleValues {
  readonly amount?: string;
  readonly fee?: string;
  readonly balance?: string;
  readonly from?: string;
  readonly trx_id?: string;
  readonly at?: string;
}

export interface FormatExample {
  readonly text: string;
  readonly values: ExampleValues;
}

export interface Format {
  readonly id: string;
  readonly kind: SmsKind;
  /** The most that this format may be; any failed check lowers `auto` to `review`. */
  readonly settle: Settle;
  /** Templates of one meaning, in the small language of compile.ts. */
  readonly texts: readonly string[];
  readonly examples: readonly FormatExample[];
}

export interface FormatFile {
  readonly channel: MfsChannel;
  readonly formats: readonly Format[];
}
