/**
 * The hosted checkout page and what it loads: the page itself, its state, its event stream and QR codes.
 * Nothing here changes a payment; the forms that do are in `../checkout/forms.ts`.
 */
import type { FastifyInstance } from 'fastify';
import { openPageSubscribers } from '../../checkout/page-subscribers.js';
import { plainForms, uploadForms } from '../checkout/forms.js';
import { answerWithNotices } from '../checkout/page-answers.js';
import { qrRoute } from '../checkout/qr.js';
import {
  type CheckoutServices,
  checkoutOf,
  mistypedSession,
  openCheckoutServices,
  pageOf,
  sendCheckout,
} from '../checkout/services.js';
import { eventRoute } from '../checkout/stream.js';
import type { RouteContext } from '../context.js';
import { openCheckoutPage } from '../schemas/hosted.js';

/** @param scope one whose prefix is the path of the checkout pages. */
export async function checkoutRoutes(scope: FastifyInstance, context: RouteContext) {
  const { core, log, draining } = context;
  const pages = openPageSubscribers(core, log, { maxStreams: core.settings.checkoutStreams });
  draining.addEventListener('abort', () => pages.endAll());
  scope.addHook('onClose', async () => pages.endAll());
  const services = openCheckoutServices(context, pages);
  await scope.register(async (inner) => {
    answerWithNotices(inner, services, (request) => pageOf(services, request));
    pageRoutes(inner, services);
    qrRoute(inner, services);
    await inner.register(async (forms) => plainForms(forms, services));
    await inner.register(async (forms) => uploadForms(forms, services));
  });
  await scope.register(async (inner) => {
    stateRoute(inner, services);
    eventRoute(inner, services);
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
  for (const form of ['claim', 'bank', 'ask', 'cancel', 'play', 'quote']) {
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
