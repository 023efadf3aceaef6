/** One sent form of the checkout page: whose payment it is, whether it is ours, and how it is answered. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Checkout, type Given, readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Problem } from '../../checkout/page.js';
import { type Fields, type Form, readForm } from './form.js';
import { type CheckoutServices, checkoutOf, sendCheckout, sessionOf } from './services.js';

/** Longer than any SMS; what a customer pastes beyond it holds no id. */
export const MAX_TYPED = 4_000;
/** For a payment with too many wrong ids: waiting does not help, so the delay is long. */
const RETRY_ATTEMPTS_S = 60;

/** One form that somebody has sent, and whose payment its address names. */
export interface Sent {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: string;
  readonly fields: Fields;
  readonly slip: Form['slip'];
}

/** @throws KashboxError `session_not_found`, `unsupported_media_type`, `invalid_input` */
export async function readSent(request: FastifyRequest, reply: FastifyReply): Promise<Sent> {
  return { request, reply, session: knownSession(request), ...(await readForm(request)) };
}

export function knownSession(request: FastifyRequest): string {
  const session = sessionOf(request);
  if (session === null) throw new KashboxError('session_not_found');
  return session;
}

/** False for a form that was made for another browser or payment, or for one that sends no cookie. */
export function isTokenOf({ browserCookies }: CheckoutServices, { request, session, fields }: Sent): boolean {
  const nonce = browserCookies.nonceOf(request.headers.cookie);
  return nonce !== null && browserCookies.isToken(fields.get('token') ?? '', nonce, session);
}

/**
 * Nothing changes. The page is shown again with a valid token and the typed text; without a form it shows
 * only the status.
 */
export async function refuseStale(
  services: CheckoutServices,
  sent: Sent,
  problem: Problem | null,
): Promise<FastifyReply> {
  await services.limits.countCheckoutFailure(sent.request);
  const checkout = await readCheckout(services.core, sent.session);
  if (checkout === null) throw new KashboxError('form_refused');
  const isShown =
    problem !== null &&
    checkout.state !== 'review' &&
    checkout.methods.some(({ channel }) => channel === problem.channel);
  sent.reply.code(403);
  return showAgain(services, sent, checkout, isShown ? problem : null);
}

export function toPage(services: CheckoutServices, { reply, session }: Sent, isOver: boolean): FastifyReply {
  return reply.redirect(`${services.root}/${session}${isOver ? '?now=1' : ''}`, 303);
}

export function remember(
  { browserCookies, root }: CheckoutServices,
  { request, reply, session }: Sent,
  claimed: Given | null,
) {
  if (claimed === null) return;
  const { cookie } = request.headers;
  reply.header('set-cookie', browserCookies.claimCookie(cookie, session, claimed, `${root}/${session}`));
}

/**
 * The page once more, with what is wrong beside its field and what was typed in it.
 * @param retryAfterS seconds after which it may go otherwise, for 429; null where that is not about time.
 */
export async function withProblem(
  services: CheckoutServices,
  sent: Sent,
  problem: Problem,
  retryAfterS = problem.kind === 'too_many_attempts' ? RETRY_ATTEMPTS_S : null,
): Promise<FastifyReply> {
  const checkout = await checkoutOf(services, sent.request);
  if (retryAfterS === null) sent.reply.code(422);
  else sent.reply.code(429).header('retry-after', String(retryAfterS));
  return showAgain(services, sent, checkout, problem);
}

/** What was typed comes without what no page may hold, and no longer than a field takes. */
function showAgain(
  services: CheckoutServices,
  { request, reply }: Sent,
  checkout: Checkout,
  problem: Problem | null,
) {
  const typed = problem?.typed.slice(0, MAX_TYPED).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '') ?? '';
  return sendCheckout(services, request, reply, checkout, {
    isFresh: false,
    isLate: false,
    problem: problem === null ? null : { ...problem, typed },
  });
}
