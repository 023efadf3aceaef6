/**
 * The forms of the checkout page: claim a payment, show a bank transfer, cancel. Each calls one action. A
 * change is answered with 303 to the page, anything else with the page itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { type CheckoutClaimed, claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { type Checkout, readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { BANK, type Channel, isChannel } from '../../../src/domain/accounts/channels.js';
import { readBankReference } from '../../../src/domain/matching/reference.js';
import { type Claimed, isOwnForm } from '../../checkout/browser-cookies.js';
import type { Problem } from '../../checkout/page.js';
import { giveTime } from '../server.js';
import { acceptForms, acceptUploads, type Fields, type Form, MAX_UPLOAD_BYTES, readForm } from './form.js';
import { type CheckoutServices, checkoutOf, refuseForm, sendCheckout, sessionOf } from './services.js';
import { openUploadSlots } from './upload-slots.js';

/** Longer than any SMS; what a customer pastes beyond it holds no id. */
const MAX_TYPED = 4_000;
/** A slip over a slow mobile network; other requests have 10 s. */
const UPLOAD_MS = 90_000;
const RETRY_UPLOAD_S = 5;
/** For a payment with too many wrong ids: waiting does not help, so the delay is long. */
const RETRY_ATTEMPTS_S = 60;

/** One form that somebody has sent, and whose payment its address names. */
interface Sent {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: string;
  readonly fields: Fields;
  readonly slip: Form['slip'];
}

/** @throws KashboxError `session_not_found`, `unsupported_media_type`, `invalid_input` */
async function readSent(request: FastifyRequest, reply: FastifyReply): Promise<Sent> {
  return { request, reply, session: knownSession(request), ...(await readForm(request)) };
}

export function plainForms(scope: FastifyInstance, services: CheckoutServices): void {
  acceptForms(scope);
  scope.addHook('onRequest', (request) => checkSender(services, request));
  scope.post('/:ref/claim', async (request, reply) => {
    const sent = await readSent(request, reply);
    const channel = methodOf(sent.fields);
    const typed = sent.fields.get('transaction_id') ?? '';
    return isTokenOf(services, sent)
      ? claim(services, sent, channel, typed)
      : refuseStale(services, sent, { kind: 'stale_form', channel: channel ?? '', typed });
  });
  scope.post('/:ref/cancel', async (request, reply) => {
    const sent = await readSent(request, reply);
    if (!isTokenOf(services, sent)) return refuseStale(services, sent, null);
    return toPage(services, sent, await cancelSession(services.core, sent.session));
  });
}

export async function uploadForms(scope: FastifyInstance, services: CheckoutServices): Promise<void> {
  await acceptUploads(scope);
  const takeSlot = openUploadSlots();
  scope.addHook('onRequest', async (request, reply) => {
    await checkSender(services, request);
    const { headers, raw } = request;
    // Browsers always say how long a form is.
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(length <= MAX_UPLOAD_BYTES)) throw new KashboxError('body_too_large');
    // Uploads need an existing payment.
    if ((await readCheckout(services.core, knownSession(request))) === null)
      await refuseForm(services, request);
    if (!takeSlot(request, reply)) {
      throw new KashboxError('too_many_requests', { retryAfterSeconds: RETRY_UPLOAD_S });
    }
    giveTime(raw, UPLOAD_MS);
  });
  scope.post('/:ref/bank', async (request, reply) => {
    const sent = await readSent(request, reply);
    const typed = sent.fields.get('reference') ?? '';
    return isTokenOf(services, sent)
      ? bank(services, sent, typed)
      : refuseStale(services, sent, { kind: 'stale_upload', channel: BANK, typed });
  });
}

/** Before the body is read: a form must not come from another site. */
async function checkSender(services: CheckoutServices, request: FastifyRequest): Promise<void> {
  await services.limits.countUse(request);
  const { headers } = request;
  const hosts = [request.host, services.core.settings.publicUrl.replace('https://', '')];
  if (!isOwnForm(headers, hosts)) await refuseForm(services, request);
}

function knownSession(request: FastifyRequest): string {
  const session = sessionOf(request);
  if (session === null) throw new KashboxError('session_not_found');
  return session;
}

/** False for a form that was made for another browser or payment, or for one that sends no cookie. */
function isTokenOf({ browserCookies }: CheckoutServices, { request, session, fields }: Sent): boolean {
  const nonce = browserCookies.nonceOf(request.headers.cookie);
  return nonce !== null && browserCookies.isToken(fields.get('token') ?? '', nonce, session);
}

/**
 * Nothing changes. The page is shown again with a valid token and the typed text; without a form it shows
 * only the status.
 */
async function refuseStale(
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

function toPage(services: CheckoutServices, { reply, session }: Sent, isOver: boolean): FastifyReply {
  return reply.redirect(`${services.root}/${session}${isOver ? '?now=1' : ''}`, 303);
}

function methodOf(fields: Fields): Channel | null {
  const method = fields.get('method');
  return isChannel(method) ? method : null;
}

async function claim(
  services: CheckoutServices,
  sent: Sent,
  method: Channel | null,
  typed: string,
): Promise<FastifyReply> {
  const { core, limits } = services;
  const channel = method ?? '';
  const claimed: CheckoutClaimed =
    typed.length > MAX_TYPED
      ? { outcome: 'no_reference' }
      : await claimCheckout(core, { sessionId: sent.session, channel: method, text: typed });
  switch (claimed.outcome) {
    case 'completed':
    case 'under_review':
      remember(services, sent, claimed.claimed);
      return toPage(services, sent, true);
    case 'waiting':
      remember(services, sent, claimed.claimed);
      // Not known yet: whether the id is a guess.
      await limits.countCheckoutFailure(sent.request);
      return toPage(services, sent, false);
    case 'over':
      return toPage(services, sent, false);
    case 'disagrees':
      await limits.countCheckoutFailure(sent.request);
      return withProblem(services, sent, { kind: 'disagrees', about: claimed.about, channel, typed });
    case 'already_credited':
      await limits.countCheckoutFailure(sent.request);
      return withProblem(services, sent, { kind: claimed.outcome, channel, typed });
    case 'no_reference':
    case 'several_references':
    case 'too_many_attempts':
    case 'ask_full_number':
    case 'method_unavailable':
      return withProblem(services, sent, { kind: claimed.outcome, channel, typed });
    default:
      return claimed satisfies never;
  }
}

async function bank(services: CheckoutServices, sent: Sent, typed: string): Promise<FastifyReply> {
  const outcome =
    sent.slip === 'too_large' ? 'slip_too_large' : await transfer(services, sent.session, typed, sent.slip);
  switch (outcome) {
    case 'completed':
    case 'under_review':
      remember(services, sent, transferOf(typed));
      return toPage(services, sent, true);
    case 'over':
      return toPage(services, sent, false);
    case 'no_reference':
    case 'slip_unreadable':
    case 'slip_too_large':
    case 'too_many_attempts':
    case 'method_unavailable':
      return withProblem(services, sent, { kind: outcome, channel: BANK, typed });
    default:
      return outcome satisfies never;
  }
}

async function transfer(
  { core, log }: CheckoutServices,
  sessionId: string,
  text: string,
  slip: Buffer | null,
) {
  const claimed = await claimBankTransfer(core, { sessionId, text, slip });
  if (claimed.outcome === 'under_review' && claimed.slip === 'room_ended') {
    const facts = { alert: 'slips.full', brand: claimed.brand };
    log.warn(facts, 'room for slips of this day is used up, claims stand without them');
  }
  return claimed.outcome;
}

/** The transfer as it is stored, so that the cookie proves exactly this one. */
function transferOf(typed: string): Claimed | null {
  const reference = readBankReference(typed);
  return reference === null ? null : { channel: BANK, reference };
}

function remember(
  { browserCookies, root }: CheckoutServices,
  { request, reply, session }: Sent,
  claimed: Claimed | null,
) {
  if (claimed === null) return;
  const { cookie } = request.headers;
  reply.header('set-cookie', browserCookies.claimCookie(cookie, session, claimed, `${root}/${session}`));
}

/** The page once more, with what is wrong beside its field and what was typed in it. */
async function withProblem(services: CheckoutServices, sent: Sent, problem: Problem): Promise<FastifyReply> {
  const checkout = await checkoutOf(services, sent.request);
  if (problem.kind !== 'too_many_attempts') sent.reply.code(422);
  else sent.reply.code(429).header('retry-after', String(RETRY_ATTEMPTS_S));
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
