/**
 * What a format of a wallet's SMS says, and the kinds of text that there are. Types and one small table; the
 * language of the templates is read by src/channels/mfs/compile.ts.
 */

/** What a captured slot of a template becomes. */
export type Role = 'amount' | 'fee' | 'balance' | 'from' | 'name' | 'id' | 'date' | 'ref' | 'head' | 'tail';

export interface Slot {
  /** A pattern that finishes in linear time. */
  readonly source: string;
  /** Null: it is there to be consumed only. */
  readonly role: Role | null;
}

/** `auto` may settle a payment by itself, `review` only by a person, `never` is no payment. */
export type Settle = 'auto' | 'review' | 'never';

/** Every kind of text that adds money to the wallet that it was sent to, as a shopkeeper would be told. */
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

/** The same of all kinds. */
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

/** What needs no format to be known for what it is. */
export const KNOWN_WITHOUT_FORMAT: readonly SmsKind[] = ['otp', 'spoofed'];

/** Whether a text of that kind adds money to the wallet. */
export function isCredit(kind: string): boolean {
  return Object.hasOwn(CREDIT_TEXTS, kind);
}

/** What an example's text must be read as, in the words of `sms parse`: amounts are decimal texts. */
export interface ExampleValues {
  readonly amount?: string;
  readonly fee?: string;
  readonly balance?: string;
  readonly from?: string;
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
  /** Templates of one meaning, in the small language of src/channels/mfs/compile.ts. */
  readonly texts: readonly string[];
  readonly examples: readonly FormatExample[];
}
