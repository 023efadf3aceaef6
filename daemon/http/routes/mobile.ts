/**
 * The API that the app "SMS Gateway for Android" calls on its server (its version 1 for phones), so that the
 * app as it is published works as a relay phone. Shapes and names are the app's; docs/sms-gateway-app.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AppPhone, authenticateApp } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { pairDevice } from '../../../src/actions/devices/enroll-device.js';
import { type AppDispatch, appOutbox, takeAppReports } from '../../../src/actions/relay/lease-dispatches.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { parsePatch } from '../../../src/domain/dispatches/app-reports.js';
import { activeDevice, endAsking } from '../../../src/store/tables/dispatches.js';
import type { PhoneListener } from '../../relay/phone-subscribers.js';
import { beginStream, type Stream } from '../../streams/event-stream.js';
import type { RouteContext } from '../context.js';
import { authenticate, countFailure, findBearerToken } from '../gates/auth.js';
import { publicBase } from '../gates/public-origin.js';
import { getBodyBytes, takeRawBodies } from '../input/forms.js';
import { parseAnyBody } from '../input/json.js';
import { WEBHOOK_EVENTS, webhookRoute } from './mobile-webhooks.js';

/** Entries of one `PATCH /message`; the app sends one. */
const MAX_PATCHES = 200;

/** @param scope one of its own, whose prefix ends in `/mobile/v1`: the bytes of its bodies are signed. */
export function mobileRoutes(scope: FastifyInstance, context: RouteContext): void {
  const { core } = context;
  takeRawBodies(scope);
  const enter = phoneDoor(context);
  registerRoute(scope, context);
  webhookRoute(scope, context);
  mobileEventsRoute(scope, context, enter);

  scope.get('/device', async (request) => {
    if (request.headers.authorization !== undefined) await enter(request);
    return { externalIp: request.ip };
  });

  // Name and SIMs of the phone are masked by the app, and ours were given by the operator.
  scope.patch('/device', async (request, reply) => {
    await enter(request);
    return reply.code(204).send();
  });

  // A HEAD that ran this would lease SMS.
  scope.get('/message', { exposeHeadRoute: false }, async (request) =>
    (await appOutbox(core, await enter(request))).map(appMessage),
  );

  scope.patch('/message', async (request, reply) => {
    const phone = await enter(request);
    const list = parseAnyBody(getBodyBytes(request));
    const entries = Array.isArray(list) ? (list as unknown[]).slice(0, MAX_PATCHES) : [];
    await takeAppReports(
      core,
      phone,
      entries.flatMap((entry) => parsePatch(entry) ?? []),
    );
    return reply.code(204).send();
  });

  scope.get('/settings', async (request) => appSettings((await enter(request)).signingKey));

  scope.get('/webhooks', async (request) => {
    const { device } = await enter(request);
    return appWebhooks(publicBase(request, core.settings), device.deviceId);
  });

  // Accounts that several phones share: here each phone is enrolled by itself.
  scope.get('/user/code', async (_request, reply) => reply.code(501).send(NOT_OFFERED));
  scope.patch('/user/password', async (_request, reply) => reply.code(501).send(NOT_OFFERED));
}

const NOT_OFFERED = {
  status: false,
  message: 'There are no logins here: each phone is enrolled with `kashbox devices enroll`',
};

/** The one call without a device key: it brings the pairing code, and gets the key. */
function registerRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.post('/device', async (request, reply) => {
    await limits.refuseExhausted(request);
    const code = findBearerToken(request);
    const asked =
      code === undefined ? Promise.reject(codeMissing()) : pairDevice(core, { code, ip: request.ip });
    const { device, deviceKey } = await countFailure(limits, request, asked);
    // The app shows login and password to its owner; we do not use them.
    return reply.code(201).send({ id: device.id, token: deviceKey, login: device.name, password: '' });
  });
}

function codeMissing(): KashboxError {
  return new KashboxError('pairing_code_invalid', {
    message: 'Enter the pairing code as Private Token; logins and codes of other servers are not known here',
  });
}

/** @returns a function that lets in a client with a phone's key as its bearer token. */
function phoneDoor({ core, limits }: RouteContext) {
  return (request: FastifyRequest): Promise<AppPhone> => {
    const asked = authenticateApp(core, { key: findBearerToken(request) });
    return authenticate(limits, request, asked, ({ device }) => device.deviceId);
  };
}

function appMessage(dispatch: AppDispatch) {
  const { id, number, message, sim_slot, priority, expires_at } = dispatch;
  return {
    id,
    textMessage: { text: message },
    phoneNumbers: [number],
    ...(sim_slot === null ? {} : { simNumber: sim_slot }),
    withDeliveryReport: true,
    isEncrypted: false,
    // Its parser wants milliseconds and an offset, or it drops the entire list.
    validUntil: new Date(expires_at).toISOString(),
    priority,
    state: 'Pending',
  };
}

const PING_SECONDS = 60;

/** The app waits 5 s after its first try and each time twice as long: with 17 tries a week goes by. */
const TRIES = 17;

/** The app's importer takes these names and ignores others. */
function appSettings(signingKey: string) {
  return {
    webhooks: { signing_key: signingKey, retry_count: TRIES, internet_required: true },
    ping: { interval_seconds: PING_SECONDS },
    // The server limits the rate by what it leases; the phone adds no delay.
    messages: {
      send_interval_min: 0,
      send_interval_max: 0,
      limit_period: 'Disabled',
      limit_value: 0,
      processing_order: 'FIFO',
    },
    gateway: { notification_channel: 'SSE_ONLY' },
  };
}

/** @param base where the phone reaches this daemon, with the path before `/mobile/v1`. */
function appWebhooks(base: string, deviceId: string) {
  const url = `${base}/mobile/v1/webhooks/${deviceId}`;
  // The app asks its owner about webhooks with new names, so the names stay the same.
  return WEBHOOK_EVENTS.map((event) => ({ id: `${deviceId}-${event.replace(':', '-')}`, url, event }));
}

const event = (name: string, data: object = {}) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Sent with every connection, so that a change of ours also arrives at once. At its first start the app loads
 * settings and webhooks before it is registered, and again only a day later.
 */
const HELLO = event('SettingsUpdated') + event('WebhooksUpdated');
const HEARTBEAT = ':keepalive\n\n';

/** @param enter lets in the phone that calls. */
function mobileEventsRoute(
  scope: FastifyInstance,
  { core, log, phones, draining }: RouteContext,
  enter: (request: FastifyRequest) => Promise<AppPhone>,
): void {
  scope.get('/events', { exposeHeadRoute: false }, async (request, reply) => {
    const { device } = await enter(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!phones.hasRoom()) throw new KashboxError('phones_full');
    const stream = beginStream(request, reply, HELLO);
    if (stream === null) return;
    const askAgain = () =>
      exportLines(core, device.deviceId).then(
        (lines) => stream.write(lines),
        (error: unknown) => log.debug({ err: error }, 'an app was not asked for its SMS'),
      );
    stream.onClose(phones.subscribe(device, listenerOver(stream, askAgain)));
  });
}

function listenerOver(stream: Stream, askAgain: () => void): PhoneListener {
  return {
    wake(reason) {
      switch (reason) {
        case 'dispatch':
          stream.write(event('MessageEnqueued'));
          return;
        case 'resend':
          askAgain();
          return;
        case 'revoked':
          stream.end('');
          return;
        default:
          reason satisfies never;
      }
    },
    heartbeat: () => stream.write(HEARTBEAT),
    end: () => stream.end(''),
  };
}

/**
 * Requests the app to report the SMS of its inbox again. Versions after 1.66.1 leave out those already
 * reported, so only missed ones arrive. The app does not report when it is done. The request is sent once,
 * because earlier versions would resend everything with every connection.
 */
async function exportLines(core: Core, deviceId: string): Promise<string> {
  const row = await core.store.read((db) => activeDevice.first(db, { id: deviceId }));
  if (row === undefined || row.resend_since === null) return '';
  const since = row.resend_since;
  await core.store.write((db) => endAsking.all(db, { id: deviceId, since }));
  const isoOf = (ms: number) => new Date(ms).toISOString();
  return event('MessagesExportRequested', {
    since: isoOf(since),
    until: isoOf(core.clock.now()),
    messageTypes: 'SMS',
    triggerWebhooks: true,
  });
}
