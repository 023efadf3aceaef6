/** Tables of observed money (SMS, chains, exchanges, bank pushes) and of payment links. */
import type { Generated } from 'kysely';
import type { TenThousandths } from '../../base/values/usdt.js';
import type {
  Channel,
  MfsChannel,
  PayChannel,
  PulledChannel,
  SourceChannel,
} from '../../domain/accounts/channels.js';
import type { SenderType } from '../../domain/sms/incoming-sms.js';

export interface SmsTable {
  id: string;
  merchant_id: string;
  device_id: string | null;
  /** `played`: written by Kashbox itself, for a brand for tests. */
  source: 'relay' | 'manual' | 'played';
  /** One text is one row: see `smsDedupeKey` in domain/sms/sms-identity. */
  dedupe_key: string;
  sender: string;
  body: string;
  received_at: number;
  sim_slot: number | null;
  /** The wallet number of the SIM that received it; null while that is not known. */
  recipient: string | null;
  /** Number of the SMS centre that delivered it; null where the relay did not say. */
  smsc: string | null;
  sender_type: SenderType | null;
  channel: SourceChannel | null;
  /** Name of the operator's source that sent it; null for texts of wallets and of strangers. */
  source_name: string | null;
  kind: string;
  settle: 'auto' | 'review' | 'never';
  amount_paisa: number | null;
  fee_paisa: number | null;
  balance_paisa: number | null;
  payer: string | null;
  /** Receiver of outgoing money, as the text writes it. */
  payee: string | null;
  trx_id: string | null;
  /** Time stated in the text. */
  at: string | null;
  /** Format that matched the complete text; null if none did. */
  format: string | null;
  /** JSON list of the named reasons for `settle`. */
  reasons: string;
  stored_at: number;
}

/** Message centre and sender type of a wallet's SMS to a SIM. */
export interface SmsCentreTable {
  merchant_id: string;
  /** Number of the SIM; where it is not known, the device and the slot. */
  sim: string;
  /** Channel of the wallet, or name of the source. */
  channel: string;
  /** Centre and type of sender. */
  route: string;
  /** Number of SMS that arrived this way. */
  seen: number;
  first_at: number;
}

/** The newest accepted id of a day of a wallet whose ids are counted. */
export interface WalletIdTable {
  channel: MfsChannel;
  /** Merchant whose SMS it was; empty for an imported id. */
  merchant_id: string;
  /** `2026-08-21`, of Bangladesh time. */
  day: string;
  id: string;
  /** Time stated in its SMS. */
  at: number;
  /** `approved`: an operator approved its SMS. `balance`: the rule credited it, and its balance followed. */
  learnt_from: 'approved' | 'balance' | 'imported';
  stored_at: number;
}

export interface ProofTable {
  id: string;
  merchant_id: string;
  channel: PayChannel;
  reference: string;
  /** Null where the text gave none that could be read safely. */
  amount_paisa: number | null;
  recipient: string | null;
  payer: string | null;
  kind: string;
  /** `weak`: real money whose text names neither its payer nor a checkable id (domain/matching). */
  settle: 'auto' | 'weak' | 'review';
  /** Time of the payment according to the provider, else the time at which it was received. */
  at: number;
  /** Source row: an SMS or a push; for money observed at a chain or exchange, the account it reached. */
  source_id: string;
  created_at: number;
  /** Scope of the reference: a chain, an exchange, an acquirer; empty for wallets and banks. */
  scope: string;
  /** JSON list of other references that a payer may know it by. */
  aliases: string;
  /** USDT in base units of 10^-18, as digits; null where money is taka. */
  units: string | null;
  /** JSON text of what else was seen outside. */
  evidence: string | null;
  /** The SMS or push that says otherwise of this money; null where none does. */
  disputed_by: Generated<string | null>;
  /** Payment references that its payer wrote, separated by spaces; null if there are none. */
  named: string | null;
  /** Reason why a person closed it, so that it pays for nothing; null if it is not closed. */
  closed_note: Generated<string | null>;
  /** Previous value of `settle`. */
  closed_settle: Generated<ProofTable['settle'] | null>;
  /** Kind of closed money: given back, the shop's own, neither; null if not known. */
  closed_as: Generated<'returned' | 'own' | 'other' | null>;
}

/** Columns of a new proof. */
export type NewProof = Omit<
  ProofTable,
  'disputed_by' | 'named' | 'closed_note' | 'closed_settle' | 'closed_as'
>;

/** Proof by an SMS: no scope, no aliases, in taka. */
export type PlainProof = Omit<NewProof, 'scope' | 'aliases' | 'units' | 'evidence'> & {
  named: string | null;
};

/** A source whose texts an operator trusts, as long as its file stays the same. */
export interface SmsTrustTable {
  name: string;
  /** Stamp of the source and its formats at that time. */
  stamp: string;
  trusted_at: number;
  trusted_by: string;
}

/** BDT for one USDT: of a brand, or of every brand that has none of its own. */
export interface RateTable {
  /** A brand's id, or `*`. */
  scope: string;
  rate: TenThousandths;
  set_at: number;
  set_by: string;
}

/** USDT amount of a session, fixed when it was opened. */
export interface QuoteTable {
  session_id: string;
  channel: PulledChannel;
  /** Account whose number, terms and credentials were shown at that time. */
  account_id: string;
  /** The account's number. */
  receiver: string;
  rate: TenThousandths;
  amount: TenThousandths;
  /** Merchant of the session. */
  merchant_id: string;
  /** Time until which no other session of the merchant and receiver may have the amount, or null. */
  held_until: number | null;
}

/** An id of something that was seen outside and is credited. */
export interface CreditedNameTable {
  channel: PayChannel;
  name: string;
  scope: string;
  session_id: string;
  brand_id: string;
}

/** The QR code of one session for one account: its text, under a name that nobody can guess. */
interface CodeTable {
  token: string;
  session_id: string;
  channel: Channel;
  /** Number of the account that the code pays to. */
  receiver: string;
  /** The amount in the code, with the fee of the channel. */
  amount_paisa: number;
  payload: string;
  created_at: number;
}

/** Node of a chain; nodes are queried in the order of `priority`. */
export interface NodeTable {
  id: string;
  chain_id: number;
  /** Scheme, host and port: all that is shown, since addresses contain keys. */
  origin: string;
  /** Sealed, purpose `node:<id>`. */
  url: string;
  /** SHA-256 of the address, used to detect duplicates. */
  url_hash: string;
  /** Small numbers first. */
  priority: number;
  /** True (1) if it accepts batch requests. */
  batches: number;
  created_at: number;
}

/** Health of a node, or of the exchange of an account. */
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
  /** The first failure after which nothing has succeeded; null where the last call did. */
  failing_since: number | null;
}

/** A bank or acquirer that reports payments to a merchant's QR code. */
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

/** Complete message of an acquirer, and the values parsed from it. */
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
  /** Reason why it could not be parsed. */
  fault: string | null;
  amount_paisa: number | null;
  /** Payer as the bank shows it, sometimes masked. */
  payer: string | null;
  merchant_code: string | null;
  /** Reference of the QR code that was scanned (62.05). */
  bill: string | null;
  paid_at: number | null;
  status: string | null;
  received_at: number;
}

interface PaymentLinkTable {
  id: string;
  brand_id: string;
  /** Title of what is paid for; empty if the seller gave none. */
  title: string;
  /** Both are the same where the amount is fixed; else the customer chooses between them. */
  min_paisa: number;
  max_paisa: number;
  /** JSON list of the seller's own fields (domain/links/link). */
  fields: string;
  /** Time from which it opens no payments; null if it does not expire. */
  ends_at: number | null;
  /** Maximum number of payments; null for no limit. */
  max_payments: number | null;
  created_at: number;
  disabled_at: number | null;
  /** Text of the seller below the title, with line breaks; empty for none. */
  description: string;
  /** Maximum number of pieces in one payment; null where the customer does not choose. */
  max_quantity: number | null;
  /** JSON list of amounts in paisa that the page offers. */
  suggested: string;
  /** JSON object with the facts of its picture (domain/brands/picture, `PictureFacts`), or null. */
  image: string | null;
  /** Hash of the key in the address of its counter display; null of a link for customers. */
  display_hash: string | null;
  /** Session that the display shows, until it is back at the start; it may be deleted already. */
  display_session: string | null;
  /** True (1) if its payments may come in parts. */
  takes_parts: Generated<number>;
  /** Rest of the order that is due on delivery; 0 for none. */
  delivery_paisa: Generated<number>;
}

/** Content of the picture of a payment link. */
interface LinkImageTable {
  link_id: string;
  /** File name in its URL. */
  file: string;
  /** Base64. */
  content: string;
}

/** Payment that a link opened. */
interface LinkPaymentTable {
  session_id: string;
  link_id: string;
  /** Digest of the browser and its entries (domain/links/link, `openerMark`). */
  opener: string;
  /** Time at which the payment expires; null if it must not be deleted. */
  expires_at: number | null;
}

export interface MoneyTables {
  sms: SmsTable;
  sms_trust: SmsTrustTable;
  sms_centres: SmsCentreTable;
  wallet_ids: WalletIdTable;
  proofs: ProofTable;
  rates: RateTable;
  quotes: QuoteTable;
  codes: CodeTable;
  credited_names: CreditedNameTable;
  nodes: NodeTable;
  source_health: SourceHealthTable;
  acquirers: AcquirerTable;
  pushes: PushTable;
  payment_links: PaymentLinkTable;
  link_images: LinkImageTable;
  link_payments: LinkPaymentTable;
}
