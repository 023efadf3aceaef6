/** Tables of refunds, and of the money that left the shop's accounts. */
import type { Generated } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { RefundState } from '../../domain/refunds/refund-plan.js';

/** A transfer to somebody: of a wallet by its SMS, of USDT by its receipt. One reference is one row. */
export interface SentMoneyTable {
  id: string;
  merchant_id: string;
  channel: PayChannel;
  /** Transaction id in the SMS, or hash of the transfer. */
  reference: string;
  /** Account of the shop that it left; null if its number is unknown. */
  sender: string | null;
  /** Receiver as the text writes it: a number, a masked one, an address. */
  payee: string;
  /** Null of USDT. */
  amount_paisa: number | null;
  /** USDT in base units of 10^-18, as digits; null of taka. */
  units: string | null;
  fee_paisa: number | null;
  /** Balance of the wallet after it. */
  balance_paisa: number | null;
  /** Time of the transfer according to the provider. */
  at: number;
  /** Id of the SMS; null of a transfer on a chain. */
  source_id: string | null;
  /** Name of the reason why it completes a refund only manually, or null. */
  reason: string | null;
  created_at: number;
  /** Kind of a transfer without a refund, as the operator says; null if not known. */
  closed_as: Generated<'own' | 'other' | null>;
  closed_note: Generated<string | null>;
}

/** Money that goes back to its payer. The operator sends it, and a proof completes it. */
export interface RefundTable {
  id: string;
  merchant_id: string;
  /** Both null for money that paid for no payment. */
  brand_id: string | null;
  session_id: string | null;
  /** The money that goes back. */
  proof_id: string;
  channel: PayChannel;
  amount_paisa: number;
  /** USDT to send, in base units of 10^-18, as digits; null of taka. */
  units: string | null;
  /** Payer as the proof shows it, sometimes masked; null where it shows none. */
  shown: string | null;
  /** Number or address to which it must go; null until the operator has completed it. */
  payee: string | null;
  note: string;
  state: RefundState;
  created_at: number;
  /** `api`, or the operator. */
  created_by: string;
  /** Time at which it was completed or cancelled. */
  closed_at: number | null;
  /** `rule`, or the operator. */
  closed_by: string | null;
  /** Id of the transfer. */
  reference: string | null;
  /** What sending it cost the shop. */
  fee_paisa: number | null;
  /** The transfer that completed it; null if the operator says so. */
  sent_id: string | null;
}

export interface RefundTables {
  sent_money: SentMoneyTable;
  refunds: RefundTable;
}
