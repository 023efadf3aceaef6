/**
 * Settles waiting claims with new money, inside the unit of work that stored it: open sessions first, then by
 * age.
 */
import { weakWalletIds } from '../../domain/matching/weak-ids.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { heldClaims } from '../../store/tables/claims.js';
import { proofByReference, waitingClaims } from '../../store/tables/proofs.js';
import type { Core } from '../core/core.js';
import { holdClaim, refuseClaim } from './keep-claim.js';
import { settleClaim } from './settle-claim.js';
import { type NamingMoney, namingsOf, settleExact, settleOthers } from './settle-named.js';
import { NONE, type SettlementResult, together } from './settled-sessions.js';
import { matchWallet } from './weak-evidence.js';

/**
 * Money that has come settles, in this order: the payment that its payer named, if it fits to the taka; the
 * claims on its transaction id, with those that were held until it was known whose guesses these were; and
 * the payment that its payer named, if it does not fit and nobody else has claimed the money.
 */
export async function settleArrived(
  core: Core,
  db: Db,
  merchantId: string,
  proofs: readonly (NamingMoney & Pick<PlainProof, 'amount_paisa'>)[],
): Promise<SettlementResult> {
  const namings = await namingsOf(core, db, merchantId, proofs);
  const exact = await settleExact(core, db, namings);
  const claimed = await settleClaimed(core, db, merchantId, proofs);
  const decided = new Set([...exact.settled, ...claimed.settled, ...claimed.reviewed]);
  const left = namings.filter(({ session }) => !decided.has(session.id));
  return together([exact, claimed, await settleOthers(core, db, left)]);
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
 * Lets every claim on these references meet its proof, those of open sessions first, then first come first.
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
  for (const claim of claims) {
    if (settled.includes(claim.id)) continue;
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
    const match = await matchWallet(core, db, session, proof, { claimedAt, addressMark });
    if (match.outcome === 'hold') {
      const { untilMs } = match;
      const held = { merchant: merchantId, channel, reference, addressMark, untilMs };
      if (claim.claim_reason !== 'held') await holdClaim(core, db, session, held);
      continue;
    }
    const { outcome } = await settleClaim(core, db, { session, proof, claimed: reference, match });
    if (outcome === 'credited') settled.push(claim.id);
    if (outcome === 'under_review') reviewed.push(claim.id);
    if (outcome === 'disagrees') refused.push(claim.id);
  }
  return { settled, reviewed, refused };
}

type WaitingClaim = Awaited<ReturnType<typeof waitingClaims>>[number];

/** As a session is after another of its claims went to review, which closes one whose time is over. */
function closedIfLate(core: Core, claim: WaitingClaim): WaitingClaim {
  return isOpen(claim, core.clock.now()) ? claim : { ...claim, status: 'FAILED' };
}
