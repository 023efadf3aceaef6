/**
 * Facts of a review: what was seen, when and by whom, and what speaks against it. Every interface shows these
 * before an approval, and the approval contains the version of the facts that were shown.
 */
import { createHash } from 'node:crypto';
import { dhakaIso } from '../../base/values/clock.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { couldName, creditedName, foldedReference } from '../../domain/matching/reference.js';
import type { ReviewFact } from '../../domain/why/cause.js';
import { canBeNamed, namesId } from '../../domain/why/naming.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { proofByReference } from '../../store/tables/proofs.js';
import {
  creditedUnder,
  laterMoney,
  nearReferences,
  operatorProof,
  type ReviewRow,
  type SeenMoney,
  seenMoney,
} from '../../store/tables/reviews.js';
import { sessionsWithReferences } from '../../store/tables/sessions.js';
import { newestForgeries, textsHolding } from '../../store/tables/sms.js';
import { claimsUnder } from '../../store/tables/why.js';
import { isForgery } from './format-reasons.js';
import { formatSource, isAgainst, listFacts, type ReferenceSms, type ReviewEvidence } from './list-facts.js';
import { findPaidBefore } from './paid-twice.js';

/** SMS that names the id and is not money, such as a forgery (`kind` is `spoofed`). */
export interface MentionedInSms {
  readonly sms: string;
  readonly sender: string;
  readonly kind: string;
  readonly received_at: string;
}

export interface FactsOfReview {
  /** Changes with the facts: 12 hex digits. */
  readonly facts_version: string;
  /** Facts of the review, starting with what was seen. */
  readonly facts: readonly ReviewFact[];
  /** SMS or push that reported the money, and the phone or bank; null if nothing was seen. */
  readonly seen_by: string | null;
  /** The sentences among the facts that speak against the money. */
  readonly warnings: readonly string[];
  /** SMS that names the id and is not money, if no money was seen; a forgery is preferred. */
  readonly named_in: MentionedInSms | null;
}

/**
 * @param now milliseconds since the epoch.
 * @param meant the money that an approval would credit, where an operator has named it; `proof` is null where
 *   nobody but them has seen it. Without it, what the review is about.
 */
export async function factsOfReview(
  db: Db,
  row: ReviewRow,
  now: number,
  meant?: { readonly proof: string | null; readonly reference: string },
): Promise<FactsOfReview> {
  const evidence = await evidenceOf(db, row, now, meant ?? (await meantBy(db, row)));
  const facts = listFacts(evidence);
  const { money, reference, text } = evidence;
  const about = [row.id, reference, money?.id ?? null, facts.map(({ code, text }) => [code, text])];
  return {
    facts_version: createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 12),
    facts,
    seen_by: money === null ? null : formatSource(money),
    warnings: facts.filter(isAgainst).map((fact) => fact.text),
    named_in: text === null ? null : namedIn(text),
  };
}

/** Money that an approval credits if the operator names no other. */
async function meantBy(db: Db, row: ReviewRow) {
  const { proof_id, channel, merchant_id: merchant } = row;
  const word = await operatorProof(db, row);
  if (word !== undefined) return { proof: proof_id, reference: word.reference };
  const { kind } = CHANNEL[channel];
  if (proof_id !== null || kind === 'push' || kind === 'manual')
    return { proof: proof_id, reference: row.reference };
  const reference = creditedName(channel, row.reference);
  const known = await proofByReference.first(db, { merchant, channel, reference });
  return { proof: known?.id ?? null, reference };
}

/** Kinds of proofs that are based on an operator's word, perhaps with an SMS that came later. */
const WORDS: readonly string[] = ['seen_by_operator', 'bank_transfer'];

async function evidenceOf(
  db: Db,
  row: ReviewRow,
  now: number,
  { proof, reference }: { readonly proof: string | null; readonly reference: string },
): Promise<ReviewEvidence> {
  const { channel, merchant_id: merchant, brand_id: brand, session_id: session } = row;
  const { kind } = CHANNEL[channel];
  // What stands for an operator's word was seen by nobody.
  const found = proof === null ? undefined : await seenMoney(db, proof);
  const isWord = found !== undefined && WORDS.includes(found.kind);
  const sms = isWord && found.evidence !== null ? (JSON.parse(found.evidence) as string) : null;
  const later = sms === null ? undefined : await laterMoney(db, sms);
  const money = (isWord ? later && { ...found, ...later } : found) ?? null;
  const accounts = kind === 'sms' ? await accountsOfBrand.all(db, { brand }) : null;
  const numbers = accounts?.filter((one) => one.channel === channel && one.active === 1);
  const isNumber = kind === 'push' && money === null;
  return {
    row,
    reference,
    money,
    isDisputed: found !== undefined && found.disputed_by !== null,
    text: money === null ? await textNaming(db, row, reference) : null,
    claimed: isNumber ? [] : await claimedElsewhere(db, row, money?.reference ?? reference),
    holders: isNumber ? [] : await creditedUnder(db, { channel, reference: money?.reference ?? reference }),
    named: money === null ? null : await otherNamed(db, { merchant, session, now }, money),
    paidBefore: money === null ? null : await paidBeforeBy(db, { merchant, session }, money),
    alike:
      kind === 'manual' ? await nearReferences.all(db, { session, folded: foldedReference(reference) }) : [],
    numbers: numbers?.map(({ number }) => number) ?? null,
  };
}

/** Finds a wallet's text that names the reference; a forgery is preferred. */
async function textNaming(db: Db, row: ReviewRow, reference: string): Promise<ReferenceSms | null> {
  if (CHANNEL[row.channel].kind !== 'sms' || !canBeNamed(reference)) return null;
  const texts = await textsHolding(db, { merchants: [row.merchant_id], words: [reference], since: 0 });
  const naming = texts.filter(({ body }) => namesId(body, reference));
  return naming.find(isForgery) ?? naming[0] ?? null;
}

async function claimedElsewhere(db: Db, row: ReviewRow, reference: string): Promise<string[]> {
  const { merchant_id: merchant, channel, session_id: session } = row;
  const claims = await claimsUnder(db, [reference]);
  const others = claims.filter(
    (one) => one.merchant_id === merchant && one.channel === channel && one.session_id !== session,
  );
  return others
    .filter(({ state }) => state === 'WAITING' || state === 'REVIEW')
    .map(({ payment }) => payment);
}

async function paidBeforeBy(
  db: Db,
  { merchant: merchant_id, session }: { readonly merchant: string; readonly session: string },
  money: SeenMoney,
) {
  const found = await findPaidBefore(db, [{ ...money, merchant_id }], session);
  const before = found.get(money.id);
  // Money that was credited, as of a dispute, is not its own forerunner.
  return before === undefined || before.reference === money.reference ? null : before;
}

async function otherNamed(
  db: Db,
  { merchant, session, now }: { readonly merchant: string; readonly session: string; readonly now: number },
  money: SeenMoney,
): Promise<string | null> {
  const words = money.named?.split(' ') ?? [];
  if (words.length === 0) return null;
  const sessions = await sessionsWithReferences(db, { merchant, now }, words);
  const named = sessions.filter(({ created_at }) => couldName(money.at, created_at));
  if (named.some(({ id }) => id === session)) return null;
  return named[0]?.gateway_reference ?? null;
}

/** A line for each, as messages and terminals show them. */
export function factLines(facts: readonly ReviewFact[]): string[] {
  return facts.map(({ level, text }) => (level === 'info' ? text : `WARNING: ${text}`));
}

const namedIn = ({ id: sms, sender, kind, received_at }: ReferenceSms): MentionedInSms => ({
  ...{ sms, sender, kind },
  received_at: dhakaIso(received_at),
});

/**
 * Finds which of these claims are named in a forgery among the newest SMS, for lists that are read often.
 * @returns the SMS by the id of the review.
 */
export async function findForgeries(
  db: Db,
  reviews: readonly { readonly id: string; readonly reference: string }[],
): Promise<ReadonlyMap<string, MentionedInSms>> {
  const named = reviews.filter(({ reference }) => canBeNamed(reference));
  if (named.length === 0) return new Map();
  const texts = await newestForgeries(db);
  const found = named.flatMap(({ id, reference }) => {
    const text = texts.find(({ body }) => namesId(body, reference));
    return text === undefined ? [] : [[id, namedIn(text)] as const];
  });
  return new Map(found);
}
