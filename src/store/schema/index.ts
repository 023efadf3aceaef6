/**
 * The tables as Kysely sees them, one interface per table. Times are milliseconds since the epoch, money is
 * whole paisa, flags are 0 or 1, lists and objects are JSON text: types that SQLite, PostgreSQL and its
 * distributed relatives all hold alike.
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
import type { ReviewTables } from './reviews.js';

export type * from './money.js';
export type * from './phones.js';
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
  /** How v1 verify answers. */
  dialect: Dialect;
  metadata_as: MetadataAs;
  /** How v1 writes the status. */
  status_as: StatusAs;
  /** How the customer is sent back where the shop did not say. */
  return_type: ReturnMethod;
  /** JSON object, fees by channel (domain/sessions/fees). */
  fees: string;
  /** Another text with every change of its accounts. */
  accounts_stamp: string;
  webhook_format: WebhookFormat;
  /** Sealed like the present one; notifications are signed with both until it ends. */
  old_webhook_secret: string | null;
  old_webhook_secret_expires_at: number | null;
  /** The program of other people that the shop runs (domain/plugins/plugins); null where none was named. */
  plugin: string | null;
  /** Whether payers are sent their receipt, and in which language. */
  receipt_sms: ReceiptSms;
  /** By what requests of such programs have been recognised (domain/plugins/plugins), with spaces between. */
  called_by: string;
  /**
   * Of a brand for tests the merchant whose brand it is; its `merchant_id` is one that is made for it alone.
   * Null of all others. Never changed.
   */
  test_of: string | null;
  /** Its domain in ASCII, which customers see; null where none was given. */
  website: string | null;
  /** `#rrggbb`; null where none was given. */
  colour: string | null;
  /** JSON object of what is said of its logo (domain/brands/logo, `LogoFacts`); null where it has none. */
  logo: string | null;
}

/** Content of the logo of a brand. */
interface LogoTable {
  brand_id: string;
  /** In its address. */
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
  /** From this time on the key is dead: now when revoked, later while a rotation overlaps. */
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
  /** JSON object of texts that a customer is shown beside the number (domain/accounts/account-details). */
  details: string;
  /** Sealed credentials of an exchange, purpose `account:<id>:exchange`; null where it needs none. */
  secret: string | null;
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
  /** Both are null of headless payments, and of those of a payment link, which have no shop to go back to. */
  success_url: string | null;
  cancel_url: string | null;
  /** Where this payment is notified; null means the brand's address. */
  webhook_url: string | null;
  return_type: ReturnMethod | null;
  /** The brand's fees as they were when the session was opened; null where it had none. */
  fees: string | null;
  /** By which a payer names it in a wallet (domain/matching/reference); null of old ones. */
  payment_reference: string | null;
}

/** What a create has answered under the idempotency key of a shop. */
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
  /** When its proof is asked for outside again; null for channels whose proofs come by themselves. */
  next_at: Generated<number | null>;
  /** How often it was asked for. */
  tries: Generated<number>;
  /** Height of the block in which it was seen, not final yet. */
  block: Generated<number | null>;
  /** What is due, where the claim names the payer's number and no reference. */
  due_paisa: Generated<number | null>;
  /** Of the client's address, of which it tells nothing; null where a shop's server claimed. */
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
  /** `rule`, or who approved it. */
  credited_by: string;
  /** Within what the reference is spent (domain/matching/reference, `spendingScope`). */
  scope: string;
  /** Of a bank transfer its reference without what people mistake (`foldedReference`). */
  folded: string | null;
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
  /** Of what stands in the row. */
  mark: string;
  /** Of this entry and the hash of the one before. */
  hash: string;
}

/** What the store knows of the installation that it belongs to, one row a fact. */
export interface InstallationTable {
  name:
    | ('key_fingerprint' | 'write_tried' | 'last_backup' | 'no_room_for' | 'chain_start' | 'certificate')
    | 'copied_to';
  value: string;
}

export interface Schema extends MoneyTables, PhoneTables, ReviewTables {
  merchants: MerchantTable;
  brands: BrandTable;
  logos: LogoTable;
  brand_keys: BrandKeyTable;
  accounts: AccountTable;
  sessions: SessionTable;
  idempotency_keys: IdempotencyKeyTable;
  claims: ClaimTable;
  transactions: TransactionTable;
  audit: AuditTable;
  audit_chain: AuditChainTable;
  installation: InstallationTable;
}

export type Engine = 'sqlite' | 'postgres';

/** One connection to the store, inside or outside a unit of work. */
export interface Db {
  readonly engine: Engine;
  /** For queries that are not hot; builds and compiles each time. */
  readonly query: Kysely<Schema>;
  /** Runs a statement of which there are few, which is prepared once. @returns its rows, or none */
  execute<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
}
