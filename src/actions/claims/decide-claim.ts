/**
 * Decides in one database transaction whether a reference pays a session: read session and claim, find the
 * money, settle it or keep the claim. Shared by the API, the checkout page and the recheck job. Read from top
 * to bottom.
 */
import type { Unavailable } from '../../channels/channel.js';
import { CHANNEL, type Channel } from '../../domain/accounts/channels.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import { isTypedPayer } from '../../domain/matching/payer.js';
import { isGuessable } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/fees.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { linkOfSession } from '../../store/tables/links.js';
import { type LockedName, lockNames } from '../../store/tables/locks.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { claimedSession, countMiss, creditOfSession } from '../../store/tables/sessions.js';
import type { BrandContext } from '../brands/brand-context.js';
import type { Core, WriteDeps } from '../core/core.js';
import { findPush } from '../pushes/settle-push.js';
import {
  type CreditedMoney,
  findCreditedMoney,
  refusalOfOther,
  toCreditedMoney,
} from '../settlement/credit-proof.js';
import {
  type ClaimingSession,
  type ClaimKey,
  holdClaim,
  keepClaim,
  refuseClaim,
  requestLateReview,
  requestPushReview,
  reviewOfClaim,
} from '../settlement/record-claim.js';
import { type ProofLookup, settleClaim } from '../settlement/settle-claim.js';
import { checkForGuessing, matchWallet } from '../settlement/weak-evidence.js';
import { findWeakMoney, matchWeakClaim } from '../settlement/weak-money.js';
import { type OverBudget, useBudget } from '../strangers/use-budget.js';
import { matchObservedPayment } from '../usdt/match-observed-payment.js';
import {
  listQuestions,
  queryAllSources,
  type SourceAnswer,
  type SourceQuestion,
} from '../usdt/query-sources.js';

interface Claim {
  readonly brand: Pick<BrandContext, 'brandId' | 'merchantId' | 'proofWindowHours' | 'accountsVersion'>;
  readonly sessionId: string;
  readonly method: Channel;
  /** Reference in its stored form (domain/matching/reference); null if the text cannot be an id. */
  readonly reference: string | null;
  /**
   * Source of the claim. A session that expired without money still takes claims, which go to review: from
   * our own page with any reference; from a shop's server only if the money was sent in time, otherwise the
   * session is not found. Rechecks do not count as attempts.
   */
  readonly source: 'shop' | 'customer' | 'recheck';
  /** Keyed hash of the IP address of a customer on our page; absent for a shop's server. */
  readonly addressMark?: string | null | undefined;
}

/** Result of a claim. Refusals are values, not errors: they also write rows that must be committed. */
export type Verdict =
  | { readonly outcome: 'completed'; readonly session: ClaimedSession; readonly credited: CreditedMoney }
  | { readonly outcome: 'under_review'; readonly session: ClaimedSession }
  /** It paid a part. `session`: its sums after that. */
  | { readonly outcome: 'part'; readonly session: ClaimedSession; readonly credited: CreditedMoney }
  | {
      readonly outcome:
        | 'session_not_found'
        | 'session_completed'
        | 'too_many_attempts'
        | 'not_found'
        | 'already_credited'
        | 'ask_full_number'
        /** The session was opened without this way to pay. */
        | 'not_offered';
    }
  | { readonly outcome: 'not_final'; readonly detail: string; readonly block: number | null }
  | Unavailable
  | { readonly outcome: 'disagrees'; readonly about: Disagreement }
  /** The daily budget of anonymous requests is used up, so nothing is stored. */
  | OverBudget;

/** Decides a claim. Idempotent: the same claim always gives the same result. */
export async function decideClaim(core: Core, claim: Claim): Promise<Verdict> {
  const asked =
    CHANNEL[claim.method].kind === 'pull' ? await core.store.read((db) => whatToAsk(core, db, claim)) : [];
  return decideWithAnswer(core, claim, await queryAllSources(core, asked));
}

/**
 * Lists the queries to external sources that the claim needs. A claim that can be decided without a source
 * causes no lookup: otherwise anyone could cause endless lookups.
 */
async function whatToAsk(core: Core, db: Db, claim: Claim): Promise<SourceQuestion[]> {
  const { method, reference } = claim;
  const row = CHANNEL[method];
  if (reference === null || row.kind !== 'pull') return [];
  const session = await sessionOf(db, claim);
  if (session === undefined || session.status === 'COMPLETED' || refusalOf(core, claim, session) !== null) {
    return [];
  }
  return listQuestions(db, session, row.channel, reference);
}

/** Decides a claim with the answer of a source. @param sourceAnswer null for channels that need no lookup. */
export async function decideWithAnswer(
  core: Core,
  claim: Claim,
  sourceAnswer: SourceAnswer | null,
): Promise<Verdict> {
  const verdict = await core.store.write((db) => decide(core, db, claim, sourceAnswer));
  const { outcome } = verdict;
  if (outcome === 'completed' || outcome === 'part' || outcome === 'under_review') {
    core.moved.tell(claim.sessionId);
  }
  return verdict;
}

async function decide(core: Core, db: Db, claim: Claim, sourceAnswer: SourceAnswer | null): Promise<Verdict> {
  const { brand, method, reference, source } = claim;
  const session = await sessionOf(db, claim);
  if (session === undefined) return { outcome: 'session_not_found' };
  const credited = await findCredited(core, db, session, claim);
  if (credited !== null) return credited;
  if (session.status === 'COMPLETED')
    return { outcome: await refusalOfOther(db, session, method, reference) };
  const refusal = refusalOf(core, claim, session);
  if (refusal !== null) return { outcome: refusal };
  const isOver = !isOpen(session, core.clock.now());
  // An invalid id cannot be in any record, so the answer reveals nothing.
  if (reference === null) return { outcome: isOver ? 'session_not_found' : 'not_found' };
  const key = {
    merchant: brand.merchantId,
    channel: method,
    reference,
    isKnown: session.claimed_at !== null,
    addressMark: session.address_mark ?? claim.addressMark ?? null,
  };
  const asked = isOver ? await reviewOfClaim(db, { ...key, session: session.id }) : undefined;
  // A person has decided already, so there is no new review, and no page may say so.
  if (asked?.state === 'REJECTED') return { outcome: 'session_not_found' };
  if (!(await isAvailable(core, db, session, method, sourceAnswer))) return { outcome: 'not_offered' };
  const deciding = { claim, session, key, isOver };
  const verdict = await settle(core, db, deciding, await findMoney(core, db, deciding, sourceAnswer));
  // Kept all the same (`isAvailable`), but a shop that is told 404 asks again and again.
  const isLacking = verdict.outcome === 'not_found' && CHANNEL[method].kind === 'sms' && source === 'shop';
  if (isLacking && !(await isShown(core, db, session, method))) return { outcome: 'not_offered' };
  return isOver && source === 'shop' ? toShopAtTheEnd(verdict) : verdict;
}

/** @returns the verdict for a reference that has paid the session, or a part of it, before; else null. */
async function findCredited(
  core: Core,
  db: Db,
  session: ClaimedSession,
  { method: channel, reference }: Pick<Claim, 'method' | 'reference'>,
): Promise<Verdict | null> {
  const isPaid = session.status === 'COMPLETED';
  if (reference === null || session.paid_paisa === 0) return null;
  if (!isPaid && !isOpen(session, core.clock.now())) return null;
  const last = isPaid ? await findCreditedMoney(db, session, channel, reference) : null;
  if (last !== null) return { outcome: 'completed', session, credited: last };
  const credit = await creditOfSession.first(db, { session: session.id, channel, reference });
  if (credit === undefined) return null;
  const credited = { reference, units: null, receiver: null };
  return { outcome: isPaid ? 'completed' : 'part', session, credited };
}

export type ClaimedSession = NonNullable<Awaited<ReturnType<typeof sessionOf>>>;

/** @returns the session that a claim names, of its brand, with what the brand says of matching. */
async function sessionOf(db: Db, { sessionId: id, brand, method: channel, reference }: Claim) {
  const row = await claimedSession.first(db, { id, brand: brand.brandId, channel, reference });
  if (row === undefined) return undefined;
  const { merchantId, proofWindowHours, accountsVersion } = brand;
  return {
    ...row,
    merchant_id: merchantId,
    proof_window_hours: proofWindowHours,
    accounts_stamp: accountsVersion,
  };
}

/** @returns why a session that is not paid takes no claim, or null if it takes this one. */
function refusalOf(
  core: Core,
  claim: Claim,
  session: ClaimedSession,
): 'session_not_found' | 'too_many_attempts' | null {
  const now = core.clock.now();
  if (!isOpen(session, now) && !acceptsLate(claim, session, now)) return 'session_not_found';
  if (claim.source === 'recheck' || session.misses < core.settings.missesPerSession) return null;
  // Asking again for what was claimed before costs nothing.
  return session.claimed_at === null ? 'too_many_attempts' : null;
}

/** A shop's claim may still find money for this long after the session's end. */
const LATE_CLAIM_MS = 24 * 3_600_000;

/** True if a session that is over takes this claim, which then needs manual review. */
function acceptsLate({ source }: Claim, { reason, expires_at }: ClaimedSession, now: number): boolean {
  if (source !== 'shop') return reason !== 'rejected';
  const hasRunOut = reason !== 'rejected' && reason !== 'cancelled';
  return hasRunOut && now < expires_at + LATE_CLAIM_MS;
}

/**
 * True if the claim can be kept. A claim on a wallet that the brand does not have is kept, because the
 * account may be added a moment later; other channels have no source without an account.
 */
async function isAvailable(
  core: Core,
  db: Db,
  session: ClaimedSession,
  method: Channel,
  sourceAnswer: SourceAnswer | null,
): Promise<boolean> {
  const { kind } = CHANNEL[method];
  if (kind === 'sms') return true;
  if (kind === 'pull') return sourceAnswer !== null;
  return isShown(core, db, session, method);
}

async function isShown(core: Core, db: Db, session: ClaimingSession, method: Channel): Promise<boolean> {
  const accounts = await core.accounts.countingIn(db, session);
  return accounts.some(({ channel }) => channel === method);
}

/** Claim being decided in this database transaction. */
interface Deciding {
  readonly claim: Claim;
  readonly session: ClaimedSession;
  readonly key: ClaimKey & { readonly channel: Channel; readonly addressMark: string | null };
  /** The time of its session is over. */
  readonly isOver: boolean;
}

async function findMoney(
  core: Core,
  db: Db,
  deciding: Deciding,
  sourceAnswer: SourceAnswer | null,
): Promise<ProofLookup> {
  const { session, key } = deciding;
  if (sourceAnswer !== null) return matchObservedPayment(core, db, session, sourceAnswer);
  if (CHANNEL[key.channel].kind !== 'push') {
    const byNumber = isTypedPayer(key.reference) ? await findByNumber(core, db, deciding) : null;
    return byNumber ?? findSms(core, db, deciding);
  }
  const push = await findPush(core, db, session, key.reference);
  return push.outcome === 'none' ? ((await findByNumber(core, db, deciding)) ?? push) : push;
}

/** @returns null if the payment has no QR code on the channel, so that a number says nothing. */
function findByNumber(core: Core, db: Db, { session, key }: Deciding): Promise<ProofLookup | null> {
  const { channel, reference: typed } = key;
  const claimedAt = session.claimed_at ?? core.clock.now();
  return findWeakMoney(core, db, session, { channel, typed, claimedAt });
}

async function findSms(core: Core, db: Db, { session, key }: Deciding): Promise<ProofLookup> {
  const proof = await proofByReference.first(db, key);
  if (proof === undefined) return { outcome: 'none' };
  // Also when it was credited to this very session, between the reading of the session and of the proof.
  if (proof.credited_session !== null) return { outcome: 'credited' };
  const claimedAt = session.claimed_at ?? core.clock.now();
  const match =
    proof.settle === 'weak'
      ? await matchWeakClaim(core, db, session, proof)
      : await matchWallet(core, db, session, proof, { claimedAt, addressMark: key.addressMark });
  return match.outcome === 'hold' ? match : { outcome: 'proof', proof, match, at: proof.at };
}

async function settle(core: Core, db: Db, deciding: Deciding, found: ProofLookup): Promise<Verdict> {
  const { claim, session, key, isOver } = deciding;
  const isRecheck = claim.source === 'recheck';
  const keep = (reason: string, block: number | null = null) =>
    keepClaim(core, db, session, { ...key, reason, block });
  switch (found.outcome) {
    case 'proof':
      // Money sent after the end goes to review.
      if (isOver && claim.source === 'shop' && found.at > session.expires_at) return { outcome: 'not_found' };
      return settleProof(core, db, deciding, found);
    case 'credited':
      return afterLostRace(core, db, deciding);
    case 'none':
      return isRecheck ? { outcome: 'not_found' } : keepUnseen(core, db, deciding);
    case 'hold': {
      const isNew = await holdClaim(core, db, session, { ...key, untilMs: found.untilMs });
      if (isNew) await countTry(core, db, deciding);
      return { outcome: 'not_found' };
    }
    case 'not_final':
      await keep('not_final', found.block);
      return found;
    case 'unavailable':
      if (!isRecheck) await keep('not_asked_yet');
      return found;
    case 'refused': {
      const isNew = await refuseClaim(core, db, session, { ...key, reason: found.about });
      if (isNew && !isRecheck) await countTry(core, db, deciding);
      return { outcome: 'disagrees', about: found.about };
    }
    case 'ask_full_number':
      // The claim also waits: it competes with other customers whose number has the same last digits.
      if (await keep('ask_full_number')) await countTry(core, db, deciding);
      return found;
    case 'several_payers':
      await requestPushReview(core, db, session, key);
      return { outcome: 'under_review', session };
    default:
      return found satisfies never;
  }
}

async function settleProof(
  core: Core,
  db: Db,
  deciding: Deciding,
  { proof, match }: Extract<ProofLookup, { outcome: 'proof' }>,
): Promise<Verdict> {
  const { session, key } = deciding;
  // Kept, so that the same number gets the same answer after the payment is completed.
  const isByNumber = CHANNEL[key.channel].kind === 'sms' && isTypedPayer(key.reference);
  if (isByNumber) await keepClaim(core, db, session, { ...key, reason: 'not_seen_yet', block: null });
  const settled = await settleClaim(core, db, { session, proof, claimed: key.reference, match });
  switch (settled.outcome) {
    case 'credited':
      return { outcome: 'completed', session, credited: toCreditedMoney(proof) };
    case 'part':
      return {
        outcome: 'part',
        session: { ...session, ...settled.session },
        credited: toCreditedMoney(proof),
      };
    case 'taken':
      return afterLostRace(core, db, deciding);
    case 'under_review':
      return { outcome: 'under_review', session };
    case 'disagrees':
      if (settled.isNew) await countTry(core, db, deciding);
      return { outcome: 'disagrees', about: settled.about };
    default:
      return settled satisfies never;
  }
}

/** Returns the result if another payment of this session or this reference was committed first. */
async function afterLostRace(core: Core, db: Db, deciding: Deciding): Promise<Verdict> {
  const { claim, key } = deciding;
  const session = await sessionOf(db, claim);
  if (session === undefined) return { outcome: 'session_not_found' };
  const credited = await findCredited(core, db, session, claim);
  if (credited !== null) return credited;
  if (session.status === 'COMPLETED') return { outcome: 'session_completed' };
  const isNew = await refuseClaim(core, db, session, { ...key, reason: 'already_credited' });
  if (isNew && claim.source !== 'recheck') await countTry(core, db, { ...deciding, session });
  return { outcome: 'already_credited' };
}

/**
 * Keeps a claim without known money: money that arrives later settles it or goes to review. A concurrent
 * database transaction that stores the SMS cannot see this claim, so the proof is searched again after taking
 * a lock: at least one of the two sees the other. SQLite has a single writer.
 */
async function keepUnseen(core: Core, db: Db, deciding: Deciding): Promise<Verdict> {
  const { claim, session, key, isOver } = deciding;
  const mayBeMissed = CHANNEL[key.channel].kind === 'sms' && db.engine !== 'sqlite';
  if (mayBeMissed) await lockNames(db, key.merchant, namesOf(deciding));
  const over = await useForId(core, db, deciding);
  const unseen = { ...key, reason: 'not_seen_yet', block: null };
  const isNew = over === null && (await keepClaim(core, db, session, unseen));
  const found = mayBeMissed ? await findSms(core, db, deciding) : null;
  if (found !== null && found.outcome !== 'none') return settle(core, db, deciding, found);
  if (over !== null) return over;
  if (isNew) await countTry(core, db, deciding);
  if (!isOver || claim.source === 'shop') return { outcome: 'not_found' };
  const refused = await useForLate(core, db, deciding);
  if (refused !== null) return refused;
  await requestLateReview(core, db, session, key);
  return { outcome: 'under_review', session };
}

function namesOf({ session, key: { channel, reference } }: Deciding): LockedName[] {
  if (!isGuessable(channel)) return [{ reference }];
  return [{ reference }, { channel, paisa: dueOn(channel, session).totalPaisa }];
}

/** Counts attempts with a new reference: guessing needs many. */
async function countTry(core: Core, db: Db, { session, key }: Deciding): Promise<void> {
  await countMiss.all(db, { id: session.id });
  await checkForGuessing(core, db, session, key);
}

/** Maps a verdict for a shop's server: a session that is over is not found, unless money needs review. */
function toShopAtTheEnd(verdict: Verdict): Verdict {
  switch (verdict.outcome) {
    case 'completed':
    case 'part':
    case 'under_review':
    case 'not_final':
    case 'unavailable':
    case 'too_many_attempts':
    case 'over_budget':
      return verdict;
    case 'session_not_found':
    case 'session_completed':
    case 'not_found':
    case 'already_credited':
    case 'ask_full_number':
    case 'not_offered':
    case 'disagrees':
      return { outcome: 'session_not_found' };
    default:
      return verdict satisfies never;
  }
}

/**
 * Charges a new id without known money to the budget of anonymous requests; a shop's server has a key and is
 * not charged.
 * @returns null if the id may be stored.
 */
async function useForId(core: Core, db: Db, { claim, key }: Deciding): Promise<OverBudget | null> {
  const { brand, source, addressMark = null } = claim;
  if (source !== 'customer' || key.isKnown === true || addressMark === null) return null;
  const { brandId, merchantId } = brand;
  return useBudget(core, db, 'ids', { brandId, merchantId, link: null, addressMark });
}

/** Charges a late claim, which needs manual review, to the budget, unless its review exists already. */
async function useForLate(core: Core, db: Db, { claim, session, key }: Deciding): Promise<OverBudget | null> {
  const { brandId, merchantId } = claim.brand;
  const { id } = session;
  if ((await reviewOfClaim(db, { ...key, session: id })) !== undefined) return null;
  return useForVerification(core, db, { session: id, brandId, merchantId, addressMark: key.addressMark });
}

/** Charges a new verification without known money to the budget. @returns null if it may be opened. */
export async function useForVerification(
  core: WriteDeps,
  db: Db,
  {
    session,
    ...customer
  }: {
    readonly session: string;
    readonly brandId: string;
    readonly merchantId: string;
    readonly addressMark: string | null;
  },
): Promise<OverBudget | null> {
  const link = (await linkOfSession.first(db, { session }))?.id ?? null;
  return useBudget(core, db, 'verifications', { ...customer, link });
}
