/**
 * What is needed to decide which bank push pays which claim (domain/matching/matching-push): the claims by
 * a payer's number that wait for one amount, and the money of that amount that pays nothing yet.
 */
import type { Paisa } from '../../base/values/money.js';
import { QR } from '../../domain/accounts/channels.js';
import type { FreePush, PayerClaim } from '../../domain/matching/matching-push.js';
import { readShownPayer } from '../../domain/matching/payer.js';
import { movedBetween } from '../../domain/matching/push-evidence.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { claimsByPayer, freePushes } from '../../store/tables/pushes.js';
import type { Core } from '../core/core.js';
import type { ClaimedProof } from '../settlement/credit-proof.js';
import type { ClaimingSession } from '../settlement/settle-claim.js';

/** A claim as the rules see it, with what is needed to settle it. */
export interface WaitingPayer {
  readonly claim: PayerClaim;
  readonly session: ClaimingSession;
  readonly isOpen: boolean;
  /** Is under review: nothing is credited to it by a rule, but its customer waits like others. */
  readonly isReviewed: boolean;
}

/**
 * How long a claim is remembered whose money does not come; without an end every order that somebody gave up
 * would be looked at with every push of that amount.
 */
export const NUMBER_WAITS_MS = 7 * 24 * 3_600_000;

/**
 * Different numbers of one session that count. Four digits are soon guessed: a stranger with an order of the
 * same price could otherwise let thirty of them lie in wait for the money of others.
 */
export const MAX_NUMBERS = 5;

/** @returns the claims of the merchant's on that amount, also those of sessions that are over. */
export async function waitingPayers(
  core: Core,
  db: Db,
  merchant: string,
  paisa: Paisa,
): Promise<WaitingPayer[]> {
  const since = core.clock.now() - NUMBER_WAITS_MS;
  const rows = await claimsByPayer.all(db, { merchant, paisa, since });
  const waiting: WaitingPayer[] = [];
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const count = (numbers.get(row.id) ?? 0) + 1;
    numbers.set(row.id, count);
    if (count > MAX_NUMBERS) continue;
    const { typed, state, claimed_at: claimedAt, ...session } = row;
    const claim = await payerClaim(core, db, session, { typed, duePaisa: paisa, claimedAt });
    const isReviewed = state === 'REVIEW';
    waiting.push({ claim, session, isOpen: isOpen(session, core.clock.now()), isReviewed });
  }
  return waiting;
}

export async function payerClaim(
  core: Core,
  db: Db,
  session: ClaimingSession,
  said: Pick<PayerClaim, 'typed' | 'duePaisa' | 'claimedAt'>,
): Promise<PayerClaim> {
  return {
    ...said,
    session: session.id,
    merchantIds: await merchantIds(core, db, session),
    notBefore: notBefore(session),
    openedAt: session.created_at,
  };
}

/** Of the QR accounts that the session's customer was shown. */
async function merchantIds(core: Core, db: Db, session: ClaimingSession): Promise<string[]> {
  const { shown: accounts } = await core.accounts.shownIn(db, session);
  return accounts.flatMap((account) => account.merchantIds);
}

/** Money that is older than that pays no session of the brand. */
export function notBefore(session: ClaimingSession): number {
  return session.created_at - session.proof_window_hours * 3_600_000;
}

/** A push as the rules see it, with what is needed to credit it. */
export interface FreeMoney {
  readonly push: FreePush;
  readonly proof: ClaimedProof;
}

/** @param claims those that are decided on: older money than all of them may have is left out. */
export async function freeMoney(
  db: Db,
  merchant: string,
  paisa: Paisa,
  claims: readonly PayerClaim[],
): Promise<FreeMoney[]> {
  const since = Math.min(...claims.map((claim) => claim.notBefore));
  const rows = await freePushes.all(db, { merchant, paisa, since });
  return rows.map((row) => {
    const { id, reference, scope, payer, recipient, at, settle, paid_at, received_at } = row;
    return {
      push: {
        id,
        amountPaisa: paisa,
        payer: readShownPayer(payer),
        merchant: recipient,
        billOf: row.bill_brand === null ? null : row.bill_session,
        at,
        moved: movedBetween(paid_at, received_at),
        isDoubtful: settle === 'review',
      },
      proof: { id, channel: QR, reference, scope },
    };
  });
}
