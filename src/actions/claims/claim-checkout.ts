/**
 * Records a transaction id that a customer enters on the checkout page. While the merchant is suspended it is
 * stored only, and decided when the merchant is active again (settle-suspended, recheck-claims).
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { channelModule } from '../../channels/index.js';
import { CHANNEL, CHANNELS, type Channel, type PayChannel } from '../../domain/accounts/channels.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import { isLastFour, parseTypedPayer } from '../../domain/matching/payer.js';
import { type MistakenId, matchesIdShape, mistakenId } from '../../domain/matching/reference.js';
import { isOpen } from '../../domain/sessions/session.js';
import type { Db } from '../../store/schema/index.js';
import { hostedSession } from '../../store/tables/checkout.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { findClaim } from '../../store/tables/proofs.js';
import { countMiss } from '../../store/tables/sessions.js';
import { type BrandContext, brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { type Checkout, loadCheckout } from '../sessions/load-checkout.js';
import { keepClaim, requestLateReview, reviewOfClaim } from '../settlement/record-claim.js';
import type { OverBudget } from '../strangers/use-budget.js';
import { listQuestions } from '../usdt/query-sources.js';
import { decideClaim, type Verdict } from './decide-claim.js';

interface ClaimCheckout {
  readonly sessionId: string;
  /** Chosen channel; null if the chosen value is not a valid channel. */
  readonly channel: Channel | null;
  /** Text as typed or pasted: an id, or a complete SMS that contains one. */
  readonly text: string;
  /** True if the text is the number that paid by the payment's QR code, from the form of the code. */
  readonly isByCode?: boolean;
  /** Keyed hash of the customer's IP address; absent if the address is unknown. */
  readonly addressMark?: string | undefined;
}

export interface CheckoutClaim {
  readonly channel: Channel;
  readonly reference: string;
}

export type CheckoutClaimed =
  | {
      readonly outcome: 'completed' | 'part' | 'under_review' | 'waiting';
      /**
       * Identifies the payer's browser: the stored claim, or the credited id. Null if the payment was
       * completed before.
       */
      readonly claimed: CheckoutClaim | null;
    }
  /** The text holds no id of that channel, or more than one. */
  | { readonly outcome: 'no_reference' | 'several_references' }
  /** Nor is it one of any other wallet. A PIN above all is never stored. */
  | { readonly outcome: MistakenId }
  | { readonly outcome: 'already_credited' | 'too_many_attempts' | 'ask_full_number' }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement }
  | OverBudget
  /** The brand has no account on that channel, or no longer. */
  | { readonly outcome: 'method_unavailable' }
  /** The session does not exist, or it no longer takes claims. */
  | { readonly outcome: 'over' };

/** Records or settles a claim. Expected results are not thrown: each outcome has its own text on the page. */
export async function claimCheckout(core: Core, input: ClaimCheckout): Promise<CheckoutClaimed> {
  const checkout = await loadCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  const { channel: chosen, text } = input;
  if (checkout.state === 'completed') {
    const found = chosen === null ? null : channelModule(chosen).findReference(text);
    // An id later proves who the payer is. A number does not, because its last digits can be guessed.
    const isProof = chosen !== null && found?.outcome === 'id' && CHANNEL[chosen].given !== 'number';
    return {
      outcome: 'completed',
      claimed: isProof ? { channel: chosen, reference: found.reference } : null,
    };
  }
  const named = parseClaim(checkout, chosen, text, input.isByCode);
  return 'outcome' in named ? named : decideFor(core, checkout, named, input.addressMark);
}

/**
 * @param chosen channel of the submitted form; null if it is not a valid channel.
 * @param text text as typed or pasted.
 * @param isByCode true if the text is the number that paid by the payment's QR code.
 * @returns the claim in stored form, or the reason why there is none.
 */
export function parseClaim(
  { takes, state, methods, amountPaisa }: Checkout,
  chosen: Channel | null,
  text: string,
  isByCode = false,
):
  | CheckoutClaim
  | Extract<
      CheckoutClaimed,
      { outcome: `${string}_reference${string}` | MistakenId | 'method_unavailable' | 'over' }
    > {
  // Methods shown when the session opened stay valid even if the account is now disabled.
  const isKnown = chosen !== null && (takes.includes(chosen) || CHANNEL[chosen].kind === 'pull');
  if (!isKnown || state === 'rejected') {
    return { outcome: takes.length === 0 ? 'over' : 'method_unavailable' };
  }
  const method = methods.find(({ channel }) => channel === chosen);
  const number = CHANNEL[chosen].kind === 'sms' && method?.code !== undefined ? parseTypedPayer(text) : null;
  // Four digits from another form may be a PIN.
  if (number !== null && (isByCode || !isLastFour(number))) return { channel: chosen, reference: number };
  if (isByCode && CHANNEL[chosen].kind === 'sms') return { outcome: 'no_reference' };
  const due = method?.totalPaisa ?? amountPaisa;
  const mistaken = mistakenId(chosen, text, due) ?? mistakenId(chosen, text, amountPaisa);
  if (mistaken !== null) return { outcome: mistaken };
  const found = channelModule(chosen).findReference(text);
  if (found.outcome === 'none') return { outcome: 'no_reference' };
  if (found.outcome === 'several') return { outcome: 'several_references' };
  const channel = channelOf(found.reference, chosen, takes);
  const reference = channel === chosen ? found.reference : found.reference.toUpperCase();
  return { channel, reference };
}

/** Selects the channel: an id of another wallet than the chosen one overrides the choice. */
function channelOf(reference: string, chosen: Channel, takes: readonly PayChannel[]): Channel {
  const fitting = CHANNELS.filter(
    (channel) => takes.includes(channel) && matchesIdShape(channel, reference.toUpperCase()),
  );
  const [other, ...more] = fitting;
  return other === undefined || more.length > 0 || fitting.includes(chosen) ? chosen : other;
}

/** @returns null while its merchant is suspended. */
async function activeBrand(core: Core, id: string): Promise<BrandContext | null> {
  try {
    return await brandContext(core, id);
  } catch (error) {
    if (isKashboxError(error, 'merchant_suspended')) return null;
    throw error;
  }
}

async function keepFor(
  core: Core,
  checkout: Checkout,
  claimed: CheckoutClaim,
  addressMark: string | undefined,
): Promise<CheckoutClaimed> {
  const outcome = await claimWhileSuspended(core, { sessionId: checkout.id, ...claimed });
  switch (outcome) {
    case 'waiting':
    case 'under_review':
      return { outcome, claimed };
    case 'too_many_attempts':
    case 'method_unavailable':
    case 'over':
      return { outcome };
    case 'active':
      return decideFor(core, checkout, claimed, addressMark);
    default:
      return outcome satisfies never;
  }
}

async function decideFor(
  core: Core,
  checkout: Checkout,
  claimed: CheckoutClaim,
  addressMark: string | undefined,
): Promise<CheckoutClaimed> {
  const brand = await activeBrand(core, checkout.brandId);
  if (brand === null) return keepFor(core, checkout, claimed, addressMark);
  const verdict = await decideClaim(core, {
    brand,
    sessionId: checkout.id,
    method: claimed.channel,
    reference: claimed.reference,
    source: 'customer',
    addressMark,
  });
  switch (verdict.outcome) {
    case 'completed':
      return { outcome: 'completed', claimed: provedBy(claimed, verdict) };
    case 'part':
    case 'under_review':
      return { outcome: verdict.outcome, claimed };
    case 'not_found':
    case 'not_final':
    case 'unavailable':
      // Stored, and rechecked automatically: the page waits as for an SMS.
      return { outcome: 'waiting', claimed };
    case 'not_offered':
      return { outcome: 'method_unavailable' };
    case 'session_completed':
      return { outcome: 'completed', claimed };
    case 'session_not_found':
      return { outcome: 'over' };
    case 'already_credited':
    case 'too_many_attempts':
    case 'ask_full_number':
      return { outcome: verdict.outcome };
    case 'disagrees':
    case 'over_budget':
      return verdict;
    default:
      return verdict satisfies never;
  }
}

/**
 * Reference that later proves who the payer is. A shop's order number does not, because strangers can guess
 * it; a payer who has just been credited for one is identified by the exchange's own id.
 */
function provedBy(
  claimed: CheckoutClaim,
  { session, credited }: Extract<Verdict, { outcome: 'completed' }>,
): CheckoutClaim {
  const isCreditedNow = session.status !== 'COMPLETED';
  return CHANNEL[claimed.channel].hasManyIds && isCreditedNow
    ? { ...claimed, reference: credited.reference }
    : claimed;
}

interface ClaimWhileSuspended {
  readonly sessionId: string;
  readonly channel: Channel;
  /** Reference in stored form (domain/matching/reference). */
  readonly reference: string;
}

type SuspendedClaim =
  /** The claim is stored; `under_review`: the session has expired, so the claim needs manual review. */
  | 'waiting'
  | 'under_review'
  | 'too_many_attempts'
  | 'method_unavailable'
  | 'over'
  /** The merchant is active, so nothing is stored: decide as usual. */
  | 'active';

async function claimWhileSuspended(core: Core, input: ClaimWhileSuspended): Promise<SuspendedClaim> {
  const kept = await core.store.write((db) => keep(core, db, input));
  if (kept === 'under_review') core.moved.tell(input.sessionId);
  return kept;
}

async function keep(
  core: Core,
  db: Db,
  { sessionId, channel, reference }: ClaimWhileSuspended,
): Promise<SuspendedClaim> {
  const named = await hostedSession.first(db, { id: sessionId });
  if (named === undefined) return 'over';
  // Locked, so that a claim is not missed when the merchant becomes active.
  await lockMerchant(db, named.merchant_id);
  const session = (await hostedSession.first(db, { id: sessionId })) ?? named;
  if (session.merchant_status !== 'SUSPENDED') return 'active';
  if (session.status === 'COMPLETED' || session.reason === 'rejected') return 'over';
  const isKnown = (await findClaim.first(db, { session: session.id, channel, reference })) !== undefined;
  if (!isKnown && session.misses >= core.settings.missesPerSession) return 'too_many_attempts';
  const isOver = !isOpen(session, core.clock.now());
  const same = await reviewOfClaim(db, { session: session.id, channel, reference });
  if (same?.state === 'OPEN') return 'under_review';
  if (same?.state === 'REJECTED' && isOver) return 'over';
  const row = CHANNEL[channel];
  if (row.kind === 'pull' && (await listQuestions(db, session, row.channel, reference)).length === 0) {
    return 'method_unavailable';
  }
  const claim = { merchant: session.merchant_id, channel, reference };
  await keepClaim(core, db, session, { ...claim, reason: 'not_asked_yet', block: null });
  if (!isKnown) await countMiss.all(db, { id: session.id });
  if (!isOver) return 'waiting';
  await requestLateReview(core, db, session, claim);
  return 'under_review';
}
