/** The event stream on which the app "SMS Gateway for Android" waits for work. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppPhone } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { activeDevice, endAsking } from '../../../src/store/tables/app-phones.js';
import type { PhoneListener } from '../../relay/phone-subscribers.js';
import { beginStream, type Stream } from '../../streams/event-stream.js';
import type { RouteContext } from '../context.js';

const event = (name: string, data: object = {}) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * At its first start the app looks for settings and webhooks before it is registered, and again only a day
 * later. We send the event with every connection, so that a change of ours also arrives at once.
 */
const HELLO = event('SettingsUpdated') + event('WebhooksUpdated');
const HEARTBEAT = ':keepalive\n\n';

/** @param enter lets in the phone that calls. */
export function mobileEventsRoute(
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
 * Asks the app to report the SMS of its inbox again. Versions after 1.66.1 leave out those already reported,
 * so only missed ones come. The app does not say when it is done. It is asked once, because earlier versions
 * would resend everything with every connection.
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
