/** The event stream by which a page learns at once that its payment has moved (text/event-stream). */
import type { FastifyInstance } from 'fastify';
import { KashboxError } from '../../../src/base/errors.js';
import { HELLO, MOVED } from '../../checkout/waiting.js';
import { checkoutOf, type Desk, sessionOf } from './desk.js';

/** After a session's time is over: the job that closes it comes by once a minute. */
const GRACE_MS = 90_000;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // A proxy that collects what comes before it sends it on would keep it all.
  'x-accel-buffering': 'no',
};

export function eventRoute(scope: FastifyInstance, desk: Desk, draining: AbortSignal): void {
  const { core, limits, room } = desk;
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countVisit(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!room.hasRoom()) throw new KashboxError('streams_full');
    let hasMoved = false;
    // From before the reading on, so that nothing can happen between the two unseen.
    const deaf = core.moved.listen(sessionOf(request) ?? '', () => {
      hasMoved = true;
    });
    const checkout = await checkoutOf(desk, request).finally(deaf);
    const { raw } = reply.hijack();
    raw.writeHead(200, STREAM_HEADERS);
    if (hasMoved || (checkout.state !== 'open' && checkout.state !== 'waiting')) {
      raw.end(HELLO + MOVED);
      return;
    }
    raw.write(HELLO);
    const leave = room.enter(checkout.id, checkout.expiresAt + GRACE_MS, {
      write: (text) => raw.write(text),
      end: (text) => raw.end(text),
    });
    raw.once('close', leave);
  });
}
