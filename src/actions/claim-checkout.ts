/** A customer says on the checkout page by which transaction id he has paid. */
import { channelModule } from '../channels/index.js';
import type { Disagreement } from '../domain/matching.js';
import { brandContext } from './brand-context.js';
import type { Core } from './core.js';
import { decideClaim } from './decide-claim.js';
import { readCheckout } from './read-checkout.js';

export interface ClaimCheckout {
  readonly sessionId: string;
  readonly channel: string;
  /** As it was typed or pasted: an id, or a whole SMS with one in it. */
  readonly text: string;
}

export type CheckoutClaimed =
  | { readonly outcome: 'completed' | 'under_review' | 'waiting' }
  /** The text holds no id of that channel, or more than one. */
  | { readonly outcome: 'no_reference' | 'several_references' }
  | { readonly outcome: 'already_credited' | 'too_many_attempts' }
  | { readonly outcome: 'disagrees'; readonly about: Disagreement }
  /** The brand has no account there any more, or its merchant is suspended. */
  | { readonly outcome: 'method_unavailable' }
  /** There is no such session, or it takes no claims any more. */
  | { readonly outcome: 'over' };

/** Never throws for what a customer may meet: each outcome has its own words on the page. */
export async function claimCheckout(core: Core, input: ClaimCheckout): Promise<CheckoutClaimed> {
  const checkout = await readCheckout(core, input.sessionId);
  if (checkout === null) return { outcome: 'over' };
  if (checkout.state === 'completed') return { outcome: 'completed' };
  if (!checkout.methods.some((method) => method.channel === input.channel)) {
    return { outcome: checkout.methods.length === 0 ? 'over' : 'method_unavailable' };
  }
  const found = channelModule(input.channel)?.findReference(input.text);
  if (found === undefined) return { outcome: 'method_unavailable' };
  if (found.outcome === 'none') return { outcome: 'no_reference' };
  if (found.outcome === 'several') return { outcome: 'several_references' };
  const verdict = await decideClaim(core, {
    brand: await brandContext(core, checkout.brandId),
    sessionId: checkout.id,
    method: input.channel,
    reference: found.reference,
    acceptsLate: true,
  });
  switch (verdict.outcome) {
    case 'completed':
    case 'under_review':
      return { outcome: verdict.outcome };
    case 'not_found':
      return { outcome: 'waiting' };
    case 'session_completed':
      return { outcome: 'completed' };
    case 'session_not_found':
      return { outcome: 'over' };
    case 'already_credited':
    case 'too_many_attempts':
      return { outcome: verdict.outcome };
    case 'disagrees':
      return verdict;
    default:
      return verdict satisfies never;
  }
}
