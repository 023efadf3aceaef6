/**
 * Shared by the routes of the checkout page: finding the session of a link, and answering with its page.
 * Texts and markup are in the view.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Checkout, loadCheckout, type PayerProof } from '../../../src/actions/sessions/load-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import {
  returnAddress,
  returnParameters,
  withoutParameters,
  withParameters,
} from '../../../src/domain/sessions/redirect.js';
import { openBrowserCookies, paidCookie } from '../../checkout/browser-cookies.js';
import { brandStyle } from '../../checkout/look.js';
import { type CheckoutPage, isLive, type Problem, type ReturnWay } from '../../checkout/page.js';
import type { PageSubscribers } from '../../checkout/page-subscribers.js';
import { isPayerNumber } from '../../checkout/proof-input.js';
import { renderCheckout } from '../../checkout/view.js';
import type { RouteContext } from '../context.js';
import { openAddressMarks } from '../gates/limits.js';
import { keepLanguage, linkPath, nonceFor, PAGE_HEADERS, policyFor, sendHtml } from './page-answers.js';

export type CheckoutServices = ReturnType<typeof openCheckoutServices>;

export function openCheckoutServices(context: RouteContext, pages: PageSubscribers) {
  const { settings, secrets, random } = context.core;
  /** Path of all checkout pages, without a slash at its end. */
  const root = `${settings.basePath}/api/execute`;
  const addressMarkOf = openAddressMarks(secrets);
  return { ...context, pages, root, addressMarkOf, browserCookies: openBrowserCookies(secrets, random) };
}

/** Matches an id with text after it (from chat apps) or in capitals (as people type links). */
const SPOILED_ID = /^([0-9a-f]{32})(?:[^0-9a-f].*)?$/is;

/** @returns the session that a link names, or null. */
export function findSessionId(request: FastifyRequest): string | null {
  const { ref } = request.params as { readonly ref?: string };
  return ref !== undefined && SESSION_ID.test(ref) ? ref : null;
}

/**
 * @param text the part of the path where the session should be.
 * @returns the session without added characters, or null. The store is not queried, so the answer does not
 * reveal which sessions exist.
 */
export function mistypedSession(text: string): string | null {
  const session = SPOILED_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  return session === text ? null : session;
}

/**
 * @returns the payment of a link.
 * @throws KashboxError `session_not_found`, the same for every wrong link, or `too_many_requests`
 */
export async function requireCheckout(
  services: CheckoutServices,
  request: FastifyRequest,
): Promise<Checkout> {
  const session = findSessionId(request);
  const checkout = session === null ? null : await loadCheckout(services.core, session);
  if (checkout !== null) return checkout;
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** Properties of the page that depend on the request; see `CheckoutPage`. */
type ShownAs = Pick<CheckoutPage, 'isFresh' | 'isLate' | 'problem'>;

/** Answers with the payment's page, as this browser may see it. */
export function sendCheckout(
  services: CheckoutServices,
  request: FastifyRequest,
  reply: FastifyReply,
  checkout: Checkout,
  shown: ShownAs,
): FastifyReply {
  const { browserCookies, root } = services;
  const { cookie } = request.headers;
  const wants = keepLanguage(request, reply, root);
  const isPayer = checkout.payerGave.some((given) => browserCookies.hasClaimed(cookie, checkout.id, given));
  rememberReference(services, cookie, checkout, reply);
  const back = isLive(checkout) ? null : wayBack(services, checkout, isPayer);
  reply.headers(PAGE_HEADERS);
  const look = brandStyle(checkout.look);
  if (back?.method === 'POST' || look !== null) {
    reply.header('content-security-policy', policyFor(look, back?.method === 'POST' ? back.url : null));
  }
  const isNews = isFirstSight(services, cookie, checkout, isPayer, reply);
  const page: CheckoutPage = {
    language: wants,
    checkout,
    isPayer,
    isFresh: (!isLive(checkout) && shown.isFresh) || isNews,
    isLate: (shown.isLate || shown.problem !== null) && takesLate(checkout),
    token: browserCookies.token(nonceFor(services, cookie, reply), checkout.id),
    problem: shown.problem ?? (isPayer ? refusalOf(checkout) : null),
    now: services.core.clock.now(),
    base: services.core.settings.basePath,
    origin: services.core.settings.publicUrl || null,
    path: `${root}/${checkout.id}`,
    back,
  };
  return sendHtml(request, reply, renderCheckout(page));
}

/** Time after the credit in which a payment is news to its payer, in ms. */
const NEWS_MS = 1_800_000;
const SUCCESS_SEEN: PayerProof = { channel: 'seen', reference: 'completed' };

/**
 * True if the payer's browser is shown a recent success for the first time. Phones discard a page while its
 * customer pays in the wallet's app: coming back is then a reload, and the first time that this browser
 * learns of the success. Cookies remember that, and which payment paid a link here.
 */
function isFirstSight(
  { browserCookies, root, core }: CheckoutServices,
  cookies: string | undefined,
  { id, paid, link }: Checkout,
  isPayer: boolean,
  reply: FastifyReply,
): boolean {
  if (!isPayer || paid === null || browserCookies.hasClaimed(cookies, id, SUCCESS_SEEN)) return false;
  reply.header('set-cookie', browserCookies.claimCookie(cookies, id, SUCCESS_SEEN, `${root}/${id}`));
  if (link !== null) reply.header('set-cookie', paidCookie(id, linkPath(core.settings, link.id)));
  return core.clock.now() - paid.at < NEWS_MS;
}

/** Stores the reference shown to this browser: the only way to recognise customers who type nothing. */
function rememberReference(
  { browserCookies, root }: CheckoutServices,
  cookies: string | undefined,
  { id, state, paymentReference }: Checkout,
  reply: FastifyReply,
): void {
  if (state !== 'open' || paymentReference === null) return;
  const shown: PayerProof = { channel: 'payment_reference', reference: paymentReference };
  if (browserCookies.hasClaimed(cookies, id, shown)) return;
  reply.header('set-cookie', browserCookies.claimCookie(cookies, id, shown, `${root}/${id}`));
}

/** True in states in which only customers who say that they have paid see the form. */
function takesLate({ state, isAsked, isSuspended }: Checkout): boolean {
  return ['expired', 'cancelled', 'waiting'].includes(state) || isAsked || (state === 'open' && isSuspended);
}

/** The state may have changed while the page waited. */
function refusalOf({ state, claim }: Checkout): Problem | null {
  if (state !== 'open' || claim === null || claim.refusedFor === null) return null;
  const { channel, reference: typed, refusedFor, camePaisa } = claim;
  const isByCode = isPayerNumber(channel, typed);
  if (refusedFor === 'already_credited') return { kind: refusedFor, channel, isByCode, typed };
  return { kind: 'disagrees', about: refusedFor, channel, isByCode, typed, camePaisa };
}

/**
 * Always one of the session's own addresses, or the link that has opened it; only the payer's browser takes
 * the transaction id along.
 */
function wayBack(
  { core }: CheckoutServices,
  { facts, state, link, returnNames, addresses, returnMethod, gatewayReference, isTest }: Checkout,
  isPayer: boolean,
): ReturnWay | null {
  if (addresses === null) {
    const isOver = state === 'cancelled' || state === 'expired';
    return isOver && link !== null ? { method: 'AGAIN', url: linkPath(core.settings, link.id) } : null;
  }
  const told = isPayer ? facts : { ...facts, transactionId: gatewayReference };
  const parameters = returnParameters(told, { otherNames: returnNames, isTest });
  const url = returnAddress(addresses, facts.status);
  switch (returnMethod) {
    case 'GET':
      return { method: 'GET', url: withParameters(url, parameters) };
    case 'POST':
      return { method: 'POST', url: withoutParameters(url, parameters), parameters };
    default:
      return returnMethod satisfies never;
  }
}

/** @returns the page of the payment that a request names, for another try. */
export function findPagePath(services: CheckoutServices, request: FastifyRequest): string | null {
  const session = findSessionId(request);
  return session === null ? null : `${services.root}/${session}`;
}
