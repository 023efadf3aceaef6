/**
 * Matching of bank pushes to claims for `qr_interbank`: pure functions of the uncredited pushes and of the
 * claims that wait for one. A new claim and a new push apply the same rule, so they cannot disagree.
 *
 * A push can pay a claim only if all of these hold: the amount is equal to the paisa; it is not older than
 * the brand's window allows; and either its bill is the claim's own session, or it names no session, no
 * merchant other than one of the brand's accounts, and a payer that agrees with the number that was typed
 * (payer.ts). Of those, the first row that applies decides. "Oldest" means the oldest that is not suspicious,
 * if there is one; a suspicious push needs manual review.
 *
 * | typed | pushes that fit | claims of other sessions that fit them | outcome |
 * |---|---|---|---|
 * | any | with this session's bill | any | the oldest of them |
 * | full number | shown in full | the same number | one each, in the order of claims and of pushes |
 * | full number | shown in full | none, or last four digits | the oldest: the more precise claim wins |
 * | full number | one, partly masked | none, or last four digits | that one |
 * | full number | one, partly masked | the same number | the first claim's |
 * | full number | one, partly masked | another full number | review |
 * | full number | several, partly masked | any | review: nothing distinguishes them |
 * | last four | one, or several of one number shown in full | none | the oldest |
 * | last four | of several payers | any | ask for the full number |
 * | last four | any | any that has no push of its own | ask for the full number |
 * | last four | none shows more than those | where it would be asked for | review: asking would not help |
 * | any | only pushes of other claims, by bill or full number | – | none |
 *
 * The compared digits may be few, and strangers can guess few digits, alone or as part of a full number that
 * the bank masks. So a push that was chosen by few digits is judged again (weak-ids.ts): if it was claimed
 * before the money moved, or by a session opened after it, it needs manual review; if it is one of several
 * guesses, the full number is requested, or review if the bank does not show more.
 */
import type { Paisa } from '../../base/values/money.js';
import type { Match, MatchReview } from './matching.js';
import { comparedDigits, isLastFour, payerAgrees, type ShownPayer, showsMoreThanLastFour } from './payer.js';
import {
  CLOCKS_DIFFER_MS,
  type Guess,
  judgeWeakId,
  type TransferTime,
  type WeakVerdict,
  weakDigits,
} from './weak-ids.js';

/** A push that pays no session yet. */
export interface FreePush {
  readonly id: string;
  readonly amountPaisa: Paisa;
  /** Payer as far as the bank shows it; null if nothing in it can be compared. */
  readonly payer: ShownPayer | null;
  /** The merchant id that it names, or null. */
  readonly merchant: string | null;
  /** The session whose reference it carries, or null. */
  readonly billOf: string | null;
  /** Time from which the push counts, milliseconds since the epoch. */
  readonly at: number;
  /** Time at which the money moved, as precisely as the bank reports it. */
  readonly moved: TransferTime;
  /** True if it may have been counted before, or reversed (push-repeat.ts): it always needs manual review. */
  readonly isDoubtful: boolean;
}

/** A claim that a number has paid a session that is not credited yet. */
export interface PayerClaim {
  readonly session: string;
  /** 11 digits, or the last four. */
  readonly typed: string;
  readonly duePaisa: Paisa;
  /** Merchant ids of the brand's active accounts. */
  readonly merchantIds: readonly string[];
  /** Earliest time of a push that can pay this claim, milliseconds since the epoch. */
  readonly notBefore: number;
  /** Time at which it was first made. */
  readonly claimedAt: number;
  readonly openedAt: number;
}

/** Reason why a push that fits needs manual review. */
export type PushDoubt = Extract<
  MatchReview,
  'claimed_before_payment' | 'opened_after_payment' | 'push_doubtful'
>;

type PushChoice =
  | { readonly outcome: 'push'; readonly id: string; readonly doubt: PushDoubt | null }
  | { readonly outcome: 'none' }
  /** The last four digits match several payers or several customers, or are one of many guesses. */
  | { readonly outcome: 'ask_full_number' }
  /** Manual review: the full number would not be enough. `ids`: pushes it may be, oldest first. */
  | { readonly outcome: 'person'; readonly ids: readonly string[] };

/** Context of one claim or one push. */
export interface PushMatchContext {
  /** Pushes of the merchant that were credited to nobody. */
  readonly free: readonly FreePush[];
  /** Claims of open sessions that wait, in any order. */
  readonly claims: readonly PayerClaim[];
  /** All numbers that were typed for the amount. */
  readonly typed: readonly TypedNumber[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** @param scene the claims in it are those of other sessions. */
export function choosePush(claim: PayerClaim, scene: PushMatchContext): PushChoice {
  return chooseFor(claim, serveProven(scene, [claim, ...scene.claims]));
}

/**
 * The claim that a push pays, judged with all others that are free.
 * @returns null where none is certain; it then stays free, and the answer says why.
 */
export function chooseClaim(push: FreePush, scene: PushMatchContext): ChosenClaim | null {
  const served = serveProven(scene, scene.claims);
  for (const claim of served.inOrder) {
    if (!canPay(claim, push)) continue;
    const choice = chooseFor(claim, served);
    if (choice.outcome === 'push' && choice.id === push.id) return { claim, doubt: choice.doubt };
  }
  return null;
}

interface ChosenClaim {
  readonly claim: PayerClaim;
  readonly doubt: PushDoubt | null;
}

/** State after every claim with a proven push has got its first one. */
interface PushAssignments {
  readonly scene: PushMatchContext;
  /** All claims, in the one order in which they are served. */
  readonly inOrder: readonly PayerClaim[];
  /** Pushes by session. */
  readonly served: ReadonlyMap<string, FreePush>;
  /** Pushes that are not assigned: those without doubt first, then oldest first. */
  readonly left: readonly FreePush[];
}

/** Pushes are found by what proves them: a shop of one price has hundreds of them, and of claims. */
function serveProven(scene: PushMatchContext, claims: readonly PayerClaim[]): PushAssignments {
  const inTurn = scene.free.toSorted(byTurn);
  const ofBill = Map.groupBy(inTurn, (push) => push.billOf);
  const ofNumber = Map.groupBy(inTurn, (push) => push.payer?.full ?? null);
  const inOrder = claims.toSorted(byClaim);
  const served = new Map<string, FreePush>();
  const taken = new Set<FreePush>();
  for (const claim of inOrder) {
    if (served.has(claim.session)) continue;
    const proven = [...(ofBill.get(claim.session) ?? []), ...(ofNumber.get(claim.typed) ?? [])];
    const own = proven.find((push) => !taken.has(push) && canPay(claim, push));
    if (own === undefined) continue;
    served.set(claim.session, own);
    taken.add(own);
  }
  return { scene, inOrder, served, left: inTurn.filter((push) => !taken.has(push)) };
}

function chooseFor(claim: PayerClaim, served: PushAssignments): PushChoice {
  const own = served.served.get(claim.session);
  if (own !== undefined) return believed(claim, own, served, []);
  const fitting = served.left.filter((push) => canPay(claim, push));
  const others = served.inOrder.filter(
    (other) =>
      other.session !== claim.session &&
      !served.served.has(other.session) &&
      fitting.some((push) => canPay(other, push) && (isEarly(claim, push) || !isEarly(other, push))),
  );
  const chosen = isLastFour(claim.typed)
    ? ofLastFour(fitting, others)
    : ofHidden(
        claim,
        fitting,
        others.filter((other) => !isLastFour(other.typed)),
      );
  return 'chosen' in chosen ? believed(claim, chosen.chosen, served, others) : chosen;
}

/** Returns the push of a claim, unless too few digits were compared for a credit. */
function believed(
  claim: PayerClaim,
  push: FreePush,
  { scene }: PushAssignments,
  others: readonly PayerClaim[],
): PushChoice {
  if (push.billOf === claim.session) return { outcome: 'push', id: push.id, doubt: null };
  const verdict = judgeDigits(claim, push, scene);
  switch (verdict) {
    case 'believed':
      return { outcome: 'push', id: push.id, doubt: null };
    case 'early':
      // It is left to those who claim it after they have paid.
      return others.some((other) => canPay(other, push) && !isEarly(other, push))
        ? { outcome: 'none' }
        : { outcome: 'push', id: push.id, doubt: 'claimed_before_payment' };
    case 'younger':
      return { outcome: 'push', id: push.id, doubt: 'opened_after_payment' };
    case 'crowded': {
      const tells = isLastFour(claim.typed) && push.payer !== null && showsMoreThanLastFour(push.payer);
      return tells ? { outcome: 'ask_full_number' } : person([push]);
    }
    default:
      return verdict satisfies never;
  }
}

/** True where nothing speaks against the push paying the claim, before other claims are looked at. */
export function canPay(claim: PayerClaim, push: FreePush): boolean {
  if (push.amountPaisa !== claim.duePaisa || push.at < claim.notBefore) return false;
  if (push.billOf !== null) return push.billOf === claim.session;
  if (push.merchant !== null && !claim.merchantIds.includes(push.merchant)) return false;
  return push.payer !== null && payerAgrees(claim.typed, push.payer);
}

/**
 * Matches a push to the session whose bill reference it contains; no claim is needed. The QR code was ours
 * whatever merchant id the push contains: the brand's account may have been changed since the code was made.
 */
export function matchBill(
  push: Pick<FreePush, 'amountPaisa' | 'at' | 'isDoubtful'>,
  due: Pick<PayerClaim, 'duePaisa' | 'notBefore'>,
): Match {
  if (push.at < due.notBefore) return { outcome: 'disagree', about: 'time' };
  if (push.amountPaisa < due.duePaisa) return { outcome: 'disagree', about: 'amount' };
  return push.amountPaisa > due.duePaisa ? { outcome: 'review', reason: 'overpaid' } : matchChosen(push);
}

/** Converts a push that was matched with a claim to a verdict. */
export function matchChosen(
  { amountPaisa, isDoubtful }: Pick<FreePush, 'amountPaisa' | 'isDoubtful'>,
  doubt: PushDoubt | null = null,
): Match {
  const reason = isDoubtful ? 'push_doubtful' : doubt;
  return reason === null ? { outcome: 'credit', paisa: amountPaisa } : { outcome: 'review', reason };
}

type PushCandidate = { readonly chosen: FreePush } | PushChoice;

function ofLastFour(fitting: readonly FreePush[], others: readonly PayerClaim[]): PushCandidate {
  const [oldest] = fitting;
  if (oldest === undefined) return { outcome: 'none' };
  const full = oldest.payer?.full ?? null;
  const isOnePayer =
    fitting.length === 1 || (full !== null && fitting.every(({ payer }) => payer?.full === full));
  if (isOnePayer && others.length === 0) return { chosen: oldest };
  const differ = fitting.some(({ payer }) => payer?.pattern !== oldest.payer?.pattern);
  const tells = fitting.some(({ payer }) => payer !== null && showsMoreThanLastFour(payer));
  return (differ || others.length > 0) && tells ? { outcome: 'ask_full_number' } : person(fitting);
}

/** @param others full numbers too: a mask that leaves open which of two it hides proves neither. */
function ofHidden(
  claim: PayerClaim,
  fitting: readonly FreePush[],
  others: readonly PayerClaim[],
): PushCandidate {
  const [only, ...more] = fitting;
  if (only === undefined) return { outcome: 'none' };
  if (more.length > 0 || others.some(({ typed }) => typed !== claim.typed)) return person(fitting);
  return others.some((competitor) => byClaim(competitor, claim) < 0) ? { outcome: 'none' } : { chosen: only };
}

function person(fitting: readonly FreePush[]): PushChoice {
  return { outcome: 'person', ids: fitting.map((push) => push.id) };
}

const byTurn = (one: FreePush, other: FreePush) =>
  Number(one.isDoubtful) - Number(other.isDoubtful) || one.at - other.at || compareIds(one.id, other.id);

/** Full numbers first, then first come first; of claims of one instant the ids decide, the same for both. */
const byClaim = (one: PayerClaim, other: PayerClaim) =>
  Number(isLastFour(one.typed)) - Number(isLastFour(other.typed)) ||
  one.claimedAt - other.claimedAt ||
  compareIds(one.session, other.session);

/** Orders by id; two items of a scene never have the same id. */
const compareIds = (one: string, other: string) => (one < other ? -1 : 1);

/** Number that was typed for this amount, in a session of any status, and from which no money has come. */
export interface TypedNumber {
  readonly typed: string;
  /** Time at which it was first typed, milliseconds since the epoch. */
  readonly claimedAt: number;
}

interface Typing extends TypedNumber {
  readonly openedAt: number;
}

interface TimedPush {
  readonly payer: ShownPayer | null;
  readonly moved: TransferTime;
}

interface AmountEvidence {
  /** All numbers that were typed for the amount. */
  readonly typed: readonly TypedNumber[];
  /** Pushes of the amount that pay nothing yet. */
  readonly free: readonly TimedPush[];
  readonly now: number;
}

/** Precision of banks that report no seconds: they report the beginning of the minute. */
const MINUTE_MS = 60_000;

/**
 * @param paidAt time that the bank reports, null if it reports none. A time after the arrival of the push
 * only shows that the bank's clock is wrong, and is ignored.
 * @param receivedAt arrival of the push. Both in milliseconds since the epoch.
 */
export function movedBetween(paidAt: number | null, receivedAt: number): TransferTime {
  if (paidAt === null || paidAt > receivedAt) return { from: null, until: receivedAt };
  const precisionMs = paidAt % MINUTE_MS === 0 ? MINUTE_MS : 1_000;
  return { from: paidAt, until: Math.min(receivedAt, paidAt + precisionMs + CLOCKS_DIFFER_MS) };
}

/** @returns `believed` also where so much was compared that nobody guesses it. */
export function judgeDigits(claim: Typing, push: TimedPush, evidence: AmountEvidence): WeakVerdict {
  const { payer, moved } = push;
  if (payer === null) return 'believed';
  const reference = comparedDigits(claim.typed, payer);
  const kind = weakDigits(reference.length, !isLastFour(claim.typed));
  if (kind === null) return 'believed';
  const { claimedAt, openedAt } = claim;
  const guesses = otherGuesses(payer, reference, evidence);
  // So few numbers are believed that who typed them makes no difference.
  const typing = { kind, reference, guesser: reference, claimedAt, openedAt, money: moved, guesses };
  return judgeWeakId(typing, evidence.now);
}

/** A claim from before the money moved was a guess, and does not compete with real payers. */
export function isEarly(claim: Typing, push: TimedPush): boolean {
  return judgeDigits(claim, push, { typed: [], free: [], now: push.moved.until }) === 'early';
}

/** Other numbers compared by the same count of digits, from which no money has come. */
function otherGuesses(payer: ShownPayer, reference: string, { typed, free }: AmountEvidence): Guess[] {
  return typed.flatMap(({ typed: number, claimedAt }) => {
    const digits = comparedDigits(number, payer);
    if (digits.length !== reference.length || digits === reference) return [];
    const isExplained = free.some((push) => push.payer !== null && payerAgrees(number, push.payer));
    return isExplained ? [] : [{ reference: digits, guesser: digits, claimedAt }];
  });
}
