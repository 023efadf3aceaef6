/** What is known about a payment, its claims and the money near it. A cause is found from it. Types only. */
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../accounts/channels.js';
import type { DeviceState } from '../devices/device-state.js';
import type { SessionStatus } from '../sessions/session.js';

export interface PaymentFacts {
  readonly id: string;
  readonly gateway_reference: string;
  readonly brand: string;
  /** As it is told now: one whose time is over has failed. */
  readonly status: SessionStatus;
  readonly reason: string;
  readonly amount_paisa: Paisa;
  readonly cus_name: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly created_at: number;
  readonly expires_at: number;
  readonly closed_at: number | null;
  /** The money that it was completed with. */
  readonly channel: PayChannel | null;
  readonly transaction_id: string | null;
  readonly paid_paisa: Paisa | null;
}

export interface ClaimFacts {
  /** Gateway reference of its payment. */
  readonly payment: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly state: 'WAITING' | 'CREDITED' | 'REVIEW' | 'REFUSED';
  readonly reason: string;
  /** What the payment costs on that channel, its fee included. */
  readonly due_paisa: Paisa;
  readonly created_at: number;
}

/** An SMS or a bank's push, or money that was seen outside. */
export interface MoneyFacts {
  /** Of the SMS or push; of other money the id under which it is kept. */
  readonly id: string;
  readonly source: 'sms' | 'push' | 'outside';
  /** Null for a text of no wallet. */
  readonly channel: PayChannel | null;
  /** Of a text that is no money the id that was asked for, if the text names it. */
  readonly reference: string | null;
  readonly amount_paisa: Paisa | null;
  readonly payer: string | null;
  readonly recipient: string | null;
  /** What kind of text it is (domain/wallets/format), or of money. */
  readonly kind: string;
  /** `never` is no money. */
  readonly settle: 'auto' | 'review' | 'never';
  /** Who sent the text; null of other money. */
  readonly sender: string | null;
  /** Of a text that only a person may believe: by their names, the reasons why. */
  readonly doubts: readonly string[];
  /** A later text or push says otherwise of it. */
  readonly disputed: boolean;
  /** Why a person has closed it, so that it pays for nothing; null where nobody has. */
  readonly closed: string | null;
  /** The verification in which a person is asked about it; null for none that is open. */
  readonly review: string | null;
  readonly at: number;
  /** When this installation heard of it. */
  readonly stored_at: number;
  /** The phone that brought it. */
  readonly device: string | null;
  /** Gateway reference of the payment that it completed. */
  readonly payment: string | null;
}

export interface ReviewFacts {
  readonly id: string;
  readonly channel: PayChannel;
  readonly reference: string;
  readonly reason: string;
  readonly state: 'OPEN' | 'APPROVED' | 'REJECTED';
  /** What was seen and what speaks against it, of an open one that is told. */
  readonly facts?: readonly ReviewFact[];
  /** An approval may name it: `--facts`. */
  readonly facts_version?: string;
}

/**
 * `info` helps to decide; with a `caution` one press of a button does not approve; with a `warning` nothing
 * does that was not told of it.
 */
export type FactLevel = 'info' | 'caution' | 'warning';

export interface ReviewFact {
  readonly code: string;
  readonly level: FactLevel;
  /** A sentence or two. */
  readonly text: string;
}

/** Money that moved in a wallet without an SMS of it. */
export interface GapFacts {
  readonly id: string;
  readonly channel: PayChannel;
  readonly recipient: string;
  /** Negative where money went out. */
  readonly missing_paisa: Paisa;
  readonly found_at: number;
}

export interface PhoneFacts {
  readonly name: string;
  readonly state: DeviceState;
  readonly last_seen_at: number | null;
  readonly trouble: string | null;
  /** SMS that wait on the phone. */
  readonly queued: number | null;
  /** Numbers of its SIMs. */
  readonly numbers: readonly string[];
}

/** Everything about one payment. */
export interface PaymentCase {
  readonly payment: PaymentFacts;
  /** The newest first. */
  readonly claims: readonly ClaimFacts[];
  readonly reviews: readonly ReviewFacts[];
  /** The numbers on which its brand is paid. */
  readonly accounts: readonly { readonly channel: PayChannel; readonly number: string }[];
  /** Texts and money with an id that was claimed, or that is near to one, or of the amount that is due. */
  readonly money: readonly MoneyFacts[];
  /** Open ones of these numbers. */
  readonly gaps: readonly GapFacts[];
  readonly phones: readonly PhoneFacts[];
  /** How much older than the payment its money may be, in hours. */
  readonly window_hours: number;
}
