/** What everybody outside has seen: wallets, shops, phones. The checker believes it alone. */

/** Money that has really moved to an account of a shop. */
export interface Money {
  readonly channel: string;
  /** Transaction id, in the form in which it is credited. */
  readonly reference: string;
  /** In paisa; of USDT its value in base units. */
  readonly amount: bigint;
  readonly shop: number;
  /** Whether its wallet has taken it back since. */
  isReversed: boolean;
  /** The payment whose very amount it is; null where an amount says nothing of whose money it is. */
  readonly session: string | null;
  /** Number of the payer, where its text shows it. */
  readonly payer?: string;
  /** Whether it is final; money of a chain may never have been. */
  isReal: boolean;
}

/** A payment that the shop was told is open. */
export interface Order {
  readonly session: string;
  readonly shop: number;
  readonly paisa: number;
  /** USDT in base units, as the answer said; null where none was asked for. */
  units: bigint | null;
  /** The money that must complete it, or bring it before a person; null where nothing must. */
  must: Money | null;
}

/** A notification as a shop has heard and acknowledged it. */
export interface Told {
  readonly session: string;
  readonly id: string;
  readonly event: string;
  readonly sequence: number;
  readonly content: string;
}

export interface Observed {
  readonly money: Money[];
  readonly orders: Order[];
  /** Answers to claims that said that a payment is completed: session and reference. */
  readonly completed: { readonly session: string; readonly reference: string }[];
  /** Texts of SMS that a phone was given a receipt for. */
  readonly stored: Set<string>;
  /** Texts of SMS that the agent has told the phone's own inbox to be safe: it may forget them. */
  readonly kept: Set<string>;
  /** Money that its wallet has taken back, with the text that says so. */
  readonly reversals: { readonly money: Money; readonly text: string }[];
  readonly told: Told[];
  /** How often a phone has sent each SMS, by its text. */
  readonly sent: Map<string, number>;
  /** Texts of SMS whose sending was acknowledged. */
  readonly dispatched: string[];
  /** Sessions and references that a person has approved. */
  readonly approved: Set<string>;
  /** Transaction ids of money that an owner may have sent back. */
  readonly returned: Set<string>;
  /** Ids of refunds that an owner has created, as the answers said. */
  readonly refunds: Set<string>;
  /** Ids of refunds that an owner has completed by hand. */
  readonly byHand: Set<string>;
  readonly transfers: Transfer[];
}

/** Money that an owner has really sent, and its SMS. */
interface Transfer {
  readonly reference: string;
  readonly payee: string;
  readonly paisa: number;
  readonly text: string;
}

export const nothingObserved = (): Observed => ({
  money: [],
  orders: [],
  completed: [],
  stored: new Set(),
  kept: new Set(),
  reversals: [],
  told: [],
  sent: new Map(),
  dispatched: [],
  approved: new Set(),
  returned: new Set(),
  refunds: new Set(),
  byHand: new Set(),
  transfers: [],
});

export const approval = (session: string, reference: string) => `${session} ${reference}`;
