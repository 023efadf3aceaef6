/** A customer gives on the checkout page the transaction id of the payment. */

import { isKashboxError } from '../../base/errors/errors.js';
import { channelModule } from '../../channels/index.js';
import { isPulledChannel, QR } from '../../domain/accounts/channels.js';
import type { Disagreement } from '../../domain/matching/matching.js';
import { looksLikeIdOf } from '../../domain/matching/reference.js';
import { type BrandContext, brandContext } from '../brands/brand-context.js';
import type { Core } from '../core/core.js';
import { type Checkout, readCheckout } from '../sessions/read-checkout.js';
import type { Verdict } from './claim-verdict.js';
import { claimWhileSuspended } from './claim-while-suspended.js';
import { decideClaim } from './decide-claim.js';

export interface ClaimCheckout {
  readonly sessionId: string;
  readonly channel: string;
  /** As it was typed or pasted: an id, or a whole SMS with one in it. */
  readonly text: string;
}

interface Claimed {
  readonly channel: string;
  readonly reference: string;
}

export type CheckoutClaimed =
  | {
      readonly outcome: 'completed' | 'under_review' | 'waiting';
      /**
       * What a browser is known by as the payer's: the claim as it is kept, or the id that was credited for
       * it. Null where the payment was completed before, and this proves nothing.
       */
      readonly claimed: Claimed | null;
    }
  /** The text holds no id of that channel, or more than one. */
  | { readonly outcome: 'no_reference' | 'several_references' }
  | { readonly outcome: 'already_credited' | 'too_many_attempts' | 'ask_full_number' }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement }
  /** The brand has no account there any more. */
  | { readonly outcome: 'method_unavailable' }
  /** There is no such session, or it takes no claims any more. */
  | { readonly outcome: 'over' };

/** Never throws for what a customer may meet: each outcome has its own words on the page. */
export async function claimCheckout(core: Core, input: ClaimCheckout): Promise<CheckoutClaimed> {
  const checkout = await readCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  const found = channelModule(input.channel)?.findReference(input.text);
  if (checkout.state === 'completed') {
    // Ids prove later who the payer is. A number does not: whoever has the link could guess its last digits.
    const isProof = found?.outcome === 'id' && input.channel !== QR;
    return {
      outcome: 'completed',
      claimed: isProof ? { channel: input.channel, reference: found.reference } : null,
    };
  }
  // What the page showed when it was opened is asked for also where the account is out of use by now.
  const { takes } = checkout;
  const isKnown = takes.includes(input.channel) || isPulledChannel(input.channel);
  if (!isKnown || checkout.state === 'rejected') {
    return { outcome: takes.length === 0 ? 'over' : 'method_unavailable' };
  }
  if (found === undefined) return { outcome: 'method_unavailable' };
  if (found.outcome === 'none') return { outcome: 'no_reference' };
  if (found.outcome === 'several') return { outcome: 'several_references' };
  const channel = channelOf(found.reference, input.channel, takes);
  const reference = channel === input.channel ? found.reference : found.reference.toUpperCase();
  return decideFor(core, checkout, { channel, reference });
}

/** A customer who opened the card of one wallet and gave the id of another has paid by the other. */
function channelOf(reference: string, chosen: string, takes: readonly string[]): string {
  const fitting = takes.filter((channel) => looksLikeIdOf(channel, reference.toUpperCase()));
  const [other, ...more] = fitting;
  return other === undefined || more.length > 0 || fitting.includes(chosen) ? chosen : other;
}

/** @returns null while its merchant is suspended. */
async function livingBrand(core: Core, id: string): Promise<BrandContext | null> {
  try {
    return await brandContext(core, id);
  } catch (error) {
    if (isKashboxError(error, 'merchant_suspended')) return null;
    throw error;
  }
}

async function keepFor(core: Core, checkout: Checkout, claimed: Claimed): Promise<CheckoutClaimed> {
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
      return decideFor(core, checkout, claimed);
    default:
      return outcome satisfies never;
  }
}

async function decideFor(core: Core, checkout: Checkout, claimed: Claimed): Promise<CheckoutClaimed> {
  const brand = await livingBrand(core, checkout.brandId);
  if (brand === null) return keepFor(core, checkout, claimed);
  const verdict = await decideClaim(core, {
    brand,
    sessionId: checkout.id,
    method: claimed.channel,
    reference: claimed.reference,
    asker: 'customer',
  });
  switch (verdict.outcome) {
    case 'completed':
      return { outcome: 'completed', claimed: provedBy(claimed, verdict) };
    case 'under_review':
      return { outcome: 'under_review', claimed };
    case 'not_found':
    case 'not_final':
    case 'unavailable':
      // Kept, and asked for again by itself: the page waits as for an SMS.
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
      return verdict;
    default:
      return verdict satisfies never;
  }
}

/**
 * The number of a shop's order proves nothing later, because strangers can guess it; whoever was credited for
 * it just now is known by the exchange's own id instead.
 */
function provedBy(
  claimed: Claimed,
  { session, credited }: Extract<Verdict, { outcome: 'completed' }>,
): Claimed {
  const isCreditedNow = session.status !== 'COMPLETED';
  return claimed.channel === 'exchange_pay' && isCreditedNow
    ? { ...claimed, reference: credited.reference }
    : claimed;
}
