/** The tables of SMS as they came, and of what is money in whatever was seen. */
import type { Generated } from 'kysely';

export interface SmsTable {
  id: string;
  merchant_id: string;
  device_id: string | null;
  source: 'relay' | 'manual';
  /** One text is one row: see `smsDedupeKey` in domain/sms/sms-identity. */
  dedupe_key: string;
  sender: string;
  body: string;
  received_at: number;
  sim_slot: number | null;
  /** The wallet number of the SIM that received it; null while that is not known. */
  recipient: string | null;
  channel: string | null;
  kind: string;
  settle: 'auto' | 'review' | 'never';
  amount_paisa: number | null;
  fee_paisa: number | null;
  balance_paisa: number | null;
  payer: string | null;
  trx_id: string | null;
  /** What the text itself says of its time. */
  at: string | null;
  /** The format that consumed the text whole; null where none did. */
  format: string | null;
  /** JSON list of the named reasons behind `settle`. */
  reasons: string;
  stored_at: number;
}

export interface ProofTable {
  id: string;
  merchant_id: string;
  channel: string;
  reference: string;
  /** Null where the text gave none that could be read safely. */
  amount_paisa: number | null;
  recipient: string | null;
  payer: string | null;
  kind: string;
  settle: 'auto' | 'review';
  /** When the money moved, by the provider's word, else when we heard of it. */
  at: number;
  /** The row it came from: an SMS, a push; of what was seen outside the account that it reached. */
  source_id: string;
  created_at: number;
  /** Within what the reference is unique: a chain, an exchange, an acquirer; empty for wallets and banks. */
  scope: string;
  /** JSON list of the other references by which a payer may know it. */
  aliases: string;
  /** USDT in base units of 10^-18, as digits; null where money is taka. */
  units: string | null;
  /** JSON text of what else was seen outside. */
  evidence: string | null;
  /** The SMS or push that says otherwise of this money; null where none does. */
  disputed_by: Generated<string | null>;
}

/** As it is written when it is seen first. */
export type NewProof = Omit<ProofTable, 'disputed_by'>;

/** As a wallet or a person proves it: within no scope, under no other name, in taka. */
export type PlainProof = Omit<NewProof, 'scope' | 'aliases' | 'units' | 'evidence'>;
