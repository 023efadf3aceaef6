/**
 * Settles sessions with new money whose payer wrote their payment reference into the wallet's reference
 * field, inside the unit of work that stored it. The reference says which payment the payer means. That the
 * money is there, is enough, and came the right way, its SMS has to prove as for every claim.
 */
import { couldName } from '../../domain/matching/payment-reference.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db, PlainProof } from '../../store/schema/index.js';
import { proofByReference } from '../../store/tables/proofs.js';
import { countMiss, sessionsNamedBy } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { keepClaim } from './keep-claim.js';
import { type Settled, settleClaim } from './settle-claim.js';
import { type SettlementResult, settledAs } from './settled-sessions.js';
import { matchShown } from './weak-evidence.js';

/** Of money what is needed to find the session that its payer named. */
export type NamingMoney = Pick<PlainProof, 'channel' | 'reference' | 'named' | 'at'>;

/** Money and the one session that it names. */
interface Naming {
  readonly session: Awaited<ReturnType<typeof sessionsNamedBy>>[number];
  readonly money: NamingMoney;
}

/** @returns what names exactly one session of that merchant, in the order of the money. */
export async function namingsOf(
  core: Core,
  db: Db,
  merchant: string,
  arrived: readonly NamingMoney[],
): Promise<Naming[]> {
  const references = [...new Set(arrived.flatMap(wordsOf))];
  if (references.length === 0) return [];
  const sessions = await sessionsNamedBy(db, { merchant, now: core.clock.now() }, references);
  return arrived.flatMap((money) => {
    const words = wordsOf(money);
    const [session, ...others] = sessions.filter(
      ({ payment_reference: own, created_at }) =>
        own !== null && words.includes(own) && couldName(money.at, created_at),
    );
    return session === undefined || others.length > 0 ? [] : [{ session, money }];
  });
}

const wordsOf = ({ named }: NamingMoney) => named?.split(' ') ?? [];

/** Credits what fits to the taka. Everything else stays as it is. */
export function settleExact(core: Core, db: Db, namings: readonly Naming[]): Promise<SettlementResult> {
  const now = core.clock.now();
  return settleEach(db, namings, async (session, proof) => {
    if (session.merchant_status !== 'ACTIVE' || !isOpen(session, now)) return null;
    if (proof.credited_session !== null) return null;
    const match = await matchShown(core, db, session, proof);
    if (match.outcome !== 'credit') return null;
    return settleClaim(core, db, { session, proof, claimed: proof.reference, match });
  });
}

/**
 * Treats money that does not fit, or that comes too late, as if its payer had given the transaction id on the
 * page of the payment: a person is asked, or the claim is refused and the page says so. While the merchant is
 * suspended the claim waits, and is decided when the merchant is active again (claims/settle-suspended). As
 * a claim it counts among the tries of the session, by which the page knows that there is one to show.
 */
export function settleOthers(core: Core, db: Db, namings: readonly Naming[]): Promise<SettlementResult> {
  return settleEach(db, namings, async (session, proof) => {
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
    const match = await matchShown(core, db, session, proof);
    const settled = await settleClaim(core, db, { session, proof, claimed: reference, match });
    if (settled.outcome === 'disagrees' && settled.isNew) await countMiss.all(db, session);
    return settled;
  });
}

type Proof = NonNullable<Awaited<ReturnType<typeof proofByReference.first>>>;

/** @param settle answers null where nothing was decided. */
async function settleEach(
  db: Db,
  namings: readonly Naming[],
  settle: (session: Naming['session'], proof: Proof) => Promise<Settled | null>,
): Promise<SettlementResult> {
  const decided: { id: string; outcome: Settled['outcome'] }[] = [];
  for (const { session, money } of namings) {
    // What other money of this unit of work has changed is not as it was read.
    if (session.status === 'COMPLETED' || decided.some(({ id }) => id === session.id)) continue;
    const { channel, reference } = money;
    const proof = await proofByReference.first(db, { merchant: session.merchant_id, channel, reference });
    if (proof === undefined) continue;
    const settled = await settle(session, proof);
    if (settled !== null) decided.push({ id: session.id, outcome: settled.outcome });
  }
  return settledAs(decided);
}
