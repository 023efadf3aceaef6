/**
 * Whether a reference pays a session, in one unit of work: look at the session, find the proof, settle it or
 * keep the claim. The API, the checkout page and the job that asks again all ask the same question and word
 * the answer each in its way.
 */
import { isMfsChannel, isPulledChannel } from '../../domain/accounts/channels.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { claimedAt } from '../../store/tables/guesses.js';
import { lockMerchant } from '../../store/tables/merchants.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { countMiss, sessionOfBrand } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { creditedBy, refuseOther } from '../settlement/credited-claim.js';
import {
  askForUnseen,
  askWhichPush,
  holdClaim,
  keepClaim,
  refuseClaim,
  wasRejected,
} from '../settlement/keep-claim.js';
import { matchWallet } from '../settlement/match-sms.js';
import type { Found } from '../settlement/proof-search.js';
import { type ClaimingSession, settleClaim } from '../settlement/settle-claim.js';
import { lookForGuessing } from '../settlement/tell-of-guessing.js';
import { firstClaimed } from '../settlement/weak-evidence.js';
import { type Asked, lookAround, questionsOf, type Seen } from '../usdt/ask-sources.js';
import { findSeen } from '../usdt/match-seen-payment.js';
import { type Claim, type ClaimedSession, toShopAtTheEnd, type Verdict } from './claim-verdict.js';
import { findPush } from './find-push.js';

/** After the end of its session a shop's claim still finds money for as long. */
const LATE_CLAIM_MS = 24 * 3_600_000;

/** Idempotent: the same claim again finds the same, for ever. */
export async function decideClaim(core: Core, claim: Claim): Promise<Verdict> {
  const asked = isPulledChannel(claim.method)
    ? await core.store.read((db) => whatToAsk(core, db, claim))
    : [];
  return decideSeen(core, claim, await lookAround(core, asked));
}

/** The same for what was asked outside already. @param seen null for channels that need not be asked. */
export async function decideSeen(core: Core, claim: Claim, seen: Seen | null): Promise<Verdict> {
  const verdict = await core.store.write((db) => decide(core, db, claim, seen));
  if (verdict.outcome === 'completed' || verdict.outcome === 'under_review') core.moved.tell(claim.sessionId);
  return verdict;
}

/** Nobody outside is asked for a claim that is decided without: strangers could make us ask without end. */
async function whatToAsk(core: Core, db: Db, claim: Claim): Promise<Asked[]> {
  const { method, reference, brand } = claim;
  if (reference === null || !isPulledChannel(method)) return [];
  const session = await sessionOfBrand.first(db, { id: claim.sessionId, brand: brand.brandId });
  if (session === undefined || (await gate(core, db, claim, session)) !== null) return [];
  return questionsOf(db, session, method, reference);
}

/** @returns why a session takes no claim, or null if it takes this one. */
async function gate(core: Core, db: Db, claim: Claim, session: ClaimedSession): Promise<Verdict | null> {
  const { asker, method: channel, reference } = claim;
  if (session.status === 'COMPLETED') return { outcome: 'session_completed' };
  const now = core.clock.now();
  if (!isOpen(session, now) && !isWelcome(claim, session, now)) return { outcome: 'session_not_found' };
  if (asker === 'recheck' || session.misses < core.settings.missesPerSession) return null;
  // Asking again for what was claimed before costs nothing.
  const isKnown =
    reference !== null &&
    (await claimedAt.first(db, { session: session.id, channel, reference })) !== undefined;
  return isKnown ? null : { outcome: 'too_many_attempts' };
}

/** Whether a session that is over takes this claim, for a person to decide. */
function isWelcome({ asker }: Claim, { reason, expires_at }: ClaimedSession, now: number): boolean {
  if (asker !== 'shop') return reason !== 'rejected';
  const hasRunOut = reason !== 'rejected' && reason !== 'cancelled';
  return hasRunOut && now < expires_at + LATE_CLAIM_MS;
}

async function decide(core: Core, db: Db, input: Claim, seen: Seen | null): Promise<Verdict> {
  const { brand, method, reference } = input;
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: brand.brandId });
  if (session === undefined) return { outcome: 'session_not_found' };
  if (session.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, method, reference);
    return credited === null
      ? { outcome: await refuseOther(db, { ...session, merchant: brand.merchantId }, method, reference) }
      : { outcome: 'completed', session, credited };
  }
  const refusal = await gate(core, db, input, session);
  if (refusal !== null) return refusal;
  // What can be no id is in no record: nobody learns anything by trying.
  if (reference === null) {
    return { outcome: isOpen(session, core.clock.now()) ? 'not_found' : 'session_not_found' };
  }
  const key = { merchant: brand.merchantId, channel: method, reference };
  const isOver = !isOpen(session, core.clock.now());
  if (isOver && (await wasRejected(db, session.id, key))) return { outcome: 'session_not_found' };
  const claiming = {
    ...session,
    merchant_id: brand.merchantId,
    proof_window_hours: brand.proofWindowHours,
    accounts_stamp: brand.accountsStamp,
  };
  if (!(await isOffered(core, db, claiming, method, seen))) return { outcome: 'not_offered' };
  const found = await find(core, db, claiming, key, seen);
  const verdict = await settleFound(core, db, { input, session, claiming, key }, found);
  return isOver && input.asker === 'shop' ? toShopAtTheEnd(verdict) : verdict;
}

/**
 * A claim on a wallet that the brand does not have is kept all the same: the account may be set a moment too
 * late. Nobody could be asked about the others.
 */
async function isOffered(
  core: Core,
  db: Db,
  session: ClaimingSession,
  method: string,
  seen: Seen | null,
): Promise<boolean> {
  if (isMfsChannel(method)) return true;
  if (isPulledChannel(method)) return seen !== null;
  const { shown } = await core.accounts.shownIn(db, session);
  return shown.some(({ channel }) => channel === method);
}

interface Key {
  readonly merchant: string;
  readonly channel: string;
  readonly reference: string;
}

function find(core: Core, db: Db, session: ClaimingSession, key: Key, seen: Seen | null): Promise<Found> {
  if (seen !== null) return findSeen(core, db, session, seen.asked, seen.look);
  if (isMfsChannel(key.channel)) return findSms(core, db, session, key);
  return findPush(core, db, session, key.reference);
}

async function findSms(core: Core, db: Db, session: ClaimingSession, key: Key): Promise<Found> {
  let proof = await proofByReference.first(db, key);
  if (proof === undefined && db.engine !== 'sqlite') {
    // The SMS may be arriving in a unit of work that cannot see this claim, as this one cannot see it.
    await lockMerchant(db, key.merchant);
    proof = await proofByReference.first(db, key);
  }
  if (proof === undefined) return { outcome: 'none' };
  // Also when it was credited to this very session, between the reading of the session and of the proof.
  if (proof.credited_session !== null) return { outcome: 'credited' };
  const { channel, reference } = key;
  const at = await firstClaimed(core, db, { session: session.id, channel, reference });
  const match = await matchWallet(core, db, session, proof, at);
  return match.outcome === 'hold' ? match : { outcome: 'proof', proof, match, at: proof.at };
}

interface Deciding {
  readonly input: Claim;
  readonly session: ClaimedSession;
  readonly claiming: ClaimingSession;
  readonly key: Key;
}

async function settleFound(core: Core, db: Db, deciding: Deciding, found: Found): Promise<Verdict> {
  const { input, session, claiming, key } = deciding;
  const isOver = !isOpen(session, core.clock.now());
  const isRecheck = input.asker === 'recheck';
  switch (found.outcome) {
    case 'proof':
      // What was sent after the end was sent for nothing that the shop still holds.
      if (isOver && input.asker === 'shop' && found.at > session.expires_at) return { outcome: 'not_found' };
      return settleProof(core, db, deciding, found);
    case 'credited':
      return afterLostRace(core, db, deciding);
    case 'none': {
      if (isRecheck) return { outcome: 'not_found' };
      const isNew = await keepClaim(core, db, session, { ...key, reason: 'not_seen_yet', block: null });
      if (isNew) await countTry(core, db, session, key);
      if (!isOver) return { outcome: 'not_found' };
      // The claim stays: money that was on its way goes before a person when it comes.
      if (input.asker === 'shop') return { outcome: 'not_found' };
      await askForUnseen(core, db, session, key);
      return { outcome: 'under_review', session };
    }
    case 'hold': {
      const isNew = await holdClaim(core, db, session, { ...key, untilMs: found.untilMs });
      if (isNew) await countTry(core, db, session, key);
      return { outcome: 'not_found' };
    }
    case 'not_final':
      await keepClaim(core, db, session, { ...key, reason: 'not_final', block: found.block });
      return found;
    case 'unavailable':
      if (!isRecheck) await keepClaim(core, db, session, { ...key, reason: 'not_asked_yet', block: null });
      return found;
    case 'refused': {
      const isNew = await refuseClaim(core, db, session, { ...key, reason: found.about });
      if (isNew && !isRecheck) await countTry(core, db, session, key);
      return { outcome: 'disagrees', about: found.about };
    }
    case 'ask_full_number': {
      // It waits too: to every other customer whose number ends alike it is one more who may have paid.
      const isNew = await keepClaim(core, db, session, { ...key, reason: 'ask_full_number', block: null });
      if (isNew) await countTry(core, db, session, key);
      return { outcome: 'ask_full_number' };
    }
    case 'several_payers':
      await askWhichPush(core, db, claiming, key);
      return { outcome: 'under_review', session };
    default:
      return found satisfies never;
  }
}

async function settleProof(
  core: Core,
  db: Db,
  deciding: Deciding,
  { proof, match }: Extract<Found, { outcome: 'proof' }>,
): Promise<Verdict> {
  const { session, claiming, key } = deciding;
  const settled = await settleClaim(core, db, { session: claiming, proof, claimed: key.reference, match });
  switch (settled.outcome) {
    case 'credited': {
      const credited = await creditedBy(db, { ...session, ...creditOf(proof) }, key.channel, key.reference);
      return credited === null
        ? { outcome: 'session_completed' }
        : { outcome: 'completed', session, credited };
    }
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

function creditOf({ channel, reference }: { readonly channel: string; readonly reference: string }) {
  return { credited_channel: channel, credited_reference: reference };
}

/** Another transaction, of this session or this reference, was committed first: answer with that one. */
async function afterLostRace(core: Core, db: Db, { input, key }: Deciding): Promise<Verdict> {
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: input.brand.brandId });
  if (session?.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, key.channel, key.reference);
    return credited === null ? { outcome: 'session_completed' } : { outcome: 'completed', session, credited };
  }
  if (session === undefined) return { outcome: 'session_not_found' };
  const isNew = await refuseClaim(core, db, session, { ...key, reason: 'already_credited' });
  if (isNew && input.asker !== 'recheck') await countTry(core, db, session, key);
  return { outcome: 'already_credited' };
}

/** A try of a session that names something else than those before: somebody who guesses needs many. */
async function countTry(core: Core, db: Db, session: ClaimedSession, key: Key): Promise<void> {
  await countMiss.all(db, { id: session.id });
  await lookForGuessing(core, db, session, key);
}
