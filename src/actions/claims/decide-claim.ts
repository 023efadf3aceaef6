/**
 * Decides whether a reference pays a session, in one unit of work: read the session, find the proof, settle
 * it or keep the claim. Shared by the API, the checkout page and the recheck job.
 */
import { CHANNEL, type Channel } from '../../domain/accounts/channels.js';
import { isGuessable } from '../../domain/matching/weak-ids.js';
import { dueOn } from '../../domain/sessions/due.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { type LockedName, lockNames } from '../../store/tables/locks.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { countMiss } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { checkForGuessing } from '../settlement/alert-guessing.js';
import { creditedBy, creditOf, refuseOther } from '../settlement/credited-claim.js';
import {
  askForUnmatched,
  askWhichPush,
  type ClaimKey,
  holdClaim,
  keepClaim,
  refuseClaim,
} from '../settlement/keep-claim.js';
import type { ProofLookup } from '../settlement/proof-search.js';
import { reviewOfClaim } from '../settlement/record-claim.js';
import { type ClaimingSession, settleClaim } from '../settlement/settle-claim.js';
import { matchWallet } from '../settlement/weak-evidence.js';
import type { OverBudget } from '../strangers/use-budget.js';
import { askAllSources, questionsOf, type SourceAnswer, type SourceQuestion } from '../usdt/ask-sources.js';
import { matchObservedPayment } from '../usdt/match-observed-payment.js';
import { useForId, useForLate } from './claim-budget.js';
import { gate, sessionOf } from './claim-gate.js';
import { type Claim, type ClaimedSession, toShopAtTheEnd, type Verdict } from './claim-verdict.js';
import { findPush } from './find-push.js';

/** Idempotent: the same claim again finds the same, for ever. */
export async function decideClaim(core: Core, claim: Claim): Promise<Verdict> {
  const asked =
    CHANNEL[claim.method].kind === 'pull' ? await core.store.read((db) => whatToAsk(core, db, claim)) : [];
  return decideWithAnswer(core, claim, await askAllSources(core, asked));
}

/** The same with an answer of a source. @param sourceAnswer null for channels that need not be asked. */
export async function decideWithAnswer(
  core: Core,
  claim: Claim,
  sourceAnswer: SourceAnswer | null,
): Promise<Verdict> {
  const verdict = await core.store.write((db) => decide(core, db, claim, sourceAnswer));
  if (verdict.outcome === 'completed' || verdict.outcome === 'under_review') core.moved.tell(claim.sessionId);
  return verdict;
}

/**
 * A claim that can be decided without a source is not looked up outside: strangers could cause endless
 * look-ups.
 */
async function whatToAsk(core: Core, db: Db, claim: Claim): Promise<SourceQuestion[]> {
  const { method, reference } = claim;
  const row = CHANNEL[method];
  if (reference === null || row.kind !== 'pull') return [];
  const session = await sessionOf(db, claim);
  if (session === undefined || gate(core, claim, session) !== null) return [];
  return questionsOf(db, session, row.channel, reference);
}

async function decide(core: Core, db: Db, input: Claim, sourceAnswer: SourceAnswer | null): Promise<Verdict> {
  const { brand, method, reference } = input;
  const isSms = CHANNEL[method].kind === 'sms';
  const session = await sessionOf(db, input);
  if (session === undefined) return { outcome: 'session_not_found' };
  if (session.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, method, reference);
    return credited === null
      ? { outcome: await refuseOther(db, { ...session, merchant: brand.merchantId }, method, reference) }
      : { outcome: 'completed', session, credited };
  }
  const refusal = gate(core, input, session);
  if (refusal !== null) return refusal;
  // An invalid id cannot be in any record, so the answer reveals nothing.
  if (reference === null) {
    return { outcome: isOpen(session, core.clock.now()) ? 'not_found' : 'session_not_found' };
  }
  const isKnown = session.claimed_at !== null;
  const addressMark = session.address_mark ?? input.addressMark ?? null;
  const key = { merchant: brand.merchantId, channel: method, reference, isKnown, addressMark };
  const isOver = !isOpen(session, core.clock.now());
  const asked = isOver ? await reviewOfClaim(db, { ...key, session: session.id }) : undefined;
  // A person has decided already, so there is no new review, and no page may say so.
  if (asked?.state === 'REJECTED') return { outcome: 'session_not_found' };
  const claiming = {
    ...session,
    merchant_id: brand.merchantId,
    proof_window_hours: brand.proofWindowHours,
    accounts_stamp: brand.accountsVersion,
  };
  if (!(await isAvailable(core, db, claiming, method, sourceAnswer))) return { outcome: 'not_offered' };
  const deciding = { input, session, claiming, key };
  const found = await find(core, db, deciding, sourceAnswer);
  const verdict = await settleLookup(core, db, deciding, found);
  // Kept all the same (`isAvailable`), but a shop that is told 404 asks again and again.
  const isLacking = verdict.outcome === 'not_found' && isSms && input.source === 'shop';
  if (isLacking && !(await isShown(core, db, claiming, method))) return { outcome: 'not_offered' };
  return isOver && input.source === 'shop' ? toShopAtTheEnd(verdict) : verdict;
}

/**
 * A claim on a wallet that the brand does not have is kept all the same: the account may be set a moment too
 * late. Nobody could be asked about the others.
 */
async function isAvailable(
  core: Core,
  db: Db,
  session: ClaimingSession,
  method: Channel,
  sourceAnswer: SourceAnswer | null,
): Promise<boolean> {
  const { kind } = CHANNEL[method];
  if (kind === 'sms') return true;
  if (kind === 'pull') return sourceAnswer !== null;
  return isShown(core, db, session, method);
}

async function isShown(core: Core, db: Db, session: ClaimingSession, method: Channel): Promise<boolean> {
  const { shown } = await core.accounts.shownIn(db, session);
  return shown.some(({ channel }) => channel === method);
}

type Key = ClaimKey & { readonly channel: Channel; readonly addressMark: string | null };

interface Deciding {
  readonly input: Claim;
  readonly session: ClaimedSession;
  readonly claiming: ClaimingSession;
  readonly key: Key;
}

type Found = ProofLookup | OverBudget;

async function find(
  core: Core,
  db: Db,
  deciding: Deciding,
  sourceAnswer: SourceAnswer | null,
): Promise<Found> {
  const { claiming, key } = deciding;
  if (sourceAnswer !== null)
    return matchObservedPayment(core, db, claiming, sourceAnswer.asked, sourceAnswer.lookup);
  if (CHANNEL[key.channel].kind === 'push') return findPush(core, db, claiming, key.reference);
  const proof = await proofByReference.first(db, key);
  if (proof === undefined && db.engine !== 'sqlite') return findOnceMore(core, db, deciding);
  return matchSms(core, db, deciding, proof);
}

/**
 * The SMS may arrive in a concurrent unit of work that cannot see this claim. So the claim is kept, and the
 * proof is looked for once more behind a lock: of the two units at least one sees the other.
 */
async function findOnceMore(core: Core, db: Db, deciding: Deciding): Promise<Found> {
  const { input, session, key } = deciding;
  await lockNames(db, key.merchant, namesOf(deciding));
  const isKept = input.source !== 'recheck';
  const over = await useForId(core, db, input, key.isKnown);
  const isNew =
    isKept && over === null
      ? await keepClaim(core, db, session, { ...key, reason: 'not_seen_yet', block: null })
      : undefined;
  const proof = await proofByReference.first(db, key);
  if (proof === undefined) return over ?? { outcome: 'none', isNew };
  return matchSms(core, db, deciding, proof);
}

function namesOf({ session, key: { channel, reference } }: Deciding): LockedName[] {
  if (!isGuessable(channel)) return [{ reference }];
  return [{ reference }, { channel, paisa: dueOn(channel, session).totalPaisa }];
}

async function matchSms(
  core: Core,
  db: Db,
  { session, claiming, key }: Deciding,
  proof: Awaited<ReturnType<typeof proofByReference.first>>,
): Promise<ProofLookup> {
  if (proof === undefined) return { outcome: 'none' };
  // Also when it was credited to this very session, between the reading of the session and of the proof.
  if (proof.credited_session !== null) return { outcome: 'credited' };
  const claimedAt = session.claimed_at ?? core.clock.now();
  const { addressMark } = key;
  const match = await matchWallet(core, db, claiming, proof, { claimedAt, addressMark });
  return match.outcome === 'hold' ? match : { outcome: 'proof', proof, match, at: proof.at };
}

async function settleLookup(core: Core, db: Db, deciding: Deciding, found: Found): Promise<Verdict> {
  const { input, session, claiming, key } = deciding;
  const isOver = !isOpen(session, core.clock.now());
  const isRecheck = input.source === 'recheck';
  const keep = (reason: string, block: number | null = null) =>
    keepClaim(core, db, session, { ...key, reason, block });
  switch (found.outcome) {
    case 'proof':
      // Money sent after the end goes to review.
      if (isOver && input.source === 'shop' && found.at > session.expires_at) return { outcome: 'not_found' };
      return settleProof(core, db, deciding, found);
    case 'credited':
      return afterLostRace(core, db, deciding);
    case 'none':
      if (isRecheck) return { outcome: 'not_found' };
      return keepUnseen(core, db, deciding, found.isNew);
    case 'over_budget':
      return found;
    case 'hold': {
      const held = { ...key, untilMs: found.untilMs };
      if (await holdClaim(core, db, session, held)) await countTry(core, db, session, key);
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
      if (isNew && !isRecheck) await countTry(core, db, session, key);
      return { outcome: 'disagrees', about: found.about };
    }
    case 'ask_full_number':
      // The claim also waits: it competes with other customers whose number has the same last digits.
      if (await keep('ask_full_number')) await countTry(core, db, session, key);
      return found;
    case 'several_payers':
      await askWhichPush(core, db, claiming, key);
      return { outcome: 'under_review', session };
    default:
      return found satisfies never;
  }
}

/** @param kept whether it is a new claim, where it is kept already. */
async function keepUnseen(core: Core, db: Db, deciding: Deciding, kept?: boolean): Promise<Verdict> {
  const { input, session, claiming, key } = deciding;
  const over = kept === undefined ? await useForId(core, db, input, key.isKnown) : null;
  if (over !== null) return over;
  const unseen = { ...key, reason: 'not_seen_yet', block: null };
  if (kept ?? (await keepClaim(core, db, session, unseen))) await countTry(core, db, session, key);
  // The claim stays: money that arrives later goes to review.
  if (isOpen(session, core.clock.now()) || input.source === 'shop') return { outcome: 'not_found' };
  const refused = await useForLate(core, db, session, key);
  if (refused !== null) return refused;
  await askForUnmatched(core, db, claiming, key);
  return { outcome: 'under_review', session };
}

async function settleProof(
  core: Core,
  db: Db,
  deciding: Deciding,
  { proof, match }: Extract<ProofLookup, { outcome: 'proof' }>,
): Promise<Verdict> {
  const { session, claiming, key } = deciding;
  const settled = await settleClaim(core, db, { session: claiming, proof, claimed: key.reference, match });
  switch (settled.outcome) {
    case 'credited':
      return { outcome: 'completed', session, credited: creditOf(proof) };
    case 'taken':
      return afterLostRace(core, db, deciding);
    case 'under_review':
      return { outcome: 'under_review', session };
    case 'disagrees':
      if (settled.isNew) await countTry(core, db, session, key);
      return { outcome: 'disagrees', about: settled.about };
    default:
      return settled satisfies never;
  }
}

/** Another transaction, of this session or this reference, was committed first: answer with that one. */
async function afterLostRace(core: Core, db: Db, { input, key }: Deciding): Promise<Verdict> {
  const session = await sessionOf(db, input);
  if (session?.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, key.channel, key.reference);
    return credited === null ? { outcome: 'session_completed' } : { outcome: 'completed', session, credited };
  }
  if (session === undefined) return { outcome: 'session_not_found' };
  const isNew = await refuseClaim(core, db, session, { ...key, reason: 'already_credited' });
  if (isNew && input.source !== 'recheck') await countTry(core, db, session, key);
  return { outcome: 'already_credited' };
}

/** Counts attempts with a new reference: guessing needs many. */
async function countTry(core: Core, db: Db, session: ClaimedSession, key: Key): Promise<void> {
  await countMiss.all(db, { id: session.id });
  await checkForGuessing(core, db, session, key);
}
