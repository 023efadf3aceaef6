/** The event stream that tells a page at once that its payment has changed. */
import type { FastifyInstance } from 'fastify';
import type { CheckoutState } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { HELLO, MOVED } from '../../checkout/page-subscribers.js';
import { beginStream } from '../../streams/event-stream.js';
import { type CheckoutServices, checkoutOf, sessionOf } from './services.js';

/** Grace after the session's end: the job that closes it runs once a minute. */
const GRACE_MS = 90_000;

/**
 * A claim refused while the page was loading leaves the payment open; that page still shows the claim as
 * waiting.
 */
function hasChanged(state: CheckoutState, shown: unknown): boolean {
  if (state === 'open') return shown === 'waiting';
  return state !== 'waiting';
}

export function eventRoute(scope: FastifyInstance, services: CheckoutServices): void {
  const { core, limits, pages, draining } = services;
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countUse(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!pages.hasRoom()) throw new KashboxError('streams_full');
    let hasMoved = false;
    // Subscribes before reading, so that no change between the two is missed.
    const unlisten = core.moved.listen(sessionOf(request) ?? '', () => {
      hasMoved = true;
    });
    const checkout = await checkoutOf(services, request).finally(unlisten);
    const stream = beginStream(request, reply, HELLO);
    if (stream === null) return;
    const { shown } = request.query as { readonly shown?: unknown };
    if (hasMoved || hasChanged(checkout.state, shown)) {
      stream.end(MOVED);
      return;
    }
    const page = { isWaiting: checkout.state === 'waiting', closeAt: checkout.expiresAt + GRACE_MS };
    stream.onClose(pages.enter(checkout.id, page, stream));
  });
}
