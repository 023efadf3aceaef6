/** The body of a webhook of the app, read into what it means to us. Knows neither HTTP nor store. */
import type { DeviceHealth } from '../../src/actions/relay/sync-device.js';
import { storableText } from '../../src/base/values/text.js';
import { type AppReport, failure } from '../../src/domain/dispatches/app-reports.js';
import { readPing } from './health.js';

/**
 * The events that the app is told to send. `app:started` is not among them: versions before 1.66 do not know
 * it, and take none of a list in which one is unknown to them.
 */
export const WEBHOOK_EVENTS = [
  'sms:received',
  'sms:sent',
  'sms:delivered',
  'sms:failed',
  'system:ping',
] as const;

export type AppEvent =
  | {
      readonly kind: 'received';
      /** Its id is the same in all retries. */
      readonly message: object;
    }
  | { readonly kind: 'report'; readonly report: AppReport }
  | { readonly kind: 'ping'; readonly health: DeviceHealth | null }
  /** An event that only shows that the phone is alive. */
  | { readonly kind: 'alive' };

type Fields = Readonly<Record<string, unknown>>;

/** The app's id of one event, the same in all its retries. */
const ENVELOPE = /^[\w-]{1,64}$/;

/** @param body an object; what an SMS lacks to be one is found where all SMS are checked. */
export function readWebhook(body: Fields): AppEvent {
  const { id, event, payload } = body;
  const fields: Fields = typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
  const messageId = typeof fields.messageId === 'string' ? storableText(fields.messageId) : '';
  const envelope = typeof id === 'string' && ENVELOPE.test(id) ? id : 'unnamed';
  switch (event) {
    case 'sms:received':
      return readReceived(fields, messageId || envelope);
    case 'sms:sent':
      return { kind: 'report', report: { id: messageId, state: 'SENT' } };
    case 'sms:delivered':
      return { kind: 'report', report: { id: messageId, state: 'DELIVERED_PART', envelope } };
    case 'sms:failed':
      return { kind: 'report', report: failure(messageId, fields.reason) };
    case 'system:ping':
      return { kind: 'ping', health: readPing(payload) };
    default:
      return { kind: 'alive' };
  }
}

/** Versions before 1.54 have only `phoneNumber`. @param name the same whenever this SMS is told. */
function readReceived(fields: Fields, name: string): AppEvent {
  const { sender, phoneNumber, message, receivedAt, simNumber } = fields;
  return {
    kind: 'received',
    message: {
      id: name,
      sender: sender ?? phoneNumber,
      body: message,
      received_at: receivedAt,
      sim_slot: simNumber ?? null,
    },
  };
}
