/** The event stream by which a page learns at once that its payment has moved. */
import type { FastifyInstance } from 'fastify';
import type { CheckoutState } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { HELLO, MOVED } from '../../checkout/waiting.js';
import { beginStream } from '../../streams/event-stream.js';
import { checkoutOf, type Desk, sessionOf } from './desk.js';

/** After a session's time is over: the job that closes it comes by once a minute. */
const GRACE_MS = 90_000;

/**
 * A claim that was refused while the page was on its way leaves the payment open, as it had been before; only
 * that page, which says which state it shows, does not know.
 */
function isNews(state: CheckoutState, shown: unknown): boolean {
  if (state === 'open') return shown === 'waiting';
  return state !== 'waiting';
}

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
    const { shown } = request.query as { readonly shown?: unknown };
    if (hasMoved || isNews(checkout.state, shown)) {
      stream.end(MOVED);
      return;
    }
    const page = { isWaiting: checkout.state === 'waiting', closeAt: checkout.expiresAt + GRACE_MS };
    stream.onClose(room.enter(checkout.id, page, stream));
  });
}
