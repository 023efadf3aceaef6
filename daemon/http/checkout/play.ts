/**
 * The form by which the page of a test brand plays the wallets. Whatever is posted, the action refuses every
 * payment of a live brand; nobody is told more of that than of any other form that is none of ours.
 */
import { readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { type PlayedMoney, playMoney } from '../../../src/actions/test-payments/play-money.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { PAGE_PLAYS } from '../../../src/domain/accounts/test-accounts.js';
import type { Fields } from './form.js';
import type { CheckoutServices } from './services.js';

export type Played =
  | { readonly outcome: 'played'; readonly played: PlayedMoney }
  /** It is paid, or was just before: a form may come twice. */
  | { readonly outcome: 'over' }
  | { readonly outcome: 'method_unavailable' | 'too_many_attempts'; readonly channel: MfsChannel }
  /** As many were played that day as may be. */
  | { readonly outcome: 'plays_used_up'; readonly channel: MfsChannel; readonly retryAfterS: number }
  /** There is nothing to be played there. */
  | { readonly outcome: 'refused' };

const WHO = 'checkout page';

/** @throws KashboxError `store_…` */
export async function playForm({ core }: CheckoutServices, session: string, fields: Fields): Promise<Played> {
  const channel = MFS_CHANNELS.find((one) => one === fields.get('method'));
  const play = PAGE_PLAYS.find((one) => one === (fields.get('as') ?? 'exact'));
  const checkout = await readCheckout(core, session);
  if (checkout === null || !checkout.isTest || checkout.isSuspended) return { outcome: 'refused' };
  if (channel === undefined || play === undefined) return { outcome: 'refused' };
  try {
    return {
      outcome: 'played',
      played: await playMoney(core, { payment: session, channel, play, who: WHO }),
    };
  } catch (error) {
    if (isKashboxError(error, 'session_completed')) return { outcome: 'over' };
    if (isKashboxError(error, 'method_unavailable')) return { outcome: 'method_unavailable', channel };
    if (isKashboxError(error, 'too_many_attempts')) return { outcome: 'too_many_attempts', channel };
    if (isKashboxError(error, 'day_limit_reached')) {
      return { outcome: 'plays_used_up', channel, retryAfterS: error.retryAfterSeconds ?? 0 };
    }
    if (isKashboxError(error, 'state_refused')) return { outcome: 'refused' };
    throw error;
  }
}
