/** What a session costs on a channel, with the fee that it was opened with. Pure. */
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../accounts/channels.js';
import { feeOn, readFees } from './fees.js';

/** What a session costs on a channel. */
export interface Due {
  readonly feePaisa: Paisa;
  /** The amount and the fee. */
  readonly totalPaisa: Paisa;
}

export function dueOn(
  channel: PayChannel,
  session: { readonly fees: string | null; readonly amount_paisa: Paisa },
): Due {
  const feePaisa = feeOn(readFees(session.fees), channel, session.amount_paisa);
  return { feePaisa, totalPaisa: session.amount_paisa + feePaisa };
}
