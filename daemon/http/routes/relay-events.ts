/** The event stream that wakes a relay phone. */
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { WakeReason } from '../../../src/domain/devices/waking.js';
import type { PhoneListener, PhoneSubscribers } from '../../relay/phone-subscribers.js';
import { beginStream, type Stream } from '../../streams/event-stream.js';
import { deviceGate, deviceOf } from '../gates/auth.js';
import type { Limits } from '../gates/limits.js';
import { wakePhone } from '../schemas/relay.js';

/** Sent first, so that the phone sees that it is connected. */
const HELLO = 'retry: 3000\n\n';
const HEARTBEAT = ':\n\n';

const wakeText = (reason: WakeReason) => `event: wake\ndata: ${JSON.stringify({ reason })}\n\n`;

/** @param draining aborted when the process is about to end. */
export function relayEventsRoute(
  app: FastifyInstance,
  core: Core,
  { limits, room, draining }: { limits: Limits; room: PhoneSubscribers; draining: AbortSignal },
): void {
  app.addHook('onRequest', deviceGate(core, limits));
  app.get('/api/v2/relay/events', { ...wakePhone, exposeHeadRoute: false }, async (request, reply) => {
    const device = deviceOf(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!room.hasRoom()) throw new KashboxError('phones_full');
    const stream = beginStream(request, reply, HELLO);
    if (stream !== null) stream.onClose(room.subscribe(device, listenerOver(stream)));
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
