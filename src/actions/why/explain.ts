/**
 * Answers the question that a shop asks most: why was this not credited? Reads only. What is asked may be a
 * transaction id, an amount, a payer's number or a payment.
 */
import { refuse } from '../../base/errors/refuse.js';
import { echoed } from '../../base/values/text.js';
import { payerFits } from '../../domain/matching/payer.js';
import { type Cause, causeOf } from '../../domain/why/cause.js';
import type { MoneyFacts, PaymentCase, PhoneFacts } from '../../domain/why/facts.js';
import { isNearly } from '../../domain/why/nearness.js';
import { type Question, readQuestion } from '../../domain/why/question.js';
import type { Db } from '../../store/schema/index.js';
import { allMerchants, sessionsNamed, sessionsOfAmount, undecidedClaims } from '../../store/tables/why.js';
import type { Core } from '../core/core.js';
import {
  type FoundCase,
  findCases,
  findMoney,
  findPhones,
  type MoneyBrief,
  type OwnedMoney,
} from './find-facts.js';

export type WhyAnswer =
  | { readonly kind: 'payment'; readonly cause: Cause; readonly about: PaymentCase }
  /** Money, or a text that is none, which belongs to no payment. `candidates` ask for that amount. */
  | { readonly kind: 'money'; readonly money: MoneyFacts; readonly candidates: readonly PaymentCase[] }
  | { readonly kind: 'nothing'; readonly phones: readonly PhoneFacts[] };

export interface Why {
  readonly question: Question;
  /** Milliseconds since the epoch: older amounts, payers and mistyped ids were not looked for. */
  readonly since: number;
  readonly answers: readonly WhyAnswer[];
}

/** More answers than that are a list, for which there are lists. */
const MAX_ANSWERS = 5;

/** @throws KashboxError `invalid_input` where the question can be none of these */
export async function explainWhy(
  core: Core,
  input: { readonly asked: string; readonly sinceMs: number },
): Promise<Why> {
  const question = readQuestion(input.asked);
  if (question.reference === null && question.paisa === null && question.phone === null) {
    refuse(
      `"${echoed(input.asked)}" is no transaction id, amount, phone number or payment`,
      'Write one of them: kashbox why DKM4ABC123, kashbox why 410, kashbox why 01711000001.',
    );
  }
  const now = core.clock.now();
  const answers = await core.store.read((db) => answersTo(db, question, input.sinceMs, now));
  return { question, since: input.sinceMs, answers };
}

async function answersTo(db: Db, question: Question, since: number, now: number): Promise<WhyAnswer[]> {
  const merchants = await allMerchants(db);
  const named = question.reference === null ? [] : await sessionsNamed(db, question.text);
  const isPayment = named.length === 1 && named[0] === question.text.toLowerCase();
  const money = isPayment ? [] : await findMoney(db, { merchants, since, ...wantedBy(question) });
  const ids = isPayment ? named : await sessionsAbout(db, question, { named, money, since });
  const cases = await withMoney(db, (await findCases(db, ids, now)).slice(0, MAX_ANSWERS), since);
  const answers: WhyAnswer[] = cases.map((about) => ({ kind: 'payment', cause: causeOf(about), about }));
  for (const one of money.slice(0, MAX_ANSWERS - answers.length)) {
    if (one.payment !== null || answers.some((answer) => tellsOf(answer, one))) continue;
    answers.push({ kind: 'money', money: one, candidates: await candidatesFor(db, one, { since, now }) });
  }
  if (answers.length > 0) return answers;
  return [{ kind: 'nothing', phones: await findPhones(db, null, now) }];
}

/** What of money makes it an answer to the question. */
function wantedBy({ reference, paisa, phone }: Question) {
  const fits = (money: MoneyBrief): boolean =>
    (paisa !== null && money.amount_paisa === paisa) ||
    (phone !== null && payerFits(phone, money.payer)) ||
    (reference !== null && money.reference !== null && isSameOrNear(money.reference, reference));
  return { references: reference === null ? [] : [reference], fits };
}

const isSameOrNear = (one: string, other: string) =>
  one.toUpperCase() === other.toUpperCase() || isNearly(one, other);

/** The payments that the question may be about, those that were named first. */
async function sessionsAbout(
  db: Db,
  { reference, paisa }: Question,
  known: { readonly named: readonly string[]; readonly money: readonly OwnedMoney[]; readonly since: number },
): Promise<string[]> {
  const { named, money, since } = known;
  const ids = [...named];
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

/** Has to do with a claim of the payment, or is of the amount that is due. */
function concerns({ payment, claims }: Omit<PaymentCase, 'money'>, money: MoneyBrief): boolean {
  if (payment.transaction_id !== null && money.reference === payment.transaction_id) return true;
  if (payment.status === 'COMPLETED') return false;
  if (money.kind === 'unknown' && money.amount_paisa === null) return true;
  const due = [payment.amount_paisa, ...claims.map(({ due_paisa }) => due_paisa)];
  if (money.amount_paisa !== null && due.includes(money.amount_paisa)) return true;
  const { reference } = money;
  return reference !== null && claims.some((claim) => isSameOrNear(reference, claim.reference));
}

function publicMoney({ merchant_id: _, ...money }: OwnedMoney): MoneyFacts {
  return money;
}

/** Whether an answer has named this money as a cause already. */
function tellsOf(answer: WhyAnswer, { id }: MoneyFacts): boolean {
  return answer.kind === 'payment' && 'money' in answer.cause && answer.cause.money?.id === id;
}

/** Payments that the money would pay, were it given to them. */
async function candidatesFor(
  db: Db,
  money: OwnedMoney,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<PaymentCase[]> {
  const { amount_paisa: paisa, settle, merchant_id: merchant } = money;
  if (paisa === null || settle === 'never') return [];
  const ids = await sessionsOfAmount(db, { paisa, merchant, since, limit: MAX_ANSWERS });
  const found = await findCases(db, ids, now);
  return found
    .map(({ about }): PaymentCase => ({ ...about, money: [] }))
    .filter(({ payment }) => payment.status !== 'COMPLETED');
}
