/** Does what an operator has confirmed on the dashboard, by the actions of the commands. Decides nothing. */
import { closeGap } from '../actions/balance-gaps/list-gaps.js';
import type { Core } from '../actions/core/core.js';
import { replayNotification } from '../actions/notifications/replay-notifications.js';
import { approveReview, rejectReview } from '../actions/reviews/decide-review.js';
import type { ReviewInFull } from '../actions/reviews/list-reviews.js';
import { isKashboxError } from '../base/errors/errors.js';
import type { Act } from './ask.js';

/** @returns a sentence that says what was done. @throws KashboxError what the action refuses */
export async function doAct(core: Core, act: Act, who: string): Promise<string> {
  switch (act.kind) {
    case 'approve': {
      const { id, note, reference, acceptLess, facts } = act;
      return approvedText(await approveReview(core, { id, note, reference, acceptLess, facts, who }));
    }
    case 'reject': {
      const review = await rejectReview(core, { id: act.id, note: act.note, facts: act.facts, who });
      return `Rejected. ${paymentText(review)}`;
    }
    case 'replay': {
      const { event, gateway_reference, url } = await replayNotification(core, { id: act.id, who });
      return `${event} of payment ${gateway_reference} is due again. The daemon sends it to ${url}.`;
    }
    case 'close_gap':
      return closedText(await closeGaps(core, act, who));
    default:
      return act satisfies never;
  }
}

function approvedText(review: ReviewInFull): string {
  const { unseen, looks_like, warnings } = review;
  return [
    `Approved. ${paymentText(review)}`,
    ...warnings.map((warning) => `WARNING: ${warning}`),
    ...(unseen ? ['Nothing here has seen this money: your word alone stands for it.'] : []),
    ...looks_like.map(
      ({ reference, payment }) =>
        `It looks like ${reference}, which paid ${payment}: compare both with the bank's statement.`,
    ),
  ].join(' ');
}

function paymentText({ gateway_reference, cus_name, payment_status }: ReviewInFull): string {
  return `Payment ${gateway_reference} of ${cus_name} is ${payment_status}.`;
}

/** Of several gaps those are passed over that somebody has closed meanwhile. @returns how many were left. */
async function closeGaps(
  core: Core,
  { ids, note }: Extract<Act, { readonly kind: 'close_gap' }>,
  who: string,
): Promise<number> {
  let closed = 0;
  let refusal: unknown = null;
  for (const id of ids) {
    try {
      await closeGap(core, { id, note, who });
      closed += 1;
    } catch (error) {
      if (!isKashboxError(error, 'state_refused')) throw error;
      refusal = error;
    }
  }
  if (closed === 0 && refusal !== null) throw refusal;
  return closed;
}

const closedText = (closed: number) => (closed === 1 ? 'The gap is closed.' : `${closed} gaps are closed.`);
