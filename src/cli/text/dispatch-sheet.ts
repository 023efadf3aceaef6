/** Outbound SMS as people read them, and the text of one from a pipe. */
import type { DispatchView } from '../../actions/dispatches/dispatches.js';
import { minute } from '../../base/values/clock.js';
import type { DispatchState } from '../../domain/dispatches/dispatch.js';
import { formatKeyValues } from './table.js';

/** Explanations of states whose names are not clear alone. */
const MEANING: Readonly<Partial<Record<DispatchState, string>>> = {
  QUEUED: 'waits for the phone',
  LEASED: 'the phone has it',
  EXPIRED: 'not sent in time',
  UNKNOWN: 'the phone cannot say whether it was sent, so it is not sent again',
};

export function dispatchSheet(view: DispatchView): string[] {
  const meaning = MEANING[view.state];
  return formatKeyValues([
    ['SMS', view.id],
    ['To', view.number],
    ['Text', view.message],
    ['By', view.sim_slot === null ? view.device : `${view.device}, SIM ${view.sim_slot}`],
    ['State', meaning === undefined ? view.state : `${view.state} (${meaning})`],
    ['Error', view.error],
    ['Parts', `${view.parts} ${view.encoding}, ${view.parts_sent} sent, ${view.parts_delivered} delivered`],
    ['Queued', minute(view.queued_at)],
    ['Sent', minute(view.sent_at)],
    ['Delivered', minute(view.delivered_at)],
    ['Expires', minute(view.expires_at)],
  ]);
}
