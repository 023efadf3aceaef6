/**
 * The words of the SMS engine: what goes in, what comes out, and why. Types and one small table; it
 * knows no wallet's texts. Kinds and formats are words of src/domain/wallets/format.ts.
 */
import type { Paisa } from '../../base/values/money.js';
import type { MfsChannel } from '../../domain/accounts/channels.js';
import type { Format, Settle, SmsKind } from '../../domain/wallets/format.js';
import type { SmsReason } from './explain.js';

export type { SmsReason };

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
  /** What the payer wrote into the reference field; null where the text has none. */
  readonly payerReference: string | null;
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
  payerReference: null,
};

/** Formats of one wallet: those of an operator's file, or those that come with Kashbox. */
export interface FormatFile {
  readonly channel: MfsChannel;
  readonly formats: readonly Format[];
}
