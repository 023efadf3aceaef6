/**
 * The hosted checkout page and what it loads: the page itself, its state, its event stream, QR codes and its
 * script. Nothing here changes a payment; the forms that do are in `../checkout/forms.ts`.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import type { Log } from '../../../src/base/io/log.js';
import { SCRIPT } from '../../checkout/assets.js';
import { openPageSubscribers } from '../../checkout/page-subscribers.js';
import { plainForms, uploadForms } from '../checkout/forms.js';
import { qrRoute } from '../checkout/qr.js';
import {
  answerWithNotices,
  type CheckoutServices,
  checkoutOf,
  mistypedSession,
  openCheckoutServices,
  sendCheckout,
} from '../checkout/services.js';
import { eventRoute } from '../checkout/stream.js';
import type { Limits } from '../gates/limits.js';
import { takesGzip } from '../input/accept-encoding.js';
import { openCheckoutPage } from '../schemas/hosted.js';

export interface CheckoutOptions {
  readonly log: Log;
  readonly limits: Limits;
  /** Aborted when the process is about to end. */
  readonly draining: AbortSignal;
}

/** @param scope one whose prefix is the path of the checkout pages. */
export async function checkoutRoutes(scope: FastifyInstance, core: Core, options: CheckoutOptions) {
  const { log, limits, draining } = options;
  const room = openPageSubscribers(core, log, { maxStreams: core.settings.checkoutStreams });
  draining.addEventListener('abort', () => room.endAll());
  scope.addHook('onClose', async () => room.endAll());
  const services = openCheckoutServices(core, log, limits, room);
  await scope.register(async (inner) => {
    answerWithNotices(inner, services);
    pageRoutes(inner, services);
    qrRoute(inner, services);
    await inner.register(async (forms) => plainForms(forms, services));
    await inner.register(async (forms) => uploadForms(forms, services));
  });
  await scope.register(async (inner) => {
    stateRoute(inner, services);
    eventRoute(inner, services, draining);
    scriptRoute(inner);
  });
}

function pageRoutes(scope: FastifyInstance, services: CheckoutServices): void {
  scope.get('/:ref', openCheckoutPage, async (request, reply) => {
    const session = mistypedSession((request.params as { readonly ref: string }).ref);
    if (session !== null) return reply.redirect(`${services.root}/${session}`, 302);
    const { now, late } = request.query as { readonly now?: unknown; readonly late?: unknown };
    const checkout = await checkoutOf(services, request);
    const shown = { isFresh: now === '1', isLate: late === '1', problem: null };
    return sendCheckout(services, request, reply, checkout, shown);
  });

  // After a rejected form the browser shows the form's address, and people reload it.
  for (const form of ['claim', 'bank', 'cancel']) {
    scope.get(`/:ref/${form}`, async (request, reply) => {
      const { ref } = request.params as { readonly ref: string };
      return reply.redirect(`${services.root}/${encodeURIComponent(ref)}`, 303);
    });
  }

  // All other mistyped links get the same answer.
  scope.get('/*', async (request) => checkoutOf(services, request));
}

function stateRoute(scope: FastifyInstance, services: CheckoutServices): void {
  scope.get('/:ref/state', async (request) => ({ state: (await checkoutOf(services, request)).state }));
}

/** Its name changes with its content, so that a browser loads it once. */
function scriptRoute(scope: FastifyInstance): void {
  const packed = gzipSync(SCRIPT.body, { level: 9 });
  scope.get(`/assets/${SCRIPT.name}`, (request, reply) => {
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .type('text/javascript; charset=utf-8');
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(SCRIPT.body);
    return reply.header('content-encoding', 'gzip').send(packed);
  });
}
