/**
 * What the routes of the checkout page share: whose link it is, which headers a page has, and how a page, a
 * notice or a refusal is answered. Knows requests; words and markup are the view's.
 */
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { type Checkout, readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { type ErrorCode, KashboxError } from '../../../src/base/errors/errors.js';
import type { Log } from '../../../src/base/io/log.js';
import { returnAddress, returnParameters, withParameters } from '../../../src/domain/sessions/redirect.js';
import { SCRIPT, STYLE_HASH } from '../../checkout/assets.js';
import type { CheckoutPage, Language, Notice, Problem, ReturnWay } from '../../checkout/page.js';
import { pressPage } from '../../checkout/pressed.js';
import { renderCheckout, renderNotice } from '../../checkout/view.js';
import { languageCookie, languageOf, openVisitors, type Visitors } from '../../checkout/visitor.js';
import type { WaitingRoom } from '../../checkout/waiting.js';
import { logged, refuse } from '../errors.js';
import type { Limits } from '../gates/limits.js';
import { takesGzip } from '../input/accept-encoding.js';

export interface Desk {
  readonly core: Core;
  readonly log: Log;
  readonly limits: Limits;
  readonly visitors: Visitors;
  readonly room: WaitingRoom;
  /** Path of all checkout pages, without a slash at its end. */
  readonly root: string;
}

export type SessionRequest = FastifyRequest<{ Params: { readonly ref: string } }>;

export function openDesk(core: Core, log: Log, limits: Limits, room: WaitingRoom): Desk {
  const root = `${core.settings.basePath}/api/execute`;
  return { core, log, limits, room, root, visitors: openVisitors(core.secrets, core.random) };
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
 * operator's machine, and a browser that has seen it lets nobody past a self-signed certificate.
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

/** Session tokens as `newSessionId` makes them; what looks otherwise is nobody's and is not looked up. */
const SESSION_ID = /^[0-9a-f]{32}$/;
/** Chat apps take what stands behind a link for a part of it, and people write it in capitals. */
const SPOILED_ID = /^([0-9a-f]{32})(?:[^0-9a-f].*)?$/is;

/** @returns the session that a link names, or null for a text that names none. */
export function sessionOf(request: FastifyRequest): string | null {
  const { ref } = request.params as { readonly ref?: string };
  return ref !== undefined && SESSION_ID.test(ref) ? ref : null;
}

/**
 * @param text what stands in the place of a link's session.
 * @returns the session that it was before it was spoiled, or null; nothing is looked up, so that it tells
 *   nobody which sessions there are.
 */
export function spoiledSession(text: string): string | null {
  const session = SPOILED_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  return session === text ? null : session;
}

/**
 * @returns the payment behind a link.
 * @throws KashboxError `session_not_found`, the same for every wrong link, or `too_many_requests`
 */
export async function checkoutOf(desk: Desk, request: FastifyRequest): Promise<Checkout> {
  const session = sessionOf(request);
  const checkout = session === null ? null : await readCheckout(desk.core, session);
  if (checkout !== null) return checkout;
  await desk.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** @throws KashboxError `form_refused`, or `too_many_requests` for an address that sends many such forms */
export async function refuseForm(desk: Desk, request: FastifyRequest): Promise<never> {
  await desk.limits.countCheckoutFailure(request);
  throw new KashboxError('form_refused');
}

function language(request: FastifyRequest): Language {
  return languageOf((request.query as { readonly lang?: unknown }).lang, request.headers);
}

/** Level 1: a higher one takes half as long again for a few bytes less. */
function zipped(html: string): Buffer {
  return gzipSync(html, { level: 1 });
}

export interface Shown {
  /** The customer has just finished. */
  readonly isFresh: boolean;
  /** A customer who has paid wants the form: after the time is over, or to correct a waiting id. */
  readonly isLate: boolean;
  readonly problem: Problem | null;
}

/** Answers with the page of a payment as this visitor may see it. */
export function sendCheckout(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  checkout: Checkout,
  shown: Shown,
): FastifyReply {
  const { visitors, root } = desk;
  const { cookie } = request.headers;
  const wants = language(request);
  if ((request.query as { readonly lang?: unknown }).lang === wants) {
    reply.header('set-cookie', languageCookie(wants, root));
  }
  const isPayer = checkout.payerGave.some((given) => visitors.hasClaimed(cookie, checkout.id, given));
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
    token: visitors.token(nonceFor(desk, cookie, reply), checkout.id),
    problem: shown.problem ?? (isPayer ? refusalOf(checkout) : null),
    now: desk.core.clock.now(),
    path: `${root}/${checkout.id}`,
    back,
    scriptPath: `${root}/assets/${SCRIPT.name}`,
  };
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(renderCheckout(page));
  return reply.header('content-encoding', 'gzip').send(pressPage(page) ?? zipped(renderCheckout(page)));
}

/** Where the form is shown to those alone who say that they have sent money. */
function takesLate({ state, isSuspended }: Checkout): boolean {
  return ['expired', 'cancelled', 'waiting'].includes(state) || (state === 'open' && isSuspended);
}

/** What came in while the page waited may not be what was asked for. */
function refusalOf({ state, claim }: Checkout): Problem | null {
  if (state !== 'open' || claim === null || claim.refusedFor === null) return null;
  const { channel, reference: typed, refusedFor } = claim;
  if (refusedFor === 'already_credited') return { kind: refusedFor, channel, typed };
  return { kind: 'disagrees', about: refusedFor, channel, typed };
}

function nonceFor({ visitors }: Desk, cookies: string | undefined, reply: FastifyReply): string {
  const known = visitors.nonceOf(cookies);
  if (known !== null) return known;
  const { nonce, cookie } = visitors.welcome();
  reply.header('set-cookie', cookie);
  return nonce;
}

/** Only ever one of the session's own addresses; who did not pay takes no transaction id along. */
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
export function answerWithNotices(scope: FastifyInstance, desk: Desk): void {
  scope.setErrorHandler((error: unknown, request, reply) => {
    const refusal = logged(desk.log, error, request);
    const notice = noticeOf(refusal);
    const session = sessionOf(request);
    const retryPath = session === null || notice === 'not_found' ? null : `${desk.root}/${session}`;
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
