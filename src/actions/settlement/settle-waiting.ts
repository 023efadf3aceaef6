/**
 * Settles sessions with new money, in the database transaction that stores it: waiting claims, those of open
 * sessions first, then by age; and sessions whose payer wrote their payment reference into the wallet's
 * reference field. The reference says which payment the payer means. The SMS must still prove, as for every
 * claim, that the money arrived, is enough, and came to the right account.
 */
import { couldName } from '../../domain/matching/reference.js';
import { weakWalletIds } from '../../domain/matching/weak-ids.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { heldClaims } from '../../store/tables/claims.js';
import { proofByReference, waitingClaims } from '../../store/tables/proofs.js';
import { countMiss, sessionsWithReferences } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { holdClaim, keepClaim, refuseClaim } from './record-claim.js';
import {
  mergeResults,
  NONE,
  type SettlementResult,
  type SettleOutcome,
  settleClaim,
  settledAs,
} from './settle-claim.js';
import { matchCounting, matchWallet } from './weak-evidence.js';
import { matchWeakClaim, settleWeakMoney } from './weak-money.js';

/**
 * Settles new money in this order: weak money by its witnesses; the payment that its payer named, if the
 * amount is exact; the claims on its transaction id, with those held because of possible guessing; and the
 * payment that its payer named, if the amount is not exact and nobody else has claimed the money.
 */
export async function settleArrived(
  core: Core,
  db: Db,
  merchantId: string,
  proofs: readonly PlainProof[],
): Promise<SettlementResult> {
  const weak = await settleWeakMoney(
    core,
    db,
    merchantId,
    proofs.filter(({ settle }) => settle === 'weak'),
  );
  const namings = await findNamedSessions(core, db, merchantId, proofs);
  const exact = await settleExact(core, db, namings);
  const claimed = await settleClaimed(core, db, merchantId, proofs);
  const decided = new Set([...weak.settled, ...exact.settled, ...claimed.settled, ...claimed.reviewed]);
  const left = namings.filter(({ session }) => !decided.has(session.id));
  return mergeResults([weak, exact, claimed, await settleOthers(core, db, left)]);
}

async function settleClaimed(
  core: Core,
  db: Db,
  merchantId: string,
  proofs: readonly Pick<PlainProof, 'channel' | 'reference' | 'amount_paisa'>[],
): Promise<SettlementResult> {
  const references = new Set(proofs.map(({ reference }) => reference));
  const prices = new Set<string>();
  for (const { channel, amount_paisa: paisa } of proofs) {
    const price = `${channel} ${paisa}`;
    if (paisa === null || weakWalletIds(channel) === null || prices.has(price)) continue;
    prices.add(price);
    const held = await heldClaims.all(db, { merchant: merchantId, channel, paisa });
    for (const { reference } of held) references.add(reference);
  }
  return settleWaiting(core, db, merchantId, [...references]);
}

/**
 * Settles the waiting claims on these references: those of open sessions first, then in the order of arrival.
 * Money for a session that is over goes to review.
 */
export async function settleWaiting(
  core: Core,
  db: Db,
  merchantId: string,
  references: readonly string[],
): Promise<SettlementResult> {
  if (references.length === 0) return NONE;
  const claims = await waitingClaims(db, { merchant: merchantId }, references);
  const settled: string[] = [];
  const reviewed: string[] = [];
  const refused: string[] = [];
  // What a part has changed of a session that was read before.
  const parts = new Map<string, Pick<WaitingClaim, 'reason' | 'paid_paisa' | 'paid_fee_paisa'>>();
  for (const row of claims) {
    if (settled.includes(row.id)) continue;
    const claim = { ...row, ...parts.get(row.id) };
    const { channel, reference } = claim;
    const proof = await proofByReference.first(db, { merchant: merchantId, channel, reference });
    if (proof === undefined) continue;
    if (proof.credited_session !== null) {
      const { merchant_id: merchant } = claim;
      await refuseClaim(core, db, claim, { merchant, channel, reference, reason: 'already_credited' });
      refused.push(claim.id);
      continue;
    }
    const session = reviewed.includes(claim.id) ? closedIfLate(core, claim) : claim;
    const { claimed_at: claimedAt, address_mark: addressMark } = claim;
    const match =
      proof.settle === 'weak'
        ? await matchWeakClaim(core, db, session, proof)
        : await matchWallet(core, db, session, proof, { claimedAt, addressMark });
    if (match.outcome === 'hold') {
      const { untilMs } = match;
      const held = { merchant: merchantId, channel, reference, addressMark, untilMs };
      if (claim.claim_reason !== 'held') await holdClaim(core, db, session, held);
      continue;
    }
    const result = await settleClaim(core, db, { session, proof, claimed: reference, match });
    if (result.outcome === 'credited') settled.push(claim.id);
    if (result.outcome === 'part') {
      const { reason, paid_paisa, paid_fee_paisa } = result.session;
      parts.set(claim.id, { reason, paid_paisa, paid_fee_paisa });
    }
    if (result.outcome === 'under_review') reviewed.push(claim.id);
    if (result.outcome === 'disagrees') refused.push(claim.id);
  }
  return { settled, parts: [...parts.keys()], reviewed, refused };
}

type WaitingClaim = Awaited<ReturnType<typeof waitingClaims>>[number];

/** Returns the claim with the session's current state: a review of another claim closes an expired one. */
function closedIfLate(core: Core, claim: WaitingClaim): WaitingClaim {
  return isOpen(claim, core.clock.now()) ? claim : { ...claim, status: 'FAILED' };
}

/** Fields of money needed to find the session that its payer named. */
type MoneyMentioningPayment = Pick<PlainProof, 'channel' | 'reference' | 'named' | 'at'>;

/** Money and the one session that it names. */
interface Naming {
  readonly session: Awaited<ReturnType<typeof sessionsWithReferences>>[number];
  readonly money: MoneyMentioningPayment;
}

/** @returns what names exactly one session of that merchant, in the order of the money. */
async function findNamedSessions(
  core: Core,
  db: Db,
  merchant: string,
  arrived: readonly MoneyMentioningPayment[],
): Promise<Naming[]> {
  const references = [...new Set(arrived.flatMap(wordsOf))];
  if (references.length === 0) return [];
  const sessions = await sessionsWithReferences(db, { merchant, now: core.clock.now() }, references);
  return arrived.flatMap((money) => {
    const words = wordsOf(money);
    const [session, ...others] = sessions.filter(
      ({ payment_reference: own, created_at }) =>
        own !== null && words.includes(own) && couldName(money.at, created_at),
    );
    return session === undefined || others.length > 0 ? [] : [{ session, money }];
  });
}

const wordsOf = ({ named }: MoneyMentioningPayment) => named?.split(' ') ?? [];

/** Credits what fits to the taka. Everything else stays as it is. */
function settleExact(core: Core, db: Db, namings: readonly Naming[]): Promise<SettlementResult> {
  const now = core.clock.now();
  return settleEach(core, db, namings, async (session, proof) => {
    if (session.merchant_status !== 'ACTIVE' || !isOpen(session, now)) return null;
    if (proof.credited_session !== null) return null;
    const match = await matchCounting(core, db, session, proof);
    if (match.outcome !== 'credit') return null;
    return settleClaim(core, db, { session, proof, claimed: proof.reference, match });
  });
}

/**
 * Settles money that does not match or comes too late as if its payer had given the transaction id on the
 * checkout page: it goes to manual review, or the claim is refused and the page says so. While the merchant
 * is suspended the claim waits until it is active again (claims/settle-suspended). It counts as an attempt of
 * the session, so the page knows that there is one to show.
 */
function settleOthers(core: Core, db: Db, namings: readonly Naming[]): Promise<SettlementResult> {
  return settleEach(core, db, namings, async (session, proof) => {
    const { merchant_id: merchant, channel, reference, credited_session: credited } = proof;
    if (credited !== null) {
      // A person's word has given it to another payment before its text came; what a rule gave stands.
      if (credited === session.id || proof.kind !== 'seen_by_operator') return null;
      const match = { outcome: 'review', reason: 'already_credited' } as const;
      return settleClaim(core, db, { session, proof, claimed: reference, match });
    }
    if (session.merchant_status !== 'ACTIVE') {
      const kept = { merchant, channel, reference, reason: 'not_seen_yet', block: null };
      if (await keepClaim(core, db, session, kept)) await countMiss.all(db, session);
      return null;
    }
    const match = await matchCounting(core, db, session, proof);
    const settled = await settleClaim(core, db, { session, proof, claimed: reference, match });
    if (settled.outcome === 'disagrees' && settled.isNew) await countMiss.all(db, session);
    return settled;
  });
}

/** A part that has just been credited changes what is due. */
async function readAgain(
  core: Core,
  db: Db,
  { id, merchant_id: merchant, payment_reference }: Naming['session'],
) {
  const reference = payment_reference ?? '';
  const sessions = await sessionsWithReferences(db, { merchant, now: core.clock.now() }, [reference]);
  return sessions.find((session) => session.id === id);
}

type Proof = NonNullable<Awaited<ReturnType<typeof proofByReference.first>>>;

/** @param settle answers null where nothing was decided. */
async function settleEach(
  core: Core,
  db: Db,
  namings: readonly Naming[],
  settle: (session: Naming['session'], proof: Proof) => Promise<SettleOutcome | null>,
): Promise<SettlementResult> {
  const decided: { id: string; outcome: SettleOutcome['outcome'] }[] = [];
  for (const { session: named, money } of namings) {
    // What other money of this unit of work has changed is not as it was read.
    if (decided.some(({ id, outcome }) => id === named.id && outcome !== 'part')) continue;
    const session = named.takes_parts === 1 ? await readAgain(core, db, named) : named;
    if (session === undefined || session.status === 'COMPLETED') continue;
    const { channel, reference } = money;
    const proof = await proofByReference.first(db, { merchant: session.merchant_id, channel, reference });
    if (proof === undefined) continue;
    const settled = await settle(session, proof);
    if (settled !== null) decided.push({ id: session.id, outcome: settled.outcome });
  }
  return settledAs(decided);
}
