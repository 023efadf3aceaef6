/** The tables of money that no SMS tells of (migration 4); the others stand in schema.ts. */
import type { TenThousandths } from '../../base/values/usdt.js';

/** BDT for one USDT: of a brand, or of every brand that has none of its own. */
export interface RateTable {
  /** A brand's id, or `*`. */
  scope: string;
  rate: TenThousandths;
  set_at: number;
  set_by: string;
}

/** What a session asks for in USDT, fixed when it was opened. */
export interface QuoteTable {
  session_id: string;
  channel: string;
  /** Whose number, terms and credentials were shown then. */
  account_id: string;
  /** The account's number. */
  receiver: string;
  rate: TenThousandths;
  amount: TenThousandths;
  /** Whose session it is. */
  merchant_id: string;
  /**
   * Until then no other session of that merchant and receiver asks for that amount; null where it needs not
   * be alone.
   */
  held_until: number | null;
}

/** An id of something that was seen outside and is credited. */
export interface CreditedNameTable {
  channel: string;
  name: string;
  scope: string;
  session_id: string;
  brand_id: string;
}

/** The QR code of one session: its text, under a name that nobody can guess. */
export interface CodeTable {
  token: string;
  session_id: string;
  payload: string;
  created_at: number;
}

/** A node of a chain, asked in the order of `priority`. */
export interface NodeTable {
  id: string;
  chain_id: number;
  /** Scheme, host and port: all that is shown, since addresses hold keys. */
  origin: string;
  /** Sealed, purpose `node:<id>`. */
  url: string;
  /** SHA-256 of the address, by which one that is there already is known. */
  url_hash: string;
  /** Small numbers first. */
  priority: number;
  /** Whether it takes several questions in one request. */
  batches: number;
  created_at: number;
}

/** How a node or the exchange behind an account has answered so far. */
export interface SourceHealthTable {
  /** Id of a node or an account. */
  source_id: string;
  calls: number;
  /** JSON object: failures by their kind. */
  failures: string;
  last_ok_at: number | null;
  last_failure_at: number | null;
  last_failure_kind: string | null;
  last_failure_detail: string | null;
}

/** A bank or acquirer that tells of payments to a merchant's QR code. */
export interface AcquirerTable {
  id: string;
  merchant_id: string;
  name: string;
  key_hash: string;
  key_hint: string;
  /** Sealed, purpose `acquirer:<id>`. */
  secret: string;
  auth: 'hmac' | 'basic' | 'ip';
  /** JSON object: field map, signature header, addresses. */
  rules: string;
  created_at: number;
  revoked_at: number | null;
}

/** One message of an acquirer, whole, and what was read from it. */
export interface PushTable {
  id: string;
  acquirer_id: string;
  merchant_id: string;
  /** The bank's own reference; null where none could be read. */
  reference: string | null;
  /** SHA-256 of the body. */
  dedupe_key: string;
  content_type: string;
  body: string;
  /** `SETTLED`: the bank says that the money has moved. `UNSETTLED`: not, or not yet. */
  state: 'SETTLED' | 'UNSETTLED' | 'UNREAD';
  /** Why it could not be read. */
  fault: string | null;
  amount_paisa: number | null;
  /** As the bank shows it, perhaps masked. */
  payer: string | null;
  merchant_code: string | null;
  /** Reference of the QR code that was scanned (62.05). */
  bill: string | null;
  paid_at: number | null;
  status: string | null;
  received_at: number;
}
