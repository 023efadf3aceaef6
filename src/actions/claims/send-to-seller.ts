/**
 * Puts a claim under review at the customer's request: the money was not found within a minute, or what was
 * found does not fit the payment.
 */
import { storableText } from '../../base/values/text.js';
import type { Channel } from '../../domain/accounts/channels.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { findClaim, proofByReference } from '../../store/tables/proofs.js';
import { reviewsOfSession, saveCustomerNote } from '../../store/tables/reviews.js';
import { lockSession } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { loadCheckout } from '../sessions/load-checkout.js';
import { putUnderReview } from '../sessions/transition-session.js';
import { openReview } from '../settlement/record-claim.js';
import type { OverBudget } from '../strangers/use-budget.js';
import { type CheckoutClaim, parseClaim } from './claim-checkout.js';
import { useForVerification } from './decide-claim.js';

interface SendToSeller {
  readonly sessionId: string;
  /** Chosen channel; null if the chosen value is not a valid channel. */
  readonly channel: Channel | null;
  /** Text of the claim, as it was typed or pasted. */
  readonly text: string;
  /** True if the text is the number that paid by the payment's QR code. */
  readonly isByCode?: boolean;
  /** Message of the customer to the seller; may be empty. */
  readonly note: string;
  /** Keyed hash of the customer's IP address; absent if the address is unknown. */
  readonly addressMark?: string | undefined;
}

type SentToSeller =
  | { readonly outcome: 'under_review'; readonly claimed: CheckoutClaim }
  | { readonly outcome: 'completed' }
  /** The claim is less than a minute old: its money may still arrive. */
  | { readonly outcome: 'too_early' }
  | { readonly outcome: 'too_many_attempts' }
  | OverBudget
  /** There is no such claim, or its review is decided, or the payment is over. */
  | { readonly outcome: 'over' };

/** Age of a claim from which its customer may request a review, in milliseconds. */
export const ASK_AFTER_MS = 60_000;
/** Limit of ids of one payment that its customer may send to the seller. */
const MAX_ASKED = 5;
/** Maximum stored length of the customer's message, in characters. */
export const MAX_NOTE = 1_000;

/** The payment does not run out until the person has decided. Idempotent: the same again is one question. */
export async function sendToSeller(core: Core, input: SendToSeller): Promise<SentToSeller> {
  const checkout = await loadCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  if (checkout.state === 'completed') return { outcome: 'completed' };
  const claimed = parseClaim(checkout, input.channel, input.text, input.isByCode);
  if ('outcome' in claimed) return { outcome: 'over' };
  const said = { note: noteFrom(claimed, input), addressMark: input.addressMark ?? null };
  const sent = await core.store.write((db) => requestReview(core, db, checkout.id, claimed, said));
  if (sent.outcome === 'under_review') core.moved.tell(checkout.id);
  return sent;
}

/** A pasted SMS says more than its id: the seller reads it too. */
function noteFrom({ reference }: CheckoutClaim, { text, note }: SendToSeller): string {
  const pasted = text.trim();
  const isMore = pasted.toUpperCase() !== reference.toUpperCase();
  const parts = [note.trim(), isMore ? pasted : ''].filter((part) => part !== '');
  return storableText(parts.join('\n\n').slice(0, MAX_NOTE));
}

async function requestReview(
  core: Core,
  db: Db,
  sessionId: string,
  claimed: CheckoutClaim,
  { note, addressMark }: { readonly note: string; readonly addressMark: string | null },
): Promise<SentToSeller> {
  const named = await hostedSession.first(db, { id: sessionId });
  if (named === undefined) return { outcome: 'over' };
  // In the order of arriving money, which may credit this claim at the same moment.
  await lockMerchant(db, named.merchant_id);
  await lockSession(db, sessionId);
  const session = (await hostedSession.first(db, { id: sessionId })) ?? named;
  if (session.status === 'COMPLETED') return { outcome: 'completed' };
  const now = core.clock.now();
  if (session.reason === 'rejected' || session.merchant_status === 'SUSPENDED') return { outcome: 'over' };
  const claim = await findClaim.first(db, { session: session.id, ...claimed });
  if (claim === undefined) return { outcome: 'over' };
  const asked = await reviewsOfSession(db, session.id);
  const same = asked.find(
    ({ channel, reference }) => channel === claimed.channel && reference === claimed.reference,
  );
  if (same !== undefined) {
    return same.state === 'OPEN' ? { outcome: 'under_review', claimed } : { outcome: 'over' };
  }
  if (claim.state === 'WAITING' && now < claim.created_at + ASK_AFTER_MS) return { outcome: 'too_early' };
  if (asked.length >= MAX_ASKED) return { outcome: 'too_many_attempts' };
  const { merchant_id: merchant } = session;
  const proof = await proofByReference.first(db, { merchant, ...claimed });
  const customer = { session: session.id, brandId: session.brand_id, merchantId: merchant };
  // Money that is there makes it no question of a stranger.
  const over = proof ? null : await useForVerification(core, db, { ...customer, addressMark });
  if (over !== null) return over;
  const reason = 'customer_asked' as const;
  const about = { session: session.id, ...claimed, proof: proof?.id ?? null, reason };
  await openReview(core, db, about);
  if (note !== '') await saveCustomerNote.all(db, { session: session.id, ...claimed, note });
  await putUnderReview(core, db, session, 'customer', { reason, ...claimed });
  return { outcome: 'under_review', claimed };
}
