/** Finds the bank push for a claim by the payer's number. */
import { QR } from '../../domain/accounts/channels.js';
import { choosePush, matchChosen } from '../../domain/matching/matching-push.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import { lockMerchant } from '../../store/tables/locks.js';
import type { Core } from '../core/core.js';
import { freeMoney, MAX_NUMBERS, payerClaim, waitingPayers } from '../pushes/payer-claims.js';
import type { ProofLookup } from '../settlement/proof-search.js';
import type { ClaimingSession } from '../settlement/settle-claim.js';
import { typedNumbers } from '../settlement/weak-evidence.js';

/** @param number 11 digits or the last four. */
export async function findPush(
  core: Core,
  db: Db,
  session: ClaimingSession,
  number: string,
): Promise<ProofLookup> {
  // Pushes and claims of one merchant are serialised: each must see all others.
  await lockMerchant(db, session.merchant_id);
  const paisa = dueOn(QR, session).totalPaisa;
  const waiting = await waitingPayers(core, db, session.merchant_id, paisa);
  const mine = waiting.filter(({ claim }) => claim.session === session.id);
  const kept = mine.find(({ claim }) => claim.typed === number);
  if (kept === undefined && mine.length >= MAX_NUMBERS) return { outcome: 'none' };
  const claimedAt = kept?.claim.claimedAt ?? core.clock.now();
  const own = await payerClaim(core, db, session, { typed: number, duePaisa: paisa, claimedAt });
  const competitors = waiting.filter(({ claim, isOpen }) => isOpen && claim.session !== session.id);
  const claims = competitors.map(({ claim }) => claim);
  const free = await freeMoney(db, session.merchant_id, paisa, [own, ...claims]);
  const choice = choosePush(own, {
    free: free.map(({ push }) => push),
    claims,
    typed: await typedNumbers(core, db, { merchant: session.merchant_id, paisa }),
    now: core.clock.now(),
  });
  switch (choice.outcome) {
    case 'push': {
      const chosen = free.find(({ push }) => push.id === choice.id);
      if (chosen === undefined) throw new TypeError('a push was chosen that was not offered');
      return {
        outcome: 'proof',
        proof: chosen.proof,
        match: matchChosen(chosen.push, choice.doubt),
        at: chosen.push.at,
      };
    }
    case 'none':
    case 'ask_full_number':
      return choice;
    case 'person':
      return { outcome: 'several_payers' };
    default:
      return choice satisfies never;
  }
}
