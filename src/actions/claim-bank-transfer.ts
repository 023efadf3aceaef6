/** A customer says that he has transferred the money to a bank account; a person confirms it. */
import { createHash } from 'node:crypto';
import { newRowId } from '../base/ids.js';
import { BANK } from '../domain/channels.js';
import { readBankReference } from '../domain/reference.js';
import { isOpen } from '../domain/session.js';
import { MAX_SLIP_BYTES, type SlipType, slipType } from '../domain/slip.js';
import type { Db } from '../store/schema.js';
import { hostedSession } from '../store/tables/checkout.js';
import { insertSlip, putReview, reviewsOfSession } from '../store/tables/reviews.js';
import { lockSession } from '../store/tables/sessions.js';
import type { Core } from './core.js';
import { closeOverdue, moveSession } from './move-session.js';
import { readCheckout } from './read-checkout.js';
import { recordClaim } from './record-claim.js';

export interface ClaimBankTransfer {
  readonly sessionId: string;
  /** What the bank calls the transfer, as it was typed. */
  readonly text: string;
  /** Picture or PDF, whole; null where the customer gave none. */
  readonly slip: Buffer | null;
}

export type BankClaimed =
  | { readonly outcome: 'under_review' | 'completed' }
  | { readonly outcome: 'no_reference' }
  /** Neither PNG nor JPEG nor PDF, or more than 2 MiB. */
  | { readonly outcome: 'slip_unreadable' | 'slip_too_large' }
  | { readonly outcome: 'too_many_attempts' | 'method_unavailable' | 'over' };

/** Different transfers that one payment may be said to have been paid by. */
const MAX_CLAIMS = 5;

/** The session stays PENDING and does not run out until a person has decided (spec 3). */
export async function claimBankTransfer(core: Core, input: ClaimBankTransfer): Promise<BankClaimed> {
  const reference = readBankReference(input.text);
  if (reference === null) return { outcome: 'no_reference' };
  const { slip } = input;
  if (slip !== null && slip.length > MAX_SLIP_BYTES) return { outcome: 'slip_too_large' };
  const mediaType = slip === null ? null : slipType(slip);
  if (slip !== null && mediaType === null) return { outcome: 'slip_unreadable' };
  const checkout = await readCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  if (checkout.state === 'completed') return { outcome: 'completed' };
  if (!checkout.takes.includes(BANK)) {
    return { outcome: checkout.takes.length === 0 ? 'over' : 'method_unavailable' };
  }
  const kept = { reference, slip: slip !== null && mediaType !== null ? { bytes: slip, mediaType } : null };
  const outcome = await core.store.write((db) => keep(core, db, checkout.id, kept));
  if (outcome === 'under_review') core.moved.tell(checkout.id);
  return { outcome };
}

interface Transfer {
  readonly reference: string;
  readonly slip: { readonly bytes: Buffer; readonly mediaType: SlipType } | null;
}

async function keep(
  core: Core,
  db: Db,
  sessionId: string,
  { reference, slip }: Transfer,
): Promise<'under_review' | 'completed' | 'too_many_attempts' | 'over'> {
  // The same form sent twice at once is one claim, and claims sent at once are counted.
  await lockSession(db, sessionId);
  const session = await hostedSession.first(db, { id: sessionId });
  if (session === undefined) return 'over';
  if (session.status === 'COMPLETED') return 'completed';
  if (session.status === 'FAILED' && session.reason === 'rejected') return 'over';
  const now = core.clock.now();
  const known = (await reviewsOfSession(db, session.id)).filter((review) => review.channel === BANK);
  const same = known.find((review) => review.reference === reference);
  if (same?.state === 'REJECTED') return 'over';
  if (same === undefined && known.length >= MAX_CLAIMS) return 'too_many_attempts';
  const id = same?.id ?? newRowId(core.random, now, 'review');
  if (same === undefined) await open(core, db, session, id, reference);
  if (slip !== null) {
    await insertSlip(db, {
      review_id: id,
      media_type: slip.mediaType,
      bytes: slip.bytes.length,
      sha256: createHash('sha256').update(slip.bytes).digest('hex'),
      content: slip.bytes.toString('base64'),
      created_at: now,
    });
  }
  return 'under_review';
}

type Session = NonNullable<Awaited<ReturnType<typeof hostedSession.first>>>;

async function open(core: Core, db: Db, session: Session, review: string, reference: string): Promise<void> {
  const now = core.clock.now();
  const reason = 'bank_transfer' as const;
  const claim = { session: session.id, channel: BANK, reference, reason };
  await putReview.first(db, { ...claim, id: review, proof: null, now });
  await recordClaim(core, db, { ...claim, merchant: session.merchant_id, state: 'REVIEW' });
  if (isOpen(session, now)) {
    const about = { reason, channel: BANK, reference };
    await moveSession(core, db, { session, event: 'review', who: 'customer', about });
  } else {
    await closeOverdue(core, db, session);
  }
}
