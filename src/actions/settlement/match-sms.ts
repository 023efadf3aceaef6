/** What the rules of wallets say of an SMS and a session, with the accounts that its customer was shown. */

import { isMfsAccountType } from '../../domain/accounts/channels.js';
import { type MatchProof, matchProof } from '../../domain/matching/matching.js';
import { dueOn } from '../../domain/sessions/due.js';
import type { Db } from '../../store/schema/index.js';
import type { Core } from '../core/core.js';
import type { ClaimingSession } from './settle-claim.js';
import { type Believed, believeWallet, type WalletMoney } from './weak-evidence.js';

/** @param claimedAt when the claim was first made, milliseconds since the epoch. */
export async function matchWallet(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & WalletMoney,
  claimedAt: number,
): Promise<Believed> {
  const { shown: accounts } = await core.accounts.shownIn(db, session);
  const onChannel = accounts.flatMap(({ channel, type, number }) =>
    channel === proof.channel && isMfsAccountType(type) ? [{ type, number }] : [],
  );
  const due = { due_paisa: dueOn(proof.channel, session).totalPaisa, created_at: session.created_at };
  const match = matchProof(proof, due, onChannel, session.proof_window_hours);
  return believeWallet(core, db, session, proof, { match, at: claimedAt });
}
