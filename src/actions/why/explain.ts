/**
 * Answers the question that shops ask most: why was this not credited? Reads only. The question may be a
 * transaction id, an amount, a payer's number or a payment.
 */
import { refuse } from '../../base/errors/refuse.js';
import { echoed } from '../../base/values/text.js';
import { payerFits } from '../../domain/matching/payer.js';
import {
  type Cause,
  findCause,
  type GapFacts,
  type MoneyFacts,
  type PaymentCase,
  type PhoneFacts,
  type RefundOfPayment,
  type ReviewFacts,
} from '../../domain/why/cause.js';
import { isNearly } from '../../domain/why/naming.js';
import { parseQuestion, type Question } from '../../domain/why/question.js';
import type { Db } from '../../store/schema/index.js';
import { findReview } from '../../store/tables/reviews.js';
import {
  allMerchants,
  claimsUnder,
  gapsForWhy,
  refundOfText,
  sessionsHolding,
  sessionsNamed,
  sessionsOfAmount,
  sessionsOfReviews,
  undecidedClaims,
} from '../../store/tables/why.js';
import type { Core } from '../core/core.js';
import {
  type FoundCase,
  findCases,
  findMoney,
  findPhones,
  type MoneyBrief,
  type OwnedMoney,
} from './find-facts.js';
import { findPaidAgain, findPaidBefore, type PaidBefore } from './paid-twice.js';
import { factsOfReview } from './review-facts.js';

export type WhyAnswer =
  | { readonly kind: 'payment'; readonly cause: Cause; readonly about: PaymentCase }
  /**
   * Money, or a text that is not money, without a payment. `candidates`: payments of that amount. `claimed`:
   * gateway references of payments that claimed it without success. `paid`: the payment that the payer has
   * paid the same amount for: they may have paid twice, or it is its next part. `refund`: by which the
   * money goes back.
   */
  | {
      readonly kind: 'money';
      readonly money: MoneyFacts;
      readonly claimed: readonly string[];
      readonly candidates: readonly PaymentCase[];
      readonly paid: PaidBefore | null;
      readonly refund: RefundOfPayment | null;
    }
  /** Gap in the balances of exactly that amount, for which there is no open payment. */
  | { readonly kind: 'gap'; readonly gap: GapFacts }
  | { readonly kind: 'nothing'; readonly phones: readonly PhoneFacts[] };

export interface Why {
  readonly question: Question;
  /** Milliseconds since the epoch: older amounts, payers and mistyped ids were not looked for. */
  readonly since: number;
  readonly answers: readonly WhyAnswer[];
}

/** Maximum number of answers; for longer results there are the list commands. */
const MAX_ANSWERS = 5;

/** @throws KashboxError `invalid_input` where the question can be none of these */
export async function explainWhy(
  core: Core,
  input: { readonly asked: string; readonly sinceMs: number },
): Promise<Why> {
  const question = parseQuestion(input.asked);
  if (question.reference === null && question.paisa === null && question.phone === null) {
    refuse(
      `"${echoed(input.asked)}" is not a transaction id, amount, phone number, order number or payment`,
      'Write one of them: kashbox why DKM4ABC123, kashbox why 410, kashbox why 01711000001.',
    );
  }
  const now = core.clock.now();
  const answers = await core.store.read((db) => answersTo(db, question, input.sinceMs, now));
  return { question, since: input.sinceMs, answers };
}

async function answersTo(db: Db, question: Question, since: number, now: number): Promise<WhyAnswer[]> {
  const merchants = await allMerchants(db);
  const known = question.reference === null ? [] : await sessionsNamed(db, question.text);
  const told = known.length > 0 ? [] : await sessionsTold(db, question.text, since);
  // A number may be an amount as well: what is known of that comes first.
  const named = question.paisa === null ? [...known, ...told] : known;
  const isPayment = named.length === 1 && named[0] === question.text.toLowerCase();
  const money = isPayment ? [] : await findMoney(db, { merchants, since, ...wantedBy(question) });
  const claims = await claimsOf(db, money);
  const asked = money.flatMap(({ review }) => (review === null ? [] : [review]));
  const reviewed = asked.length === 0 ? [] : await sessionsOfReviews(db, asked);
  const first = [...named, ...reviewed, ...claims.map(({ session_id }) => session_id)];
  const about = isPayment ? named : await sessionsAbout(db, question, { first, money, since });
  const ids = [...new Set([...about, ...told])];
  const found = firstOnes(await findCases(db, ids, now), first);
  const cases = await withFacts(db, await withMoney(db, found.slice(0, MAX_ANSWERS), since), now);
  const answers: WhyAnswer[] = cases.map((about) => ({ kind: 'payment', cause: findCause(about), about }));
  const isNone = ({ settle }: MoneyFacts) => settle === 'never';
  const again = await moneyAgain(db, cases, { merchants, since });
  for (const one of [...money.filter((text) => !isNone(text)), ...again, ...money.filter(isNone)]) {
    if (answers.length >= MAX_ANSWERS) break;
    const own = claims.filter((claim) => isClaimOf(claim, one));
    // What a person decides on is told with its payment, if there is room for that.
    if (one.payment !== null || one.review !== null) continue;
    if (answers.some((answer) => tellsOf(answer, one))) continue;
    const claimed = own.map(({ payment }) => payment);
    const candidates = await candidatesFor(db, one, { since, now });
    const refund = one.closed === null ? null : ((await refundOfText(db, one.id)) ?? null);
    const paid = await paidBefore(db, one);
    answers.push({ kind: 'money', money: one, claimed, candidates, paid, refund });
  }
  if (question.paisa !== null) answers.push(...(await gapsOf(db, merchants, question.paisa, answers)));
  if (answers.length === 0) return [{ kind: 'nothing', phones: await findPhones(db, null, now) }];
  return [
    ...answers.filter((answer) => !isBeside(answer, question)),
    ...answers.filter((answer) => isBeside(answer, question)),
  ];
}

/** Payments of the customer with this e-mail address, or with this order number in the shop's own data. */
async function sessionsTold(db: Db, text: string, since: number): Promise<string[]> {
  const isIt = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.values(value).some(isIt)
      : isSame(String(value), text);
  const found = await sessionsHolding(db, text, since);
  return found.flatMap(({ id, cus_email, meta_data }) =>
    isIt([cus_email, meta_data === null ? null : JSON.parse(meta_data)]) ? [id] : [],
  );
}

/** Gaps in the balances of exactly this amount, but for those that an answer has named as its cause. */
async function gapsOf(
  db: Db,
  merchants: readonly string[],
  paisa: number,
  answers: readonly WhyAnswer[],
): Promise<WhyAnswer[]> {
  const named = answers.flatMap((answer) =>
    answer.kind === 'payment' && answer.cause.code === 'missed_sms' ? [answer.cause.gap.id] : [],
  );
  return (await gapsForWhy(db, merchants))
    .filter(({ id, missing_paisa }) => missing_paisa === paisa && !named.includes(id))
    .slice(0, MAX_ANSWERS - answers.length)
    .map(({ merchant_id: _, ...gap }) => ({ kind: 'gap', gap }));
}

/** Money that no payment uses, probably second transfers of the payers of these payments. */
async function moneyAgain(
  db: Db,
  cases: readonly PaymentCase[],
  among: { readonly merchants: readonly string[]; readonly since: number },
): Promise<OwnedMoney[]> {
  const paid = cases.filter(({ payment }) => payment.status === 'COMPLETED').map(({ payment }) => payment.id);
  const references = await findPaidAgain(db, paid);
  return references.length === 0 ? [] : findMoney(db, { ...among, references, fits: () => false });
}

async function paidBefore(db: Db, one: OwnedMoney): Promise<PaidBefore | null> {
  if (one.settle === 'never' || one.closed !== null) return null;
  return (await findPaidBefore(db, [one])).get(one.id) ?? null;
}

type FoundClaim = Awaited<ReturnType<typeof claimsUnder>>[number];

const isClaimOf = (claim: FoundClaim, { merchant_id, channel, reference }: OwnedMoney) =>
  claim.merchant_id === merchant_id && claim.channel === channel && claim.reference === reference;

/** Finds the claims of this money, none of which was credited. */
async function claimsOf(db: Db, money: readonly OwnedMoney[]): Promise<readonly FoundClaim[]> {
  const free = money.filter(({ payment, settle }) => payment === null && settle !== 'never');
  const references = free.flatMap(({ reference }) => (reference === null ? [] : [reference]));
  const found = references.length === 0 ? [] : await claimsUnder(db, references);
  return found.filter((claim) => free.some((one) => isClaimOf(claim, one)));
}

/** @param first ids of those that come before all others; else the order stays. */
function firstOnes(found: readonly FoundCase[], first: readonly string[]): FoundCase[] {
  const isFirst = ({ about }: FoundCase) => first.includes(about.payment.id);
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
}

/** True for a payment credited with other money: it comes after all that is known of the question's id. */
function isBeside(answer: WhyAnswer, { text, reference }: Question): boolean {
  if (answer.kind !== 'payment' || answer.cause.code !== 'credited' || reference === null) return false;
  const { id, gateway_reference, transaction_id } = answer.about.payment;
  return ![id, gateway_reference, transaction_id].some((own) => isSame(own ?? '', text));
}

/** Criteria by which money is an answer to the question. */
function wantedBy({ reference, paisa, phone }: Question) {
  const fits = (money: MoneyBrief): boolean =>
    (paisa !== null && money.amount_paisa === paisa) ||
    (phone !== null && payerFits(phone, money.payer)) ||
    (reference !== null && money.reference !== null && isSameOrNear(money.reference, reference));
  return { references: reference === null ? [] : [reference], fits, told: paisa };
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();
const isSameOrNear = (one: string, other: string) => isSame(one, other) || isNearly(one, other);

/** The payments that the question may be about. @param known.first those that are known by then. */
async function sessionsAbout(
  db: Db,
  { reference, paisa }: Question,
  known: { readonly first: readonly string[]; readonly money: readonly OwnedMoney[]; readonly since: number },
): Promise<string[]> {
  const { first, money, since } = known;
  const ids = [...first];
  if (reference !== null && paisa === null) {
    const claims = await undecidedClaims(db, since);
    ids.push(...claims.filter((claim) => isNearly(claim.reference, reference)).map((one) => one.session_id));
  }
  for (const { payment } of money) if (payment !== null) ids.push(...(await sessionsNamed(db, payment)));
  if (paisa !== null)
    ids.push(...(await sessionsOfAmount(db, { paisa, merchant: null, since, limit: MAX_ANSWERS })));
  return [...new Set(ids)];
}

/** Looks once for the money of all cases. */
async function withMoney(db: Db, found: readonly FoundCase[], since: number): Promise<PaymentCase[]> {
  if (found.length === 0) return [];
  const merchants = [...new Set(found.map(({ merchantId }) => merchantId))];
  const references = found.flatMap(({ about }) => about.claims.map(({ reference }) => reference));
  const fits = (money: MoneyBrief) => found.some(({ about }) => concerns(about, money));
  const money = await findMoney(db, { merchants, references, since, fits });
  return found.map(({ merchantId, about }) => ({
    ...about,
    money: money.filter((one) => one.merchant_id === merchantId && concerns(about, one)).map(publicMoney),
  }));
}

/** Adds to open reviews all facts that are shown to the operator who decides. */
async function withFacts(db: Db, cases: readonly PaymentCase[], now: number): Promise<PaymentCase[]> {
  const told: PaymentCase[] = [];
  for (const about of cases) {
    const reviews: ReviewFacts[] = [];
    for (const review of about.reviews) {
      const row = review.state === 'OPEN' ? await findReview(db, review.id) : undefined;
      if (row === undefined) reviews.push(review);
      else {
        const { facts, facts_version } = await factsOfReview(db, row, now);
        reviews.push({ ...review, facts, facts_version });
      }
    }
    told.push({ ...about, reviews });
  }
  return told;
}

/** Has to do with a claim of the payment, or is of the amount that is due. */
function concerns({ payment, claims }: Omit<PaymentCase, 'money'>, money: MoneyBrief): boolean {
  if (payment.transaction_id !== null && money.reference === payment.transaction_id) return true;
  if (payment.status === 'COMPLETED') return false;
  // What no wallet has written, as an offer, may be anything.
  if (money.kind === 'unknown' && money.amount_paisa === null && money.channel !== null) return true;
  const due = [payment.due_paisa, ...claims.map(({ due_paisa }) => due_paisa)];
  if (money.amount_paisa !== null && due.includes(money.amount_paisa)) return true;
  const { reference } = money;
  return reference !== null && claims.some((claim) => isSameOrNear(reference, claim.reference));
}

function publicMoney({ merchant_id: _, ...money }: OwnedMoney): MoneyFacts {
  return money;
}

/** True if an answer already names this money as a cause, or a text with its id that is not money either. */
function tellsOf(answer: WhyAnswer, { id, settle, reference, channel }: MoneyFacts): boolean {
  if (answer.kind === 'nothing' || answer.kind === 'gap') return false;
  if (answer.kind === 'money') {
    return (
      answer.money.id === id ||
      (settle === 'never' && reference !== null && answer.money.reference === reference)
    );
  }
  const { cause, about } = answer;
  if ('money' in cause && cause.money?.id === id) return true;
  const under = [...about.claims, ...about.reviews].filter((one) => isSame(one.reference, reference ?? ''));
  if (settle === 'never') return under.length > 0;
  const isWaiting = under.some((one) => one.state === 'WAITING' && one.channel === channel);
  return isWaiting && cause.code !== 'credited';
}

/** Payments that the money would pay, were it given to them; if some are paid on its number, only those. */
async function candidatesFor(
  db: Db,
  money: OwnedMoney,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<PaymentCase[]> {
  const { amount_paisa: paisa, settle, merchant_id: merchant } = money;
  if (paisa === null || settle === 'never') return [];
  const ids = await sessionsOfAmount(db, { paisa, merchant, since, limit: MAX_ANSWERS });
  const found = await findCases(db, ids, now);
  const open = found
    .map(({ about }): PaymentCase => ({ ...about, money: [] }))
    .filter(({ payment }) => payment.status !== 'COMPLETED');
  const fitting = open.filter(({ accounts }) => accounts.some(({ number }) => number === money.recipient));
  return fitting.length > 0 ? fitting : open;
}
