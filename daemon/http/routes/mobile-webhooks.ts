/** Webhooks of the app "SMS Gateway for Android": received SMS and events, signed, one per call. */
import type { FastifyInstance } from 'fastify';
import { type AppPhone, authenticateWebhook } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { takeAppReports } from '../../../src/actions/relay/lease-dispatches.js';
import { type DeviceHealth, syncDevice } from '../../../src/actions/relay/sync-device.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { storableText } from '../../../src/base/values/text.js';
import { type AppReport, failure } from '../../../src/domain/dispatches/app-reports.js';
import type { RouteContext } from '../context.js';
import { authenticate, findHeader } from '../gates/auth.js';
import { getBodyBytes } from '../input/forms.js';
import { parseBody } from '../input/json.js';

/** The app forgets the event after any 2xx, so we answer only once it is durable. */
export function webhookRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.post<{ Params: { readonly device: string } }>('/webhooks/:device', async (request) => {
    const body = getBodyBytes(request);
    const asked = authenticateWebhook(core, {
      deviceId: request.params.device,
      body,
      signature: findHeader(request, 'x-signature'),
      timestamp: findHeader(request, 'x-timestamp'),
    });
    const phone = await authenticate(limits, request, asked, ({ device }) => device.deviceId);
    await take(core, phone, parseWebhook(parseBody(body)));
    return { status: true };
  });
}

async function take(core: Core, phone: AppPhone, event: AppEvent): Promise<void> {
  const call = { device: phone.device, sentAtMs: phone.sentAtMs };
  switch (event.kind) {
    case 'received': {
      const messages = [event.message];
      const { results } = await syncDevice(core, { ...call, messages, hasLastingIds: true, health: null });
      const [result] = results;
      if (result?.state === 'rejected') {
        throw new KashboxError('invalid_input', { message: result.reason ?? 'This is not an SMS' });
      }
      return;
    }
    case 'report':
      return takeAppReports(core, phone, [event.report]);
    case 'ping':
      await syncDevice(core, { ...call, messages: [], health: event.health });
      return;
    case 'alive':
      await syncDevice(core, { ...call, messages: [], health: null });
      return;
    default:
      event satisfies never;
  }
}

/**
 * Events that the app is configured to send. `app:started` is not among them: versions before 1.66 do not
 * know it, and reject a list that contains an unknown event.
 */
export const WEBHOOK_EVENTS = [
  'sms:received',
  'sms:sent',
  'sms:delivered',
  'sms:failed',
  'system:ping',
] as const;

type AppEvent =
  | {
      readonly kind: 'received';
      /** Message whose id is the same in all retries. */
      readonly message: object;
    }
  | { readonly kind: 'report'; readonly report: AppReport }
  | { readonly kind: 'ping'; readonly health: DeviceHealth | null }
  /** An event that only shows that the phone is alive. */
  | { readonly kind: 'alive' };

type EventFields = Readonly<Record<string, unknown>>;

/** The app's id of one event, the same in all its retries. */
const ENVELOPE = /^[\w-]{1,64}$/;

/** @param body an object; what an SMS lacks to be one is found where all SMS are checked. */
function parseWebhook(body: EventFields): AppEvent {
  const { id, event, payload } = body;
  const fields: EventFields = typeof payload === 'object' && payload !== null ? (payload as EventFields) : {};
  const messageId = typeof fields.messageId === 'string' ? storableText(fields.messageId) : '';
  const envelope = typeof id === 'string' && ENVELOPE.test(id) ? id : 'unnamed';
  switch (event) {
    case 'sms:received':
      return parseReceivedSms(fields, messageId || envelope);
    case 'sms:sent':
      return { kind: 'report', report: { id: messageId, state: 'SENT' } };
    case 'sms:delivered':
      return { kind: 'report', report: { id: messageId, state: 'DELIVERED_PART', envelope } };
    case 'sms:failed':
      return { kind: 'report', report: failure(messageId, fields.reason) };
    case 'system:ping':
      return { kind: 'ping', health: parsePing(payload) };
    default:
      return { kind: 'alive' };
  }
}

/** Versions before 1.54 have only `phoneNumber`. @param name message id, the same in every delivery. */
function parseReceivedSms(fields: EventFields, name: string): AppEvent {
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

/** Flags of `connection:transport`; the first that is set names the network. */
const TRANSPORTS: readonly (readonly [flag: number, name: string])[] = [
  [4, 'wifi'],
  [8, 'ethernet'],
  [2, 'cellular'],
];
const VERSION = /^[\w.+ -]{1,60}$/;

/** Missing or unreadable fields are undefined and keep the last known value. */
function parsePing(payload: unknown): DeviceHealth {
  const { health } = asObject(payload);
  const { checks, version } = asObject(health);
  const observed = (name: string): number | undefined => {
    const { observedValue } = asObject(asObject(checks)[name]);
    return typeof observedValue === 'number' && observedValue >= 0 ? observedValue : undefined;
  };
  const level = observed('battery:level');
  const power = observed('battery:charging');
  const transport = observed('connection:transport');
  return {
    battery: level === undefined || level > 100 ? undefined : Math.round(level),
    // The lowest flag says "charging now", the others what is plugged in: a full battery no longer charges.
    charging: power === undefined ? undefined : power > 0,
    network: transport === undefined ? undefined : networkOf(transport),
    appVersion: typeof version === 'string' && VERSION.test(version) ? version : undefined,
  };
}

function networkOf(transport: number): string | null {
  if (transport === 0) return 'none';
  return TRANSPORTS.find(([flag]) => (transport & flag) !== 0)?.[1] ?? null;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
