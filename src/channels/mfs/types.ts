/**
 * The words of the SMS engine: what goes in, what comes out, and why. Types and one small table; it
 * knows no wallet's texts. Kinds and formats are words of src/domain/wallets/format.ts.
 */
import type { Paisa } from '../../base/values/money.js';
import type { MfsChannel, SourceChannel } from '../../domain/accounts/channels.js';
import type { TextSource } from '../../domain/sources/source.js';
import type { Format, Settle, SmsKind } from '../../domain/wallets/format.js';

/** Values that a text contains; null for each that is absent or cannot be parsed safely. */
export interface SmsValues {
  readonly amountPaisa: Paisa | null;
  readonly feePaisa: Paisa | null;
  readonly balancePaisa: Paisa | null;
  /** Payer as an 11-digit number, a masked number, a Rocket account or a name. */
  readonly from: string | null;
  /** Number, complete or masked, that money was sent to; null of all other texts. */
  readonly payee: string | null;
  readonly trxId: string | null;
  /** Bangladesh time, ISO 8601 with +06:00. */
  readonly at: string | null;
  /** Text that the payer entered in the reference field; null if the SMS has none. */
  readonly payerReference: string | null;
}

export interface SmsReading extends SmsValues {
  /** Null: of none of our wallets, and no money of a source. */
  readonly channel: SourceChannel | null;
  /** Name of the operator's source that sent it; null if it is a wallet's text or nobody's. */
  readonly source: string | null;
  readonly kind: SmsKind;
  readonly credit: boolean;
  readonly settle: Settle;
  readonly reasons: readonly SmsReason[];
  /** True for money of a weak format (domain/wallets/format) against which nothing else speaks. */
  readonly isWeak?: true;
  /** Id of the format that matched the complete text; null if none did. */
  readonly format: string | null;
}

export const NO_VALUES: SmsValues = {
  amountPaisa: null,
  feePaisa: null,
  balancePaisa: null,
  from: null,
  payee: null,
  trxId: null,
  at: null,
  payerReference: null,
};

/** Formats of one wallet: those of an operator's file, or the built-in ones. */
interface WalletFormats {
  readonly source?: never;
  readonly channel: MfsChannel;
  readonly formats: readonly Format[];
}

/** Formats of an operator's source. */
export interface SourceFormats {
  readonly source: TextSource;
  readonly formats: readonly Format[];
}

export type FormatFile = WalletFormats | SourceFormats;

export const REASON_TEXTS = {
  checks_passed: 'Sender, wording, transaction id, amount, balance and date all agree.',
  kind_never_settles: 'A text of this kind never pays for an order.',
  kind_needs_person: 'Money did come in, but a text of this kind does not show which customer paid.',
  source_untrusted:
    'You have not trusted this sender yet: approve ten of its texts, then kashbox sms trust NAME.',
  sender_weak:
    'The sender is a helpline number or an unusual spelling; the wallet itself writes under another.',
  sender_not_official:
    'It looks like a wallet text but was not sent by that wallet. Somebody may be cheating.',
  other_business: 'The sender is none of the wallets.',
  format_unknown: 'The sender has not been seen to write in these words before.',
  not_a_credit: 'It does not say that money was received.',
  incomplete: 'Parts are missing: without an amount and a transaction id nothing can be checked.',
  amount_unreadable: 'The amount is not written like an amount.',
  amount_ambiguous: 'The amount can be read in two ways, such as Tk.50.',
  amount_zero: 'The amount is zero.',
  amount_over_balance: 'The amount is larger than the balance after it, which cannot be.',
  balance_unreadable: 'The balance cannot be read.',
  fee_charged: 'It names a fee, but receiving money costs nothing.',
  fee_unreadable: 'The fee is not written like an amount.',
  payer_unusual: 'The payer is not a mobile number of Bangladesh.',
  date_missing: 'No date can be read.',
  date_impossible: 'There is no such date or time.',
  date_after_delivery: 'The date in the text is later than its arrival on the phone.',
  date_long_before_delivery: 'The text arrived more than a day after the date it names.',
  time_impossible:
    'The phone told no time of its arrival, or one that cannot be, such as 1970; the arrival here stands for it.',
  id_shape: 'The transaction id does not look like one of this wallet.',
  id_date: 'The transaction id was made on another date than the text says.',
  id_range: 'This wallet does not give out such transaction ids at that date.',
  id_near_accepted:
    'Its transaction id was not forecast, but follows ids of this wallet that were accepted here.',
  balance_follows:
    'Its transaction id was not forecast, but its balance follows from the SMS before it to the paisa.',
  characters_foreign: 'Letters or digits of another script stand where plain ones should.',
  characters_hidden: 'There are invisible characters where none should be.',
  reference_like_message: 'What the payer typed as reference looks like a part of a wallet text.',
  tail_unknown: 'Something stands before or after the message that the wallet does not usually add.',
  two_messages: 'There are two messages in one text; neither is taken.',
  text_repeated: 'The same message stands twice in one text.',
  parts_joined:
    'It was joined from parts that the phone handed over one by one. Compare it with the SMS on the phone.',
  text_too_long: 'The text is longer than any wallet writes.',
  delivered_again: 'This very text has come before; it counts once.',
  id_seen_before: 'Another text with the same transaction id has come before.',
  played_here: 'This installation has invented that transaction id itself, for a payment of a test brand.',
  other_route:
    'It came over another SMS centre, or with another type of sender, than the texts of this wallet to this SIM so far.',
  transaction_reversed:
    'It says that a transaction was reversed, returned, cancelled, deducted or held, or has failed.',
} as const;

export type SmsReason = keyof typeof REASON_TEXTS;
