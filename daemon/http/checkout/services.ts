/**
 * Shared by the routes of the checkout page: finding the session of a link, page headers, and answering with
 * a page, a notice or a refusal. Texts and markup are in the view.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Checkout, readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { type ErrorCode, KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import { returnAddress, returnParameters, withParameters } from '../../../src/domain/sessions/redirect.js';
import { SCRIPT, STYLE_HASH } from '../../checkout/assets.js';
import { languageCookie, languageOf, openBrowserCookies } from '../../checkout/browser-cookies.js';
import { fillCachedPage } from '../../checkout/cached-page.js';
import type { CheckoutPage, Language, Notice, Problem, ReturnWay } from '../../checkout/page.js';
import type { PageSubscribers } from '../../checkout/page-subscribers.js';
import { renderCheckout, renderNotice } from '../../checkout/view.js';
import type { RouteContext } from '../context.js';
import { logged, refuse } from '../errors.js';
import { takesGzip } from '../input/accept-encoding.js';

export type CheckoutServices = ReturnType<typeof openCheckoutServices>;

export function openCheckoutServices(context: RouteContext, pages: PageSubscribers) {
  const { settings, secrets, random } = context.core;
  /** Path of all checkout pages, without a slash at its end. */
  const root = `${settings.basePath}/api/execute`;
  return { ...context, pages, root, browserCookies: openBrowserCookies(secrets, random) };
}

const policy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    "script-src 'self'",
    // The page's empty icon, without which every customer's browser would ask for a /favicon.ico.
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

const POLICY = policy("'self'");
/**
 * For a shop that wants its parameters by POST. Not its own address alone: Chrome holds every address to
 * which the shop's server sends the browser on against `form-action` too, and where that leads only the shop
 * knows. The page has no form but ours and no place for another, so that little is given away.
 */
const POLICY_POST = policy("'self' https:");

/**
 * No Strict-Transport-Security: it holds for every port of a name, also for those of other programs on an
 * operator's machine, and after it a browser does not let users accept a self-signed certificate.
 */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Chat apps include the text behind a link, and people type links in capitals. */
const SPOILED_ID = /^([0-9a-f]{32})(?:[^0-9a-f].*)?$/is;

/** @returns the session that a link names, or null. */
export function sessionOf(request: FastifyRequest): string | null {
  const { ref } = request.params as { readonly ref?: string };
  return ref !== undefined && SESSION_ID.test(ref) ? ref : null;
}

/**
 * @param text what stands in the place of a link's session.
 * @returns the session of the link without added characters, or null. Nothing is looked up, so that it does
 *   not reveal which sessions exist.
 */
export function mistypedSession(text: string): string | null {
  const session = SPOILED_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  return session === text ? null : session;
}

/**
 * @returns the payment behind a link.
 * @throws KashboxError `session_not_found`, the same for every wrong link, or `too_many_requests`
 */
export async function checkoutOf(services: CheckoutServices, request: FastifyRequest): Promise<Checkout> {
  const session = sessionOf(request);
  const checkout = session === null ? null : await readCheckout(services.core, session);
  if (checkout !== null) return checkout;
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** @throws KashboxError `form_refused`, or `too_many_requests` for an address that sends many such forms */
export async function refuseForm(services: CheckoutServices, request: FastifyRequest): Promise<never> {
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('form_refused');
}

function language(request: FastifyRequest): Language {
  return languageOf((request.query as { readonly lang?: unknown }).lang, request.headers);
}

/** Level 1: a higher one takes half as long again for a few bytes less. */
function zipped(html: string): Buffer {
  return gzipSync(html, { level: 1 });
}

/** What a request says beyond its payment; what each means, `CheckoutPage` says. */
type Shown = Pick<CheckoutPage, 'isFresh' | 'isLate' | 'problem'>;

/** Answers with the payment's page, as this browser may see it. */
export function sendCheckout(
  services: CheckoutServices,
  request: FastifyRequest,
  reply: FastifyReply,
  checkout: Checkout,
  shown: Shown,
): FastifyReply {
  const { browserCookies, root } = services;
  const { cookie } = request.headers;
  const wants = language(request);
  if ((request.query as { readonly lang?: unknown }).lang === wants) {
    reply.header('set-cookie', languageCookie(wants, root));
  }
  const isPayer = checkout.payerGave.some((given) => browserCookies.hasClaimed(cookie, checkout.id, given));
  const isLive = checkout.state === 'open' || checkout.state === 'waiting';
  const back = isLive ? null : wayBack(checkout, isPayer);
  reply.headers(PAGE_HEADERS);
  if (back?.method === 'POST') reply.header('content-security-policy', POLICY_POST);
  const page: CheckoutPage = {
    language: wants,
    checkout,
    isPayer,
    isFresh: shown.isFresh && !isLive,
    isLate: (shown.isLate || shown.problem !== null) && takesLate(checkout),
    token: browserCookies.token(nonceFor(services, cookie, reply), checkout.id),
    problem: shown.problem ?? (isPayer ? refusalOf(checkout) : null),
    now: services.core.clock.now(),
    path: `${root}/${checkout.id}`,
    back,
    scriptPath: `${root}/assets/${SCRIPT.name}`,
  };
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(renderCheckout(page));
  return reply.header('content-encoding', 'gzip').send(fillCachedPage(page) ?? zipped(renderCheckout(page)));
}

/** States in which only customers who say that they have paid see the form. */
function takesLate({ state, isSuspended }: Checkout): boolean {
  return ['expired', 'cancelled', 'waiting'].includes(state) || (state === 'open' && isSuspended);
}

/** The state may have changed while the page waited. */
function refusalOf({ state, claim }: Checkout): Problem | null {
  if (state !== 'open' || claim === null || claim.refusedFor === null) return null;
  const { channel, reference: typed, refusedFor } = claim;
  if (refusedFor === 'already_credited') return { kind: refusedFor, channel, typed };
  return { kind: 'disagrees', about: refusedFor, channel, typed };
}

function nonceFor(
  { browserCookies }: CheckoutServices,
  cookies: string | undefined,
  reply: FastifyReply,
): string {
  const known = browserCookies.nonceOf(cookies);
  if (known !== null) return known;
  const { nonce, cookie } = browserCookies.recognise();
  reply.header('set-cookie', cookie);
  return nonce;
}

/** Always one of the session's own addresses; only the payer's browser takes the transaction id along. */
function wayBack(
  { facts, returnNames, addresses, returnMethod, gatewayReference }: Checkout,
  isPayer: boolean,
): ReturnWay {
  const told = isPayer ? facts : { ...facts, transactionId: gatewayReference };
  const parameters = returnParameters(told, returnNames);
  const url = returnAddress(addresses, facts.status);
  switch (returnMethod) {
    case 'GET':
      return { method: 'GET', url: withParameters(url, parameters) };
    case 'POST':
      return { method: 'POST', url, parameters };
    default:
      return returnMethod satisfies never;
  }
}

/** Answers people with a page where programs would get JSON. */
export function answerWithNotices(scope: FastifyInstance, services: CheckoutServices): void {
  scope.setErrorHandler((error: unknown, request, reply) => {
    const refusal = logged(services.log, error, request);
    const notice = noticeOf(refusal);
    const session = sessionOf(request);
    const retryPath = session === null || notice === 'not_found' ? null : `${services.root}/${session}`;
    refuse(refusal, reply).headers(PAGE_HEADERS);
    const html = renderNotice({ language: language(request), notice, retryPath });
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(html);
    return reply.header('content-encoding', 'gzip').send(zipped(html));
  });
}

const NOTICES: Readonly<Partial<Record<ErrorCode, Notice>>> = {
  session_not_found: 'not_found',
  too_many_requests: 'too_many_requests',
  body_too_large: 'upload_too_large',
};

function noticeOf(refusal: KashboxError): Notice {
  return NOTICES[refusal.code] ?? (refusal.status >= 500 ? 'unavailable' : 'form_refused');
}
