/**
 * Whether a reference pays a session, in one unit of work: look at the session, find the proof, settle it or
 * keep the claim. The API, the checkout page and the job that asks again all ask the same question and word
 * the answer each in its way.
 */
import { isMfsChannel, isPulledChannel } from '../domain/channels.js';
import type { Disagreement } from '../domain/matching.js';
import { isOpen } from '../domain/session.js';
import type { Db } from '../store/schema.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { proofByReference } from '../store/tables/proofs.js';
import { countMiss, sessionOfBrand } from '../store/tables/sessions.js';
import type { BrandContext } from './brand-context.js';
import type { Core } from './core.js';
import { type Credited, creditedBy, refuseOther } from './credited-claim.js';
import { findPush } from './find-push.js';
import { findSeen } from './find-seen.js';
import type { Found } from './found.js';
import { askForUnseen, askWhichPush, keepClaim, refuseClaim, wasRejected } from './keep-claim.js';
import { type Asked, lookAround, questionsOf, type Seen } from './look-outside.js';
import { matchWallet } from './match-wallet.js';
import { type ClaimingSession, settleClaim } from './settle-claim.js';

/**
 * Who asks. To a shop's server a session that is over without money is gone (design.md section 5); on our own
 * page, and for a claim that was made in time, it still takes the claim, which goes before a person. Asking
 * again by itself costs the customer none of his tries.
 */
export type Asker = 'shop' | 'customer' | 'recheck';

export interface Claim {
  readonly brand: Pick<BrandContext, 'brandId' | 'merchantId' | 'proofWindowHours' | 'accountsStamp'>;
  readonly sessionId: string;
  /** Channel identifier of a channel that this version serves. */
  readonly method: string;
  /** In the one form in which it is kept (domain/reference), or null for a text that can be no id. */
  readonly reference: string | null;
  readonly asker: Asker;
}

export type ClaimedSession = NonNullable<Awaited<ReturnType<typeof sessionOfBrand.first>>>;

/** What was found. Refusals are values, because a refusal too leaves rows that must stay. */
export type Verdict =
  | { readonly outcome: 'completed'; readonly session: ClaimedSession; readonly credited: Credited }
  | { readonly outcome: 'under_review'; readonly session: ClaimedSession }
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
  | { readonly outcome: 'unavailable'; readonly retryAfterS: number; readonly detail: string }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement };

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
  if (session === undefined || gate(core, claim, session) !== null) return [];
  return questionsOf(db, session, method, reference);
}

/** @returns why a session takes no claim, or null if it takes this one. */
function gate(core: Core, { asker }: Claim, session: ClaimedSession): Verdict | null {
  if (session.status === 'COMPLETED') return { outcome: 'session_completed' };
  const isWelcome = asker !== 'shop' && session.reason !== 'rejected';
  if (!isOpen(session, core.clock.now()) && !isWelcome) return { outcome: 'session_not_found' };
  const isTried = asker !== 'recheck' && session.misses >= core.settings.missesPerSession;
  return isTried ? { outcome: 'too_many_attempts' } : null;
}

async function decide(core: Core, db: Db, input: Claim, seen: Seen | null): Promise<Verdict> {
  const { brand, method, reference } = input;
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: brand.brandId });
  if (session === undefined) return { outcome: 'session_not_found' };
  if (session.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, method, reference);
    return credited === null
      ? { outcome: await refuseOther(db, session, method, reference) }
      : { outcome: 'completed', session, credited };
  }
  const refusal = gate(core, input, session);
  if (refusal !== null) return refusal;
  if (reference === null) {
    await countMiss.all(db, { id: session.id });
    return { outcome: 'not_found' };
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
  return settleFound(core, db, { input, session, claiming, key }, found);
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
  return (await core.accounts.of(db, session)).some(({ channel }) => channel === method);
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
  return { outcome: 'proof', proof, match: await matchWallet(core, db, session, proof) };
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
      return settleProof(core, db, deciding, found);
    case 'credited':
      return afterLostRace(db, deciding);
    case 'none':
      if (isRecheck) return { outcome: 'not_found' };
      await keepClaim(core, db, session, { ...key, reason: 'not_seen_yet', block: null });
      await countMiss.all(db, { id: session.id });
      if (!isOver) return { outcome: 'not_found' };
      await askForUnseen(core, db, session, key);
      return { outcome: 'under_review', session };
    case 'not_final':
      await keepClaim(core, db, session, { ...key, reason: 'not_final', block: found.block });
      return found;
    case 'unavailable':
      if (!isRecheck) await keepClaim(core, db, session, { ...key, reason: 'not_asked_yet', block: null });
      return found;
    case 'refused':
      await refuseClaim(core, db, session, { ...key, reason: found.about });
      if (!isRecheck) await countMiss.all(db, { id: session.id });
      return { outcome: 'disagrees', about: found.about };
    case 'ask_full_number':
      // It waits too: to every other customer whose number ends alike it is one more who may have paid.
      await keepClaim(core, db, session, { ...key, reason: 'ask_full_number', block: null });
      await countMiss.all(db, { id: session.id });
      return { outcome: 'ask_full_number' };
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
      return afterLostRace(db, deciding);
    case 'under_review':
      return { outcome: 'under_review', session };
    case 'disagrees':
      await countMiss.all(db, { id: session.id });
      return settled;
    default:
      return settled satisfies never;
  }
}

function creditOf({ channel, reference }: { readonly channel: string; readonly reference: string }) {
  return { credited_channel: channel, credited_reference: reference };
}

/** Another transaction, of this session or of this reference, was committed first: say as its winner. */
async function afterLostRace(db: Db, { input, key }: Deciding): Promise<Verdict> {
  const session = await sessionOfBrand.first(db, { id: input.sessionId, brand: input.brand.brandId });
  if (session?.status === 'COMPLETED') {
    const credited = await creditedBy(db, session, key.channel, key.reference);
    return credited === null ? { outcome: 'session_completed' } : { outcome: 'completed', session, credited };
  }
  await countMiss.all(db, { id: input.sessionId });
  return { outcome: 'already_credited' };
}
