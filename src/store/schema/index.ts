/**
 * Tables as Kysely sees them, one interface per table. Times are milliseconds since the epoch, money is paisa
 * (integers), flags are 0 or 1, lists and objects are JSON text: types that SQLite, PostgreSQL and its
 * distributed variants have in common.
 */
import type { Generated, Kysely } from 'kysely';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { ChainedKind } from '../../domain/audit-chain/chain.js';
import type { ReceiptSms } from '../../domain/dispatches/receipt-text.js';
import type { WebhookFormat } from '../../domain/notifications/notification.js';
import type { Dialect, MetadataAs, StatusAs } from '../../domain/sessions/payment-record.js';
import type { ReturnMethod } from '../../domain/sessions/redirect.js';
import type { SessionStatus } from '../../domain/sessions/session.js';
import type { MoneyTables } from './money.js';
import type { PhoneTables } from './phones.js';
import type { RefundTables } from './refunds.js';
import type { ReviewTables } from './reviews.js';

export type * from './money.js';
export type * from './phones.js';
export type * from './refunds.js';
export type * from './reviews.js';

export interface MerchantTable {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  mobile: string;
  whatsapp: string;
  email: string;
  /** JSON list of IP addresses and CIDR ranges; empty means any. */
  allow_ips: string;
  created_at: number;
}

export interface BrandTable {
  id: string;
  merchant_id: string;
  name: string;
  mobile: string;
  whatsapp: string;
  email: string;
  webhook_url: string | null;
  /** Sealed (base/io/secret), purpose `brand:<id>:webhook`. */
  webhook_secret: string;
  session_minutes: number;
  proof_window_hours: number;
  created_at: number;
  /** Response format of v1 verify. */
  dialect: Dialect;
  metadata_as: MetadataAs;
  /** Format of the status in v1 responses. */
  status_as: StatusAs;
  /** Default method of the customer's return to the shop. */
  return_type: ReturnMethod;
  /** JSON object, fees by channel (domain/sessions/fees). */
  fees: string;
  /** Text that is different after every change of the brand's accounts. */
  accounts_stamp: string;
  webhook_format: WebhookFormat;
  /** Sealed like the present one; notifications are signed with both until it ends. */
  old_webhook_secret: string | null;
  old_webhook_secret_expires_at: number | null;
  /** The program of other people that the shop runs (domain/plugins/plugins); null where none was named. */
  plugin: string | null;
  /** Language of the receipts sent to payers, or `off`. */
  receipt_sms: ReceiptSms;
  /** Features that identified such programs (domain/plugins/plugins), separated by spaces. */
  called_by: string;
  /**
   * Merchant of a test brand; its own `merchant_id` was created for this brand only. Null for all other
   * brands. Never changed.
   */
  test_of: string | null;
  /** Domain in ASCII, which customers see; null if none was given. */
  website: string | null;
  /** `#rrggbb`; null where none was given. */
  colour: string | null;
  /** JSON object with the facts of its logo (domain/brands/picture, `PictureFacts`); null if it has none. */
  logo: string | null;
  /** JSON object, such facts by channel, of the pictures that replace the letters of Kashbox. */
  marks: string;
  /** JSON list of questions and answers (domain/brands/questions). */
  questions: string;
  /** Address of a video that shows how to pay; null if there is none. */
  video: string | null;
  /** True (1) if its payments may come in parts. */
  takes_parts: number;
  /** The most that its API key may refund in a day; null if it may refund nothing. */
  refund_day_limit_paisa: number | null;
}

/** Place of a picture on the pages of its brand. */
export type PicturePlace = 'logo' | PayChannel;

/** Content of a picture of a brand. */
interface PictureTable {
  brand_id: string;
  /** `logo`, or the channel whose mark it is. */
  place: PicturePlace;
  /** File name in its URL. */
  file: string;
  /** Base64. */
  content: string;
}

export interface BrandKeyTable {
  id: string;
  brand_id: string;
  hash: string;
  hint: string;
  created_at: number;
  /** Time at which the key expires: immediately when revoked, later during a rotation. */
  expires_at: number | null;
}

export interface AccountTable {
  id: string;
  brand_id: string;
  channel: PayChannel;
  /** `personal`, `agent`, `payment` for wallets; other channels have their own. */
  type: string;
  /** The wallet number, address or user id that receives. */
  number: string;
  active: number;
  created_at: number;
  disabled_at: number | null;
  /** JSON object of texts shown next to the number (domain/accounts/account-details). */
  details: string;
  /** Sealed credentials of an exchange, purpose `account:<id>:exchange`; null where it needs none. */
  secret: string | null;
  /** The most that may come in on a wallet number in a day and in a month; null for no limit. */
  day_limit_paisa: number | null;
  month_limit_paisa: number | null;
}

/** The wallet number that a payment shows, where its brand has several of one channel and type. */
interface SessionAccountTable {
  session_id: string;
  account_id: string;
  /** Amount due on that channel, with its fee. */
  due_paisa: number;
  /** As of the session. */
  expires_at: number;
}

export interface SessionTable {
  id: string;
  brand_id: string;
  gateway_reference: string;
  flow: 'hosted' | 'headless';
  status: SessionStatus;
  reason: string;
  cus_name: string;
  cus_email: string;
  amount_paisa: number;
  /** JSON text as the merchant sent it, or null. */
  meta_data: string | null;
  misses: number;
  created_at: number;
  expires_at: number;
  closed_at: number | null;
  /** Both null for headless payments and those of a payment link, which have no shop to return to. */
  success_url: string | null;
  cancel_url: string | null;
  /** Address of this payment's notifications; null means the brand's address. */
  webhook_url: string | null;
  return_type: ReturnMethod | null;
  /** The brand's fees as they were when the session was opened; null where it had none. */
  fees: string | null;
  /** Reference that the payer enters in a wallet (domain/matching/reference); null for old ones. */
  payment_reference: string | null;
  /** JSON list of the order lines (domain/sessions/order-items), or null. */
  items: string | null;
  /** The shop's description of the payment, or null. */
  description: string | null;
  /** True (1) if several proofs may pay it together. */
  takes_parts: Generated<number>;
  /** Rest of the order that is due on delivery, in addition to `amount_paisa`; 0 for none. */
  delivery_paisa: Generated<number>;
  /** Sum of its transactions, and of the fees in them. */
  paid_paisa: Generated<number>;
  paid_fee_paisa: Generated<number>;
  /** Sum of its completed refunds. */
  refunded_paisa: Generated<number>;
  /** Number of its last notification that was deleted after its retention period; 0 for none. */
  deleted_sequence: Generated<number>;
}

/** Response to a create request with an idempotency key. */
interface IdempotencyKeyTable {
  key_hash: string;
  request_hash: string;
  answer: string;
  created_at: number;
}

export type ClaimState = 'WAITING' | 'CREDITED' | 'REVIEW' | 'REFUSED';

interface ClaimTable {
  id: string;
  session_id: string;
  merchant_id: string;
  channel: PayChannel;
  reference: string;
  state: ClaimState;
  reason: string;
  created_at: number;
  decided_at: number | null;
  /** Time of the next lookup of its proof; null for channels whose proofs arrive automatically. */
  next_at: Generated<number | null>;
  /** Number of lookups so far. */
  tries: Generated<number>;
  /** Height of the block in which it was seen, not final yet. */
  block: Generated<number | null>;
  /** Amount due, if the claim names the payer's number and no reference. */
  due_paisa: Generated<number | null>;
  /** Irreversible digest of the client's address; null if a shop's server made the claim. */
  address_mark: Generated<string | null>;
}

export interface TransactionTable {
  id: string;
  session_id: string;
  brand_id: string;
  proof_id: string;
  channel: PayChannel;
  reference: string;
  /** All that was paid, the fee included. */
  amount_paisa: number;
  fee_paisa: number;
  credited_at: number;
  /** `rule`, or the person who approved it. */
  credited_by: string;
  /** Scope in which the reference is spent (domain/matching/reference, `spendingScope`). */
  scope: string;
  /** Reference of a bank transfer without the characters that people confuse (`foldedReference`). */
  folded: string | null;
  /** What is still due after it, without a fee: 0 of the one that completed the payment. */
  rest_paisa: number;
}

export interface AuditTable {
  id: string;
  at: number;
  who: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
}

/** The hash chain over credits and audit entries (domain/audit-chain). */
export interface AuditChainTable {
  /** 1, 2, 3 … without gaps. */
  number: number;
  kind: ChainedKind;
  row_id: string;
  /** Digest of the row's content. */
  mark: string;
  /** Hash of this entry and of the previous hash. */
  hash: string;
}

/** Facts about the installation that the store belongs to, one per row. */
export interface InstallationTable {
  name:
    | ('key_fingerprint' | 'write_tried' | 'last_backup' | 'no_room_for' | 'chain_start' | 'certificate')
    | 'copied_to'
    // Certificate of an ACME authority (public-certificate.ts).
    | ('acme_account' | 'acme_attempts' | 'acme_challenge' | 'acme_probe' | 'public_certificate');
  value: string;
}

export interface Schema extends MoneyTables, PhoneTables, RefundTables, ReviewTables {
  merchants: MerchantTable;
  brands: BrandTable;
  pictures: PictureTable;
  brand_keys: BrandKeyTable;
  accounts: AccountTable;
  sessions: SessionTable;
  session_accounts: SessionAccountTable;
  idempotency_keys: IdempotencyKeyTable;
  claims: ClaimTable;
  transactions: TransactionTable;
  audit: AuditTable;
  audit_chain: AuditChainTable;
  installation: InstallationTable;
}

export type Engine = 'sqlite' | 'postgres';

/** Connection to the store, inside or outside a database transaction. */
export interface Db {
  readonly engine: Engine;
  /** Builder of ad-hoc queries, which are built and compiled each time. */
  readonly query: Kysely<Schema>;
  /** Runs a fixed statement, which is prepared once. @returns its rows; empty if it returns none */
  execute<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
}
