/** What the rules of wallets say of an SMS and a session, with the brand's accounts as they are now. */
import { type Match, type MatchProof, matchProof } from '../domain/matching.js';
import type { Db } from '../store/schema.js';
import type { Core } from './core.js';
import { type ClaimingSession, dueOn } from './settle-claim.js';

export async function matchWallet(
  core: Core,
  db: Db,
  session: ClaimingSession,
  proof: MatchProof & { readonly channel: string },
): Promise<Match> {
  const accounts = await core.accounts.of(db, session);
  const onChannel = accounts.filter((account) => account.channel === proof.channel);
  const due = { due_paisa: dueOn(proof.channel, session).totalPaisa, created_at: session.created_at };
  return matchProof(proof, due, onChannel, session.proof_window_hours);
}
