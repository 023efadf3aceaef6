/**
 * The hosted checkout page and what it loads: the page itself, its state, its event stream, QR codes and its
 * script. Nothing here changes a payment; the forms that do are in `../checkout/forms.ts`.
 */
import type { FastifyInstance } from 'fastify';
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
import type { RouteContext } from '../context.js';
import { pack, sendPacked } from '../packed.js';
import { openCheckoutPage } from '../schemas/hosted.js';

/** @param scope one whose prefix is the path of the checkout pages. */
export async function checkoutRoutes(scope: FastifyInstance, context: RouteContext) {
  const { core, log, draining } = context;
  const pages = openPageSubscribers(core, log, { maxStreams: core.settings.checkoutStreams });
  draining.addEventListener('abort', () => pages.endAll());
  scope.addHook('onClose', async () => pages.endAll());
  const services = openCheckoutServices(context, pages);
  await scope.register(async (inner) => {
    answerWithNotices(inner, services);
    pageRoutes(inner, services);
    qrRoute(inner, services);
    await inner.register(async (forms) => plainForms(forms, services));
    await inner.register(async (forms) => uploadForms(forms, services));
  });
  await scope.register(async (inner) => {
    stateRoute(inner, services);
    eventRoute(inner, services);
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
  const packed = pack(SCRIPT.body);
  scope.get(`/assets/${SCRIPT.name}`, (request, reply) => {
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/javascript; charset=utf-8');
    return sendPacked(request, reply, packed);
  });
}
