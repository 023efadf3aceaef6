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

/** Every kind of text, and whether it adds money to the wallet that it was sent to. */
export const KIND_IS_CREDIT = {
  received: true,
  cash_in: true,
  payment_received: true,
  cash_out_received: true,
  b2b_received: true,
  add_money: true,
  bonus: true,
  remittance: true,
  loan: true,
  refund: true,
  outgoing: false,
  pending: false,
  failed: false,
  otp: false,
  promo: false,
  notice: false,
  balance: false,
  spoofed: false,
  unknown: false,
} as const satisfies Record<string, boolean>;

export type SmsKind = keyof typeof KIND_IS_CREDIT;

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
