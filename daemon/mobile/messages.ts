/** An SMS to be sent, in the app's words. */
import type { AppDispatch } from '../../src/actions/relay/lease-dispatches.js';

export function appMessage(dispatch: AppDispatch) {
  const { id, number, message, sim_slot, priority, expires_at } = dispatch;
  return {
    id,
    textMessage: { text: message },
    phoneNumbers: [number],
    ...(sim_slot === null ? {} : { simNumber: sim_slot }),
    withDeliveryReport: true,
    isEncrypted: false,
    // Its parser wants milliseconds and an offset, or it drops the whole list.
    validUntil: new Date(expires_at).toISOString(),
    priority,
    state: 'Pending',
  };
}
