/** The event stream that wakes a relay phone. */
import type { FastifyInstance } from 'fastify';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { WakeReason } from '../../../src/domain/devices/waking.js';
import type { PhoneListener } from '../../relay/phone-subscribers.js';
import { beginStream, type Stream } from '../../streams/event-stream.js';
import type { RouteContext } from '../context.js';
import { deviceGate, deviceOf } from '../gates/auth.js';
import { wakePhone } from '../schemas/relay.js';

/** Sent first, so that the phone sees that it is connected. */
const HELLO = 'retry: 3000\n\n';
const HEARTBEAT = ':\n\n';

const wakeText = (reason: WakeReason) => `event: wake\ndata: ${JSON.stringify({ reason })}\n\n`;

export function relayEventsRoute(
  app: FastifyInstance,
  { core, limits, phones, draining }: RouteContext,
): void {
  app.addHook('onRequest', deviceGate(core, limits));
  app.get('/api/v2/relay/events', { ...wakePhone, exposeHeadRoute: false }, async (request, reply) => {
    const device = deviceOf(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!phones.hasRoom()) throw new KashboxError('phones_full');
    const stream = beginStream(request, reply, HELLO);
    if (stream !== null) stream.onClose(phones.subscribe(device, listenerOver(stream)));
  });
}

function listenerOver(stream: Stream): PhoneListener {
  return {
    wake(reason) {
      if (reason === 'revoked') stream.end(wakeText(reason));
      else stream.write(wakeText(reason));
    },
    heartbeat: () => stream.write(HEARTBEAT),
    end: () => stream.end(''),
  };
}
