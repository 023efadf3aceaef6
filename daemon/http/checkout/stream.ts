/** The event stream by which a page learns at once that its payment has moved. */
import type { FastifyInstance } from 'fastify';
import { KashboxError } from '../../../src/base/errors.js';
import { HELLO, MOVED } from '../../checkout/waiting.js';
import { beginStream } from '../../streams/event-stream.js';
import { checkoutOf, type Desk, sessionOf } from './desk.js';

/** After a session's time is over: the job that closes it comes by once a minute. */
const GRACE_MS = 90_000;

export function eventRoute(scope: FastifyInstance, desk: Desk, draining: AbortSignal): void {
  const { core, limits, room } = desk;
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countUse(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!room.hasRoom()) throw new KashboxError('streams_full');
    let hasMoved = false;
    // From before the reading on, so that nothing can happen between the two unseen.
    const deaf = core.moved.listen(sessionOf(request) ?? '', () => {
      hasMoved = true;
    });
    const checkout = await checkoutOf(desk, request).finally(deaf);
    const stream = beginStream(request, reply, HELLO);
    if (stream === null) return;
    if (hasMoved || (checkout.state !== 'open' && checkout.state !== 'waiting')) {
      stream.end(MOVED);
      return;
    }
    stream.onClose(room.enter(checkout.id, checkout.expiresAt + GRACE_MS, stream));
  });
}
