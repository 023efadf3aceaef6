/** Which refund a transfer completes. Pure; does not know how texts are read and how money is moved. */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, checkedNumber, mobileNumber, type PayChannel, walletNumber } from '../accounts/channels.js';
import { parseShownPayer, payerAgrees } from '../matching/payer.js';
import type { RefundState } from './refund-plan.js';

/** A transfer to a customer, as its SMS reports it. */
export interface SentTransfer {
  readonly channel: PayChannel;
  /** Receiver as the text writes it, sometimes masked. */
  readonly payee: string;
  readonly amountPaisa: Paisa;
  /** Milliseconds since the epoch; texts may leave out the seconds. */
  readonly at: number;
}

/** A refund on the channel of the transfer. */
export interface RefundToSend {
  readonly id: string;
  readonly state: RefundState;
  readonly amount_paisa: Paisa;
  /** Null until the operator has completed it. */
  readonly payee: string | null;
  readonly created_at: number;
}

/** Problems of the text itself: it may be forged. */
export type TextProblem = 'text_doubtful' | 'balance_gap';

/** Reasons why a transfer completes no refund automatically. */
export type SentReason =
  | TextProblem
  /** No refund of that sum to that number waits. */
  | 'no_refund'
  /** More than one does. */
  | 'several_refunds'
  /** One of that sum waits, but for another number. */
  | 'other_number'
  /** One of that sum waits, but its number is not known. */
  | 'number_missing'
  /** Such a refund was completed before by another transfer. */
  | 'sent_again'
  | 'refund_cancelled'
  /** A later text says that the transfer was reversed, returned or has failed. */
  | 'taken_back';

export type ChosenRefund<Refund> =
  | { readonly outcome: 'completes'; readonly refund: Refund }
  | {
      readonly outcome: 'none';
      readonly reason: SentReason;
      /** Refunds that the reason is about. */
      readonly refunds: readonly Refund[];
    };

/** Texts name the minute in which the money moved. */
const MINUTE = 60_000;

/**
 * Chooses the only pending refund that fits a transfer: its sum to the paisa, its number, created before the
 * money moved.
 * @param refunds of the same merchant and channel: the pending ones, and those that ended lately.
 * @param problem of the text; then nothing is completed.
 */
export function chooseRefund<Refund extends RefundToSend>(
  sent: SentTransfer,
  refunds: readonly Refund[],
  problem: TextProblem | null,
): ChosenRefund<Refund> {
  const ofSum = refunds.filter(
    (refund) => refund.amount_paisa === sent.amountPaisa && refund.created_at < sent.at + MINUTE,
  );
  const pending = ofSum.filter(({ state }) => state === 'PENDING');
  const fits = ({ payee }: Refund) => payee !== null && payeeAgrees(sent.channel, payee, sent.payee);
  const fitting = pending.filter(fits);
  const none = (reason: SentReason, about: readonly Refund[]) =>
    ({ outcome: 'none', reason, refunds: about }) as const;
  const [refund] = fitting;
  if (problem === 'text_doubtful') return none(problem, fitting);
  if (refund !== undefined) {
    if (fitting.length > 1) return none('several_refunds', fitting);
    return problem === null ? { outcome: 'completes', refund } : none(problem, fitting);
  }
  const ended = ofSum.filter(fits);
  const completed = ended.filter(({ state }) => state === 'COMPLETED');
  if (completed.length > 0) return none('sent_again', completed);
  if (ended.length > 0) return none('refund_cancelled', ended);
  const nameless = pending.filter(({ payee }) => payee === null);
  if (nameless.length > 0) return none('number_missing', nameless);
  return none(pending.length > 0 ? 'other_number' : 'no_refund', pending);
}

/**
 * True if a number that a text shows may be the payee. A masked one agrees if all digits that it shows are
 * the payee's, at least three (`**783`): the sum is exact and no other pending refund fits, and a
 * forger does not know the balance. The last of them may be a check digit that the payee lacks.
 */
export function payeeAgrees(channel: PayChannel, payee: string, shown: string): boolean {
  const of = CHANNEL[channel];
  const numberOf = (text: string) =>
    of.kind === 'sms' ? walletNumber(of.channel, text) : mobileNumber(text);
  const checkedOf = (text: string) => (of.kind === 'sms' ? checkedNumber(of.channel, text) : null);
  const [number, full] = [numberOf(payee), numberOf(shown)];
  if (number === null || full !== null) return number !== null && number === full;
  const pattern = parseShownPayer(shown);
  if (pattern === null) return false;
  const checked = checkedOf(payee);
  const accounts = checked === null ? [...'0123456789'].map((digit) => checkedOf(number + digit)) : [checked];
  return [number, ...accounts].some((one) => one !== null && payerAgrees(one, pattern));
}
