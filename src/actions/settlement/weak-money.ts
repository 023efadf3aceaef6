/**
 * Settles weak money, such as a payment by Bangla QR whose SMS names nobody, with the one payment that
 * requests its amount (domain/matching/weak-money). The same rule applies when money arrives, when a customer
 * types a number, and when the customer's time for that ends, in the database transaction that decides. If a
 * second witness is missing, the customer has some minutes to type a number; then it goes to manual review.
 */
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { movedBetween, type TypedNumber } from '../../domain/matching/matching-push.js';
import { isTypedPayer, parseShownPayer } from '../../domain/matching/payer.js';
import {
  type AskingPayment,
  choosePayment,
  matchWeak,
  type WeakChoice,
} from '../../domain/matching/weak-money.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { freePushes } from '../../store/tables/pushes.js';
import {
  allFreeWeakMoney,
  askingPayments,
  claimsOfSessions,
  codeOnChannel,
  freeWeakMoney,
  MOST_ASKING,
  strayMoney,
} from '../../store/tables/weak-money.js';
import { followsInStore } from '../balance-gaps/scan-wallet.js';
import type { Core } from '../core/core.js';
import { type ClaimingSession, holdClaim } from './record-claim.js';
import {
  mergeResults,
  NONE,
  type ProofLookup,
  type SettlementResult,
  settleClaim,
  settledAs,
} from './settle-claim.js';
import { type EvidenceDecision, matchCounting, typedNumbers } from './weak-evidence.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time for the customer to type a number, ms, from the arrival of the money. */
const ANSWER_MS = 180_000;
/** Payments and money older than that are no longer compared, ms. */
const COMPARED_MS = 7 * DAY_MS;
/** A push and an SMS about one payment arrive within that time, ms. */
const SAME_MONEY_MS = 600_000;
/** Numbers that count for each payment, so that nobody tries one after the other. */
const MAX_NUMBERS = 5;
/** So much money without a payment shows that an account is also paid in other ways. */
const STRAYED = { count: 3, withinMs: 30 * DAY_MS, settledMs: HOUR_MS };

/** The amount and the account to which weak money came. */
interface WeakPrice {
  readonly merchant: string;
  readonly channel: PayChannel;
  /** Number of the account. */
  readonly receiver: string;
  readonly paisa: number;
}

type FreeWeakMoney = Awaited<ReturnType<typeof freeWeakMoney.all>>[number];
type AskingRow = Awaited<ReturnType<typeof askingPayments.all>>[number];

/** A number that a customer types now, and which is not stored yet. */
interface TypedNow extends TypedNumber {
  readonly session: string;
}

/** Weak money with the payment that the rule has chosen, and the sessions of all that may be meant. */
interface WeakMoneyChoice {
  readonly money: FreeWeakMoney;
  readonly choice: WeakChoice;
  readonly sessions: ReadonlyMap<string, AskingRow>;
}

/** @param arrived weak money that has just been stored. */
export async function settleWeakMoney(
  core: Core,
  db: Db,
  merchant: string,
  arrived: readonly WeakArrival[],
): Promise<SettlementResult> {
  const results: SettlementResult[] = [];
  for (const { id, channel, recipient, amount_paisa: paisa } of arrived) {
    if (recipient === null || paisa === null) continue;
    const price = { merchant, channel, receiver: recipient, paisa };
    const free = await freeMoney(core, db, price);
    const money = free.find((one) => one.id === id);
    if (money !== undefined)
      results.push(await settleMoney(core, db, await choose(core, db, price, money, free)));
  }
  return mergeResults(results);
}

interface WeakArrival {
  readonly id: string;
  readonly channel: PayChannel;
  readonly recipient: string | null;
  readonly amount_paisa: number | null;
}

/** Settles the weak money that came while the merchant was suspended. */
export async function settleSuspendedWeak(core: Core, db: Db, merchant: string): Promise<SettlementResult> {
  const since = core.clock.now() - COMPARED_MS;
  return settleWeakMoney(core, db, merchant, await allFreeWeakMoney.all(db, { merchant, since }));
}

async function settleMoney(
  core: Core,
  db: Db,
  { money, choice, sessions }: WeakMoneyChoice,
): Promise<SettlementResult> {
  if (choice.outcome === 'none') return NONE;
  const named = choice.outcome === 'one' ? [choice.session] : choice.sessions;
  const meant = named.flatMap((id) => sessions.get(id) ?? []);
  if (meant.some(({ merchant_status }) => merchant_status !== 'ACTIVE')) return NONE;
  const [only] = meant;
  if (
    only !== undefined &&
    choice.outcome === 'one' &&
    (choice.reason === null || only.status === 'FAILED')
  ) {
    // Its customer can type no more numbers after the end.
    if (only.status === 'COMPLETED' || only.reason === 'rejected') return NONE;
    const match = matchWeak({ paisa: money.amount_paisa ?? 0 }, choice.reason);
    const claimed = choice.typed ?? money.reference;
    const { outcome } = await settleClaim(core, db, { session: only, proof: money, claimed, match });
    return settledAs([{ id: only.id, outcome }]);
  }
  const { merchant_id: merchant, channel, reference, created_at } = money;
  const held = { merchant, channel, reference, untilMs: created_at + ANSWER_MS };
  for (const session of meant) {
    if (session.status === 'PENDING') await holdClaim(core, db, session, held);
  }
  return NONE;
}

/**
 * Applies the rule to a claim of weak money by its own reference: one that was kept when it arrived, or of a
 * customer who has typed the id in the text.
 */
export async function matchWeakClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: Parameters<typeof matchCounting>[3] & WeakArrival & { readonly created_at: number },
): Promise<EvidenceDecision> {
  const { channel, recipient, amount_paisa: paisa } = proof;
  const shown = await matchCounting(core, db, session, proof);
  // Money that does not match is refused as any other.
  if (shown.outcome === 'disagree' || recipient === null || paisa === null) return shown;
  const price = { merchant: session.merchant_id, channel, receiver: recipient, paisa };
  const free = await freeMoney(core, db, price);
  const money = free.find((one) => one.id === proof.id);
  if (money === undefined) return shown;
  const { choice } = await choose(core, db, price, money, free);
  const isMine = choice.outcome === 'one' && choice.session === session.id;
  if (isMine && choice.reason === null) return matchWeak(price, null);
  const wait = { outcome: 'hold', untilMs: proof.created_at + ANSWER_MS } as const;
  if (choice.outcome !== 'none' && core.clock.now() < wait.untilMs) return wait;
  if (isMine) return matchWeak(price, choice.reason);
  if (choice.outcome !== 'several') return shown;
  // Only those that an operator can compare are reviewed.
  const isCompared = choice.sessions.includes(session.id);
  return isCompared ? { outcome: 'review', reason: 'several_payments' } : wait;
}

/**
 * Finds the weak money for a number that a customer has typed.
 * @param typed 11 digits or the last four.
 * @returns null if the payment has no code on that channel, so that a number says nothing.
 */
export async function findWeakMoney(
  core: Core,
  db: Db,
  session: ClaimingSession,
  {
    channel,
    typed,
    claimedAt,
  }: { readonly channel: PayChannel; readonly typed: string; readonly claimedAt: number },
): Promise<ProofLookup | null> {
  const code = await codeOnChannel.first(db, { session: session.id, channel });
  if (code === undefined) return null;
  const merchant = session.merchant_id;
  await lockMerchant(db, merchant);
  const price = { merchant, channel, receiver: code.receiver, paisa: code.amount_paisa };
  const free = await freeMoney(core, db, price);
  const now = core.clock.now();
  let reviewed: ProofLookup = { outcome: 'none' };
  for (const money of free) {
    const { choice } = await choose(core, db, price, money, free, { session: session.id, typed, claimedAt });
    const isMine = choice.outcome === 'one' && choice.session === session.id;
    const isOneOfMany = choice.outcome === 'several' && choice.sessions.includes(session.id);
    if (!isMine && !isOneOfMany) continue;
    const found = { outcome: 'proof', proof: money, at: money.at } as const;
    if (isMine && choice.reason === null) return { ...found, match: matchWeak(price, null) };
    const isHeld = now < money.created_at + ANSWER_MS;
    const match = isMine
      ? matchWeak(price, choice.reason)
      : ({ outcome: 'review', reason: 'several_payments' } as const);
    // Until the customer's time is over, another number may be typed.
    if (!isHeld && reviewed.outcome === 'none') reviewed = { ...found, match };
  }
  return reviewed;
}

async function freeMoney(core: Core, db: Db, price: WeakPrice): Promise<readonly FreeWeakMoney[]> {
  return freeWeakMoney.all(db, { ...price, since: core.clock.now() - COMPARED_MS });
}

async function choose(
  core: Core,
  db: Db,
  price: WeakPrice,
  money: FreeWeakMoney,
  free: readonly FreeWeakMoney[],
  now?: TypedNow,
): Promise<WeakMoneyChoice> {
  const moved = movedOf(money);
  const from = (moved.from ?? moved.until - HOUR_MS) - SAME_MONEY_MS;
  const rows = await askingPayments.all(db, { ...price, from, since: from - COMPARED_MS });
  const asking = rows.filter((row) => !hasPaidByCode(row, price.channel));
  // A push of money that has just paid another payment says nothing about this one.
  const isOnly = asking.length === rows.length;
  const sessions = new Map(asking.map((row) => [row.id, row]));
  const typed = await typedBy(db, price.channel, [...sessions.keys()], now);
  const payments = asking.map((row) => askingPayment(core, row, typed.get(row.id) ?? []));
  const weak = {
    paisa: price.paisa,
    payer: parseShownPayer(money.payer),
    moved,
    named: money.named?.split(' ') ?? [],
    isInBalance: await isInBalance(db, money),
    isStrayed: await isStrayed(db, price, moved.until),
    isPushed: isOnly && (await isPushed(db, price, moved.until)),
  };
  const evidence = {
    typed: await typedNumbers(core, db, price),
    free: free
      .filter(({ id }) => id !== money.id)
      .map((other) => ({ payer: parseShownPayer(other.payer), moved: movedOf(other) })),
    now: core.clock.now(),
  };
  // The list may be incomplete.
  if (rows.length >= MOST_ASKING) return { money, choice: { outcome: 'several', sessions: [] }, sessions };
  return { money, choice: choosePayment(weak, payments, evidence), sessions };
}

/** The text says the minute; without a time in it only its arrival is known. */
function movedOf({ at, text_at, created_at }: FreeWeakMoney) {
  return movedBetween(text_at === null ? null : at, text_at === null ? at : created_at);
}

/** Its customer has paid by this very code already, and does not do so twice. */
function hasPaidByCode({ paid_channel, paid_settle }: AskingRow, channel: PayChannel): boolean {
  return paid_channel === channel && paid_settle === 'weak';
}

function askingPayment(core: Core, row: AskingRow, typed: readonly TypedNumber[]): AskingPayment {
  const { id, created_at, expires_at, closed_at, gateway_reference, payment_reference } = row;
  const ended = closed_at === null ? expires_at : Math.min(closed_at, expires_at);
  return {
    session: id,
    openedAt: created_at,
    endedAt: isOpen(row, core.clock.now()) ? null : ended,
    references: [gateway_reference, ...(payment_reference === null ? [] : [payment_reference])],
    typed,
  };
}

/** Numbers by session: the first ones, and the one that is being typed. */
async function typedBy(
  db: Db,
  channel: PayChannel,
  sessions: readonly string[],
  now: TypedNow | undefined,
): Promise<ReadonlyMap<string, readonly TypedNumber[]>> {
  const rows = sessions.length === 0 ? [] : await claimsOfSessions(db, { channel }, sessions);
  const all = rows
    .filter(({ reference }) => isTypedPayer(reference))
    .map(({ session_id: session, reference: typed, claimed_at: claimedAt }) => ({
      session,
      typed,
      claimedAt,
    }));
  const isKnown = all.some(({ session, typed }) => session === now?.session && typed === now.typed);
  const bySession = Map.groupBy(now === undefined || isKnown ? all : [...all, now], ({ session }) => session);
  return new Map([...bySession].map(([session, numbers]) => [session, numbers.slice(0, MAX_NUMBERS)]));
}

async function isInBalance(db: Db, { merchant_id, channel, recipient, source_id, text_at }: FreeWeakMoney) {
  const row = CHANNEL[channel];
  if (row.kind !== 'sms' || recipient === null || text_at === null) return false;
  const wallet = { merchant_id, channel: row.channel, recipient };
  return followsInStore(db, wallet, { id: source_id, at: text_at });
}

async function isStrayed(db: Db, { paisa: _, ...account }: WeakPrice, until: number): Promise<boolean> {
  const { count: limit, withinMs, settledMs } = STRAYED;
  const span = { since: until - withinMs, until: until - settledMs };
  return (await strayMoney.all(db, { ...account, ...span, limit })).length >= limit;
}

/** True if one push without a reference, which pays nothing yet, reports that amount at that time. */
async function isPushed(db: Db, { merchant, channel, receiver, paisa }: WeakPrice, until: number) {
  if (CHANNEL[channel].kind !== 'push') return false;
  const pushes = await freePushes.all(db, { merchant, paisa, since: until - SAME_MONEY_MS });
  const same = pushes.filter(
    ({ at, bill_session, recipient }) =>
      at <= until + SAME_MONEY_MS && bill_session === null && (recipient === null || recipient === receiver),
  );
  return same.length === 1;
}
