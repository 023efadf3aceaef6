/**
 * The facts of a review: what was seen, when and by whom, and what speaks against believing it. Every face
 * shows these before somebody approves, and an approval names the version of them that its face showed.
 */
import { createHash } from 'node:crypto';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { formatSteps, formatUsdt, parseUsdt } from '../../base/values/usdt.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { couldName } from '../../domain/matching/payment-reference.js';
import { creditedName, foldedReference, spendingScope } from '../../domain/matching/reference.js';
import { dueOn } from '../../domain/sessions/due.js';
import { canBeNamed, namesId } from '../../domain/why/naming.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { newestForgeries, textsHolding } from '../../store/tables/named-texts.js';
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
import { sessionsNamedBy } from '../../store/tables/sessions.js';
import { claimsUnder } from '../../store/tables/why.js';
import { doubtsOf, isForgery, SAID_OTHERWISE, sayNaming, sayNumber, sayReasons } from './say-doubts.js';

/**
 * `info` helps to decide; with a `caution` one press of a button does not approve; with a `warning` nothing
 * does that was not told of it.
 */
export type FactLevel = 'info' | 'caution' | 'warning';

const LEVELS = {
  seen: 'info',
  unseen: 'caution',
  less: 'caution',
  more: 'info',
  amount_unknown: 'caution',
  forged: 'warning',
  /** A text that names the id and is no money that came in. */
  no_money: 'caution',
  doubtful: 'caution',
  reversed: 'warning',
  other_number: 'caution',
  /** No approval gives money twice, so nobody needs to insist. */
  credited_elsewhere: 'caution',
  other_merchant: 'warning',
  /** Its payer wrote the payment reference of another payment. */
  named_other: 'warning',
  claimed_elsewhere: 'caution',
  looks_like: 'caution',
} as const satisfies Readonly<Record<string, FactLevel>>;

type FactCode = keyof typeof LEVELS;

/** What a review is about by its own reason is no news to whoever decides it. */
const ASKED: Readonly<Partial<Record<ReviewRow['reason'], FactCode>>> = {
  disputed: 'reversed',
  other_merchant: 'other_merchant',
};

export interface ReviewFact {
  readonly code: FactCode;
  readonly level: FactLevel;
  /** A sentence or two. */
  readonly text: string;
}

/** An SMS that names the id and is no money, such as a forgery (`kind` is `spoofed`). */
export interface NamedIn {
  readonly sms: string;
  readonly sender: string;
  readonly kind: string;
  readonly received_at: string;
}

export interface FactsOfReview {
  /** Changes with the facts: 12 hex digits. */
  readonly facts_version: string;
  /** What was seen comes first. */
  readonly facts: readonly ReviewFact[];
  /** The SMS or push that told of the money, and the phone or bank; null where nothing was seen. */
  readonly seen_by: string | null;
  /** The sentences among the facts that speak against the money. */
  readonly warnings: readonly string[];
  /** Where nothing was seen: the SMS that names the id and is no money, a forgery before all others. */
  readonly named_in: NamedIn | null;
}

type Text = Awaited<ReturnType<typeof textsHolding>>[number];

/** Everything that is read of a review before its facts are found. */
interface Evidence {
  readonly row: ReviewRow;
  /** The one that is decided about. */
  readonly reference: string;
  readonly money: SeenMoney | null;
  /** A later SMS or push says otherwise of it. */
  readonly isDisputed: boolean;
  readonly text: Text | null;
  /** Payments that were credited under it. */
  readonly holders: Awaited<ReturnType<typeof creditedUnder>>;
  /** Gateway reference of the payment that its payer named; null where that is this one, or none. */
  readonly named: string | null;
  /** Other payments that wait with a claim of it. */
  readonly claimed: readonly string[];
  readonly alike: Awaited<ReturnType<typeof nearReferences.all>>;
  /** The numbers on which the brand is paid; null where it is no wallet. */
  readonly numbers: readonly string[] | null;
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
  const facts = factsIn(evidence).map(([code, text]): ReviewFact => {
    const level = ASKED[row.reason] === code ? 'caution' : LEVELS[code];
    return { code, level, text };
  });
  const { money, reference, text } = evidence;
  const about = [row.id, reference, money?.id ?? null, facts.map(({ code, text }) => [code, text])];
  return {
    facts_version: createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 12),
    facts,
    seen_by: money === null ? null : seenBy(money),
    warnings: facts.filter(isAgainst).map((fact) => fact.text),
    named_in: text === null ? null : namedIn(text),
  };
}

/** Sentences about what was not seen, or looks alike, have places of their own. */
const isAgainst = ({ code, level }: ReviewFact) =>
  level !== 'info' && code !== 'unseen' && code !== 'looks_like' && code !== 'amount_unknown';

/** What a review without a word of the operator would credit. */
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

/** Money of which there is but an operator's word, and perhaps an SMS that came afterwards. */
const WORDS: readonly string[] = ['seen_by_operator', 'bank_transfer'];

async function evidenceOf(
  db: Db,
  row: ReviewRow,
  now: number,
  { proof, reference }: { readonly proof: string | null; readonly reference: string },
): Promise<Evidence> {
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
    alike:
      kind === 'manual' ? await nearReferences.all(db, { session, folded: foldedReference(reference) }) : [],
    numbers: numbers?.map(({ number }) => number) ?? null,
  };
}

/** Of a wallet, and a forgery before all others. */
async function textNaming(db: Db, row: ReviewRow, reference: string): Promise<Text | null> {
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

async function otherNamed(
  db: Db,
  { merchant, session, now }: { readonly merchant: string; readonly session: string; readonly now: number },
  money: SeenMoney,
): Promise<string | null> {
  const words = money.named?.split(' ') ?? [];
  if (words.length === 0) return null;
  const sessions = await sessionsNamedBy(db, { merchant, now }, words);
  const named = sessions.filter(({ created_at }) => couldName(money.at, created_at));
  if (named.some(({ id }) => id === session)) return null;
  return named[0]?.gateway_reference ?? null;
}

/** Pure: what is known, as facts in the order in which they are read. */
function factsIn(evidence: Evidence): (readonly [FactCode, string])[] {
  const { row, reference, money, isDisputed, text, named, claimed, alike, numbers } = evidence;
  const { channel, brand } = row;
  const facts: (readonly [FactCode, string])[] = [];
  if (money === null) facts.push(['unseen', UNSEEN[CHANNEL[channel].kind]]);
  else facts.push(['seen', seenText(money)], ...sumFacts(row, money));
  if (text !== null) {
    const says = `${sayNaming(reference, { ...text, at: text.received_at })} See it: kashbox sms show ${text.id}`;
    facts.push([codeOfText(text), says]);
  }
  facts.push(...sayReasons(doubtsIn(money ?? {})).map((says) => ['doubtful', says] as const));
  if (isDisputed) facts.push(['reversed', SAID_OTHERWISE]);
  const isElsewhere = numbers !== null && money !== null;
  const odd = isElsewhere ? sayNumber(money.recipient, brand, numbers, channel) : [];
  facts.push(...odd.map((says) => ['other_number', says] as const), ...holderFacts(evidence));
  if (named !== null) {
    facts.push([
      'named_other',
      `Its payer wrote the payment reference of payment ${named}, not of this one.`,
    ]);
  }
  if (claimed.length > 0) {
    facts.push(['claimed_elsewhere', `Payment ${claimed.join(', ')} claims it, too.`]);
  }
  const near = alike.map((one) => ['looks_like', sayAlike(one)] as const);
  return [...facts, ...near];
}

const YOUR_WORD = 'Nothing here has seen this money: your word alone stands for it.';
const UNSEEN = {
  sms: YOUR_WORD,
  push: YOUR_WORD,
  pull: YOUR_WORD,
  manual: 'Nothing here sees bank transfers: your word alone stands for it.',
} as const;

/** An id of which a text says that it failed or went back. */
const TAKEN_BACK: readonly string[] = ['refund', 'failed'];

function codeOfText(text: Text): FactCode {
  if (isForgery(text)) return 'forged';
  return TAKEN_BACK.includes(text.kind) ? 'reversed' : 'no_money';
}

function sayAlike({ reference, payment, credited_at }: Evidence['alike'][number]): string {
  return `It looks like ${reference}, which paid ${payment} at ${minute(credited_at)}.`;
}

const minute = (ms: number) => dhakaText(ms).slice(0, 16);

function seenText(money: SeenMoney): string {
  const { payer, recipient, at, units, amount_paisa: paisa } = money;
  const taka = paisa === null ? 'an amount that nobody can read' : `${formatTaka(paisa)} BDT`;
  const amount = units === null ? taka : `${formatUsdt(BigInt(units))} USDT`;
  const from = payer === null ? '' : ` from ${payer}`;
  const to = recipient === null ? '' : ` to ${recipient}`;
  return `Seen: ${amount}${from}${to} at ${minute(at)}, ${seenBy(money)}.`;
}

function seenBy({ sender, device, acquirer, source }: SeenMoney): string {
  if (acquirer !== null) return `by a push of ${acquirer}`;
  if (sender === null) return 'asked for outside';
  const by = source === 'relay' ? ` on phone "${device ?? 'unknown'}"` : ', typed in by a person';
  return `by an SMS from ${sender}${by}`;
}

function sumFacts(row: ReviewRow, money: SeenMoney): (readonly [FactCode, string])[] {
  if (money.units !== null) {
    if (row.quoted === null) return [];
    const due = formatSteps(row.quoted);
    const over = BigInt(money.units) - (parseUsdt(due) ?? 0n);
    if (over === 0n) return [];
    const by = `${formatUsdt(over < 0n ? -over : over)} USDT too ${over < 0n ? 'little' : 'much'}`;
    const came = `${formatUsdt(BigInt(money.units))} USDT came in and ${due} USDT is due: ${by}.`;
    return [[over < 0n ? 'less' : 'more', came]];
  }
  if (money.amount_paisa === null) {
    return [['amount_unknown', 'What came in cannot be read: look into the account how much it is.']];
  }
  const due = dueOn(row.channel, row).totalPaisa;
  const over = money.amount_paisa - due;
  if (over === 0) return [];
  const by = `${formatTaka(Math.abs(over))} BDT too ${over < 0 ? 'little' : 'much'}`;
  const came = `${formatTaka(money.amount_paisa)} BDT came in and ${formatTaka(due)} BDT is due: ${by}.`;
  return [[over < 0 ? 'less' : 'more', came]];
}

function holderFacts({ row, money, holders }: Evidence): (readonly [FactCode, string])[] {
  const { merchant_id: merchant, session_id: session, channel } = row;
  const scope = money === null ? null : spendingScope(money);
  // One id may stand in two wallets, or at two banks, for two movements of money.
  const isSame = (one: (typeof holders)[number]) =>
    scope === null || one.proof_id === money?.id || one.scope === scope || one.scope.startsWith(`${scope} `);
  const others = holders.filter((one) => one.session_id !== session && isSame(one));
  const own = others.find((one) => one.merchant_id === merchant);
  if (own !== undefined) {
    return [['credited_elsewhere', `It was credited to payment ${own.payment} before.`]];
  }
  if (others.length === 0 || CHANNEL[channel].kind === 'manual') return [];
  return [['other_merchant', 'Another merchant of this installation was credited with it.']];
}

/** A line for each, as messages and terminals show them. */
export function factLines(facts: readonly ReviewFact[]): string[] {
  return facts.map(({ level, text }) => (level === 'info' ? text : `WARNING: ${text}`));
}

/** By their names, the reasons why the SMS counts only after a person has looked; empty for none. */
export function doubtsIn({
  sms_reasons = null,
}: {
  readonly sms_reasons?: string | null;
}): readonly string[] {
  return sms_reasons === null ? [] : doubtsOf(sms_reasons);
}

const namedIn = ({ id: sms, sender, kind, received_at }: Text): NamedIn => ({
  ...{ sms, sender, kind },
  received_at: dhakaIso(received_at),
});

/**
 * For a list that is read again and again: which of these claims stand in a forgery among the newest SMS.
 * @returns by the id of the review.
 */
export async function forgeriesOf(
  db: Db,
  reviews: readonly { readonly id: string; readonly reference: string }[],
): Promise<ReadonlyMap<string, NamedIn>> {
  const named = reviews.filter(({ reference }) => canBeNamed(reference));
  if (named.length === 0) return new Map();
  const texts = await newestForgeries(db);
  const found = named.flatMap(({ id, reference }) => {
    const text = texts.find(({ body }) => namesId(body, reference));
    return text === undefined ? [] : [[id, namedIn(text)] as const];
  });
  return new Map(found);
}
