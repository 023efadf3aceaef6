/**
 * Formats of wallet SMS, and the kinds of texts. Types and one small table; src/channels/mfs/compile.ts
 * parses the template language.
 */

/** Meaning of a slot in a template. */
export type Role =
  | ('amount' | 'fee' | 'balance' | 'from' | 'to' | 'name' | 'id' | 'date' | 'ref' | 'head' | 'tail')
  /** Text that is not used; a template may have several such slots. */
  | 'skipped';

export interface Slot {
  /** A pattern that finishes in linear time. */
  readonly source: string;
  /** Null if the slot is only consumed. */
  readonly role: Role | null;
}

/** `auto` can settle a payment automatically, `review` only after manual review; `never` is not a payment. */
export type Settle = 'auto' | 'review' | 'never';

/** Kinds of texts that add money to the receiving wallet, with a description for a shopkeeper. */
const CREDIT_TEXTS = {
  received: 'money received from a customer',
  cash_in: 'cash paid in at an agent',
  payment_received: 'a payment received by a merchant account',
  cash_out_received: 'a cash-out received by an agent account',
  b2b_received: 'a business transfer received',
  add_money: 'money added from a bank or card',
  bonus: 'a gift, cashback or interest',
  remittance: 'a remittance from abroad',
  loan: 'a loan',
  refund: 'a refund or release of own money',
} as const;

export const KIND_TEXTS = {
  ...CREDIT_TEXTS,
  outgoing: 'money that went out',
  pending: 'a request or a transaction that is not finished',
  failed: 'a failed transaction',
  otp: 'a one-time password',
  promo: 'an offer',
  notice: 'a notice',
  balance: 'a balance',
  spoofed: 'a forgery: it imitates a wallet text',
  unknown: 'nothing that is known',
} as const;

export type SmsKind = keyof typeof KIND_TEXTS;

export const SMS_KINDS = Object.keys(KIND_TEXTS) as readonly SmsKind[];

/** Kinds that are recognised without a format. */
export const KNOWN_WITHOUT_FORMAT: readonly SmsKind[] = ['otp', 'spoofed'];

/** True if a text of this kind adds money to the wallet. */
export function isCredit(kind: string): boolean {
  return Object.hasOwn(CREDIT_TEXTS, kind);
}

/** Expected values of an example, with the field names of `sms parse`; amounts are decimal strings. */
export interface ExampleValues {
  readonly amount?: string;
  readonly fee?: string;
  readonly balance?: string;
  readonly from?: string;
  readonly to?: string;
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
  /**
   * True for `review` texts of money that does come in, but whose id cannot be checked or whose payer is not
   * named, such as payments by Bangla QR. Two independent witnesses settle it (domain/matching).
   */
  readonly isWeak?: true;
  /** Templates of one meaning, in the small language of src/channels/mfs/compile.ts. */
  readonly texts: readonly string[];
  readonly examples: readonly FormatExample[];
}
