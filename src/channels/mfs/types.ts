/**
 * The words of the SMS engine: what goes in, what comes out, and why. Types and one small table; it
 * knows no wallet's texts. Kinds and formats are words of src/domain/wallets/format.ts.
 */
import type { Paisa } from '../../base/values/money.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Settle, SmsKind } from '../../domain/wallets/format.js';

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

/** Formats of one wallet: those of an operator's file, or those that come with Kashbox. */
export interface FormatFile {
  readonly channel: MfsChannel;
  readonly formats: readonly Format[];
}
