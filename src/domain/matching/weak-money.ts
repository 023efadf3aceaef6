/**
 * Matching of weak money to the payments that request it: money that did come in, but whose text
 * names neither its payer nor an id that can be checked, such as a payment by Bangla QR. Pure functions; know
 * neither store nor clock.
 *
 * Such a text alone is not enough evidence. Two independent witnesses are:
 *
 * 1. exactly one payment requests this amount by the code of this account. It was open when the money moved;
 * 2. and one of: the text repeats the reference of that payment; the text shows digits of the payer's number,
 *    and the customer has typed them; the balance in the text follows from the SMS before it by exactly this
 *    amount; the acquirer of the code has reported the money, too.
 *
 * | payments that request it | second witness | outcome |
 * |---|---|---|
 * | none | any | none: it stays uncredited |
 * | one | reference, or typed digits that agree and are not a guess | credit |
 * | one | the balance follows | credit, unless people also pay to the code without a payment |
 * | one | a push of the acquirer | credit |
 * | one | typed digits that differ from those in the text | review |
 * | one | none | review |
 * | several | reference of one, or a number typed and shown in full by one | credit of that one |
 * | several | any other | manual review |
 *
 * The balance proves that the money came, not who sent it. So it is not a witness on an account to which
 * money comes without a payment (`isStrayed`): a printed code on the counter, or the owner's own deposits.
 * Digits are judged as everywhere (weak-ids.ts): few enough to guess are believed only while nobody guesses.
 */
import type { Paisa } from '../../base/values/money.js';
import type { Match, MatchReview } from './matching.js';
import { judgeDigits, type TypedNumber } from './matching-push.js';
import { payerAgrees, type ShownPayer } from './payer.js';
import { CLOCKS_DIFFER_MS, type TransferTime } from './weak-ids.js';

export interface WeakMoney {
  readonly paisa: Paisa;
  /** Payer as far as the text shows it; null if nothing in it can be compared. */
  readonly payer: ShownPayer | null;
  readonly moved: TransferTime;
  /** Words of the text that may be references of payments, in capitals. */
  readonly named: readonly string[];
  /** True if its balance follows from the SMS before it by exactly this amount. */
  readonly isInBalance: boolean;
  /** True if money has come to the account that no payment requested. */
  readonly isStrayed: boolean;
  /** True if the acquirer has reported it as well. */
  readonly isPushed: boolean;
}

/** A payment whose own code requests this amount on this account. */
export interface AskingPayment {
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Time at which it ended, milliseconds since the epoch; null while it is open. */
  readonly endedAt: number | null;
  /** References in its code. */
  readonly references: readonly string[];
  /** Numbers that its customer typed, in 11 digits or the last four. */
  readonly typed: readonly TypedNumber[];
}

/** Reason why money that may pay a payment needs manual review. */
type WeakReason = Extract<
  MatchReview,
  'payer_unknown' | 'payer_differs' | 'claimed_before_payment' | 'may_be_guessed'
>;

export type WeakChoice =
  /** `typed`: the number of its customer that decides; null if none was needed. */
  | {
      readonly outcome: 'one';
      readonly session: string;
      readonly typed: string | null;
      readonly reason: WeakReason | null;
    }
  /** Several payments request it. `sessions`: those of them that an operator can compare. */
  | { readonly outcome: 'several'; readonly sessions: readonly string[] }
  | { readonly outcome: 'none' };

/** What else is known at this price. */
export interface PriceEvidence {
  /** All numbers that were typed for the amount. */
  readonly typed: readonly TypedNumber[];
  /** Other weak money of the amount that pays nothing yet. */
  readonly free: readonly Pick<WeakMoney, 'payer' | 'moved'>[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** @param asking payments that request the amount of the money on its account, in any state. */
export function choosePayment(
  money: WeakMoney,
  asking: readonly AskingPayment[],
  evidence: PriceEvidence,
): WeakChoice {
  const meant = asking.filter((payment) => wasOpen(payment, money.moved));
  const certain = meant.filter((payment) => isNamed(payment, money) || isFullPayer(payment, money));
  const left = certain.length > 0 ? certain : meant;
  const [only, ...others] = left;
  if (only === undefined) return { outcome: 'none' };
  if (others.length > 0) return { outcome: 'several', sessions: comparable(left, money).map(sessionOf) };
  const { typed = null, reason } = judge(only, money, evidence);
  return { outcome: 'one', session: only.session, typed, reason };
}

/** Result of `choosePayment` as a verdict on the one payment. */
export function matchWeak({ paisa }: Pick<WeakMoney, 'paisa'>, reason: WeakReason | null): Match {
  return reason === null ? { outcome: 'credit', paisa } : { outcome: 'review', reason };
}

const sessionOf = ({ session }: AskingPayment) => session;

/** True if the money may have moved while the payment was open. */
function wasOpen({ openedAt, endedAt }: AskingPayment, { from, until }: TransferTime): boolean {
  if (openedAt > until + CLOCKS_DIFFER_MS) return false;
  return endedAt === null || from === null || endedAt >= from - CLOCKS_DIFFER_MS;
}

/** True if the text repeats the reference of the payment: nobody else knows it. */
const isNamed = ({ references }: AskingPayment, { named }: WeakMoney) =>
  references.some((reference) => named.includes(reference));

/** True if the text shows the complete number that the customer typed: nobody guesses eight digits. */
const isFullPayer = ({ typed }: AskingPayment, { payer }: WeakMoney) =>
  payer !== null && payer.full !== null && typed.some((one) => one.typed === payer.full);

/** Maximum number of payments that an operator has to compare. */
const MOST_COMPARED = 3;

/** @returns those whose customers have typed what the text may mean; if none have, all of a few payments. */
function comparable(payments: readonly AskingPayment[], { payer }: WeakMoney): readonly AskingPayment[] {
  const typed = payments.filter((payment) =>
    payer === null ? payment.typed.length > 0 : agreeing(payment, payer) !== undefined,
  );
  if (typed.length > 0) return typed;
  return payments.length <= MOST_COMPARED ? payments : [];
}

const agreeing = ({ typed }: AskingPayment, payer: ShownPayer) =>
  typed.find((one) => payerAgrees(one.typed, payer));

interface Judged {
  readonly reason: WeakReason | null;
  readonly typed?: string;
}

/** Looks for the second witness. */
function judge(payment: AskingPayment, money: WeakMoney, evidence: PriceEvidence): Judged {
  const { payer } = money;
  const isConfirmed = money.isPushed || (money.isInBalance && !money.isStrayed);
  const [said] = payment.typed;
  if (isNamed(payment, money)) return { reason: null };
  const own = payer === null ? undefined : agreeing(payment, payer);
  if (own === undefined) {
    if (payer !== null && said !== undefined) return { reason: 'payer_differs', typed: said.typed };
    return { reason: isConfirmed ? null : 'payer_unknown', ...(said && { typed: said.typed }) };
  }
  const { typed } = own;
  const verdict = judgeDigits({ ...own, openedAt: payment.openedAt }, money, evidence);
  switch (verdict) {
    case 'believed':
      return { reason: null, typed };
    case 'early':
      return { reason: isConfirmed ? null : 'claimed_before_payment', typed };
    case 'younger':
    case 'crowded':
      return { reason: isConfirmed ? null : 'may_be_guessed', typed };
    default:
      return verdict satisfies never;
  }
}
