/**
 * The hosted checkout page and what it loads: the page itself, its state, its event stream and QR codes.
 * Nothing here changes a payment; the forms that do are in `../checkout/forms.ts`.
 */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { Checkout, CheckoutMethod } from '../../../src/actions/sessions/load-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import { isOnChain } from '../../../src/domain/accounts/channels.js';
import { TEXTS } from '../../checkout/document.js';
import { isLive } from '../../checkout/page.js';
import { HELLO, openPageSubscribers, UPDATED } from '../../checkout/page-subscribers.js';
import { shownState } from '../../checkout/status.js';
import { beginStream } from '../../streams/event-stream.js';
import { plainForms, uploadForms } from '../checkout/forms.js';
import { answerWithNotices, language } from '../checkout/page-answers.js';
import {
  type CheckoutServices,
  findPagePath,
  findSessionId,
  mistypedSession,
  openCheckoutServices,
  requireCheckout,
  sendCheckout,
} from '../checkout/services.js';
import type { RouteContext } from '../context.js';
import { text } from '../schemas/fields.js';
import { operation } from '../schemas/operation.js';
import { PageQuery, pageThat } from '../schemas/pages.js';
import { sendCard, sendQr } from './pictures.js';

const openCheckoutPage = operation({
  operationId: 'openCheckoutPage',
  tag: 'hosted',
  access: 'open',
  summary: 'The page on which the customer pays',
  description:
    'For browsers: the shop redirects its customer here. The page is in Bangla or English, works without ' +
    'scripts and returns to the shop automatically when the payment is over. The forms of the page are ' +
    'not an API.',
  params: Type.Object({
    session_ref: text('The end of `payment_url`.', 'e21896d8223209df3f7fe8cb5be031fa', {
      pattern: SESSION_ID.source,
    }),
  }),
  querystring: PageQuery,
  answers: {
    200: pageThat('The page, for any state of the payment.'),
    308: pageThat('Requested by plain HTTP: a redirect to the same address by HTTPS, without a page.'),
    404: pageThat('A page that says that there is no such payment.'),
    429: pageThat('A page that asks the customer to wait as long as `Retry-After` says.'),
    503: pageThat('A page that asks the customer to come back in a moment.'),
  },
});

/** @param scope one whose prefix is the path of the checkout pages. */
export async function checkoutRoutes(scope: FastifyInstance, context: RouteContext) {
  const { core, log, draining } = context;
  const pages = openPageSubscribers(core, log, { maxStreams: core.settings.checkoutStreams });
  draining.addEventListener('abort', () => pages.endAll());
  scope.addHook('onClose', async () => pages.endAll());
  const services = openCheckoutServices(context, pages);
  await scope.register(async (inner) => {
    answerWithNotices(inner, services, (request) => findPagePath(services, request));
    pageRoutes(inner, services);
    cardRoute(inner, services);
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
    const checkout = await requireCheckout(services, request);
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
  scope.get('/*', async (request) => requireCheckout(services, request));
}

/** The preview of a payment: in a chat everybody sees it, so it names neither the sum nor the customer. */
function cardRoute(scope: FastifyInstance, services: CheckoutServices): void {
  scope.get('/:ref/card.png', async (request, reply) => {
    await services.limits.countUse(request);
    const { brand, look } = await requireCheckout(services, request);
    const { previewTitle } = TEXTS[language(request)];
    return sendCard(services, reply, {
      title: previewTitle(brand.name),
      amount: null,
      shop: brand.name,
      look,
    });
  });
}

function stateRoute(scope: FastifyInstance, services: CheckoutServices): void {
  scope.get('/:ref/state', async (request) => ({
    state: shownState(await requireCheckout(services, request)),
  }));
}

const QR_CACHE = 'private, max-age=600';
/** Width in pixels of the code that people save on a phone: large enough for the scanner of any app. */
const PNG_SIDE = 720;

/** Serves only codes that the page of that payment shows. */
function qrRoute(scope: FastifyInstance, services: CheckoutServices): void {
  // The address of the page, with which a customer at a desktop opens it on the phone.
  scope.get('/:ref/qr', async (request, reply) => {
    await services.limits.countUse(request);
    const { id } = await requireCheckout(services, request);
    const origin = services.core.settings.publicUrl || `https://${request.host}`;
    return sendQr(reply, `${origin}${services.root}/${id}`, QR_CACHE, { type: 'svg' });
  });
  scope.get('/:ref/qr/:channel/:type', async (request, reply) => {
    await services.limits.countUse(request);
    const { channel, type: file } = request.params as { readonly channel: string; readonly type: string };
    const isFile = file.endsWith('.png');
    const checkout = await requireCheckout(services, request);
    const { methods, gatewayReference, isSuspended } = checkout;
    const method = methods.find((known) => known.channel === channel);
    const text = method === undefined ? undefined : codeText(method, isFile ? file.slice(0, -4) : file);
    // No QR code after the payment is over, or for a suspended shop.
    const isPayable = !isSuspended && isLive(checkout);
    if (method === undefined || text === undefined || !isPayable) throw new KashboxError('session_not_found');
    if (!isFile) return sendQr(reply, text, QR_CACHE, { type: 'svg' });
    // Shown, where a WebView knows no files: it can still be kept from there.
    const name = text === method.code ? 'bangla-qr' : 'qr';
    reply.header('content-disposition', `inline; filename="${name}-${gatewayReference}.png"`);
    return sendQr(reply, text, QR_CACHE, { type: 'png', width: PNG_SIDE });
  });
}

/** Text in the code of an account; for a chain the bare address, which every wallet can read. */
function codeText({ channel, accounts, code }: CheckoutMethod, type: string): string | undefined {
  const account = accounts.find((known) => known.type === type);
  if (isOnChain(channel)) return account?.number;
  return account?.details.qr ?? code;
}

/** Grace after the session's end: the job that closes it runs once a minute. */
const GRACE_MS = 90_000;

/**
 * A claim refused while the page was loading leaves the payment open; that page still shows the claim as
 * waiting. So does a part that came while it was loading.
 */
function hasChanged(checkout: Checkout, shown: string): boolean {
  const [wasState, wereParts = '0'] = shown.split(' ');
  const { state, parts } = checkout;
  if (!isLive(checkout) || String(parts.length) !== wereParts) return true;
  return state === 'open' && wasState === 'waiting';
}

function eventRoute(scope: FastifyInstance, services: CheckoutServices): void {
  const { core, limits, pages, draining } = services;
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countUse(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!pages.hasRoom()) throw new KashboxError('streams_full');
    let hasMoved = false;
    // Subscribes before reading, so that no change between the two is missed.
    const unlisten = core.moved.listen(findSessionId(request) ?? '', () => {
      hasMoved = true;
    });
    const checkout = await requireCheckout(services, request).finally(unlisten);
    const stream = beginStream(request, reply, HELLO);
    if (stream === null) return;
    const { shown } = request.query as { readonly shown?: unknown };
    const { state, expiresAt, creditedPaisa } = checkout;
    if (hasMoved || hasChanged(checkout, typeof shown === 'string' ? shown : shownState(checkout))) {
      stream.end(UPDATED);
      return;
    }
    const closeAt = expiresAt + GRACE_MS;
    const page = { isWaiting: state === 'waiting', closeAt, paidPaisa: creditedPaisa };
    stream.onClose(pages.enter(checkout.id, page, stream));
  });
}
