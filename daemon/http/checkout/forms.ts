/**
 * What a customer does on the checkout page: claims a payment, shows a bank transfer, or gives up. Each form
 * calls one action; what changed something is answered by 303 to the page, what did not by the page itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BankClaimed, claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { type CheckoutClaimed, claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { BANK } from '../../../src/domain/accounts/channels.js';
import { readBankReference } from '../../../src/domain/matching/reference.js';
import type { Problem } from '../../checkout/page.js';
import { type Claimed, isOwnForm } from '../../checkout/visitor.js';
import { giveTime } from '../server.js';
import { checkoutOf, type Desk, refuseForm, sendCheckout, sessionOf } from './desk.js';
import { acceptForms, acceptUploads, type Fields, MAX_UPLOAD_BYTES, readForm } from './form.js';
import { openUploadPlaces } from './upload-places.js';

/** Longer than any SMS; what a customer pastes beyond it holds no id. */
const MAX_TYPED = 4_000;
/** A slip over a slow mobile network; other requests have 10 s. */
const UPLOAD_MS = 90_000;
const RETRY_UPLOAD_S = 5;
/** For a payment with too many wrong ids: time alone does not help, so that nobody should hurry back. */
const RETRY_ATTEMPTS_S = 60;

export function plainForms(scope: FastifyInstance, desk: Desk): void {
  acceptForms(scope);
  scope.addHook('onRequest', (request) => checkSender(desk, request));
  scope.post('/:ref/claim', async (request, reply) => {
    const session = knownSession(request);
    const { fields } = await readForm(request);
    if (!isTokenOf(desk, request, session, fields)) {
      return refuseStale(desk, request, reply, {
        kind: 'stale_form',
        channel: fields.get('method') ?? '',
        typed: fields.get('transaction_id') ?? '',
      });
    }
    return claim(desk, request, reply, session, fields);
  });
  scope.post('/:ref/cancel', async (request, reply) => {
    const session = knownSession(request);
    const { fields } = await readForm(request);
    if (!isTokenOf(desk, request, session, fields)) return refuseStale(desk, request, reply, null);
    const isCancelled = await cancelSession(desk.core, session);
    return toPage(desk, reply, session, isCancelled);
  });
}

export async function uploadForms(scope: FastifyInstance, desk: Desk): Promise<void> {
  await acceptUploads(scope);
  const takePlace = openUploadPlaces();
  scope.addHook('onRequest', async (request, reply) => {
    await checkSender(desk, request);
    const { headers, raw } = request;
    // Browsers always say how long a form is.
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (!(length <= MAX_UPLOAD_BYTES)) throw new KashboxError('body_too_large');
    // Time and memory are for those who have a payment.
    if ((await readCheckout(desk.core, knownSession(request))) === null) await refuseForm(desk, request);
    if (!takePlace(request, reply)) {
      throw new KashboxError('too_many_requests', { retryAfterSeconds: RETRY_UPLOAD_S });
    }
    giveTime(raw, UPLOAD_MS);
  });
  scope.post('/:ref/bank', async (request, reply) => {
    const session = knownSession(request);
    const { fields, slip } = await readForm(request);
    const typed = fields.get('reference') ?? '';
    if (!isTokenOf(desk, request, session, fields)) {
      return refuseStale(desk, request, reply, { kind: 'stale_upload', channel: BANK, typed });
    }
    const claimed = slip === 'too_large' ? 'slip_too_large' : await bank(desk, session, typed, slip);
    return answerBank(desk, request, reply, session, { outcome: claimed, typed });
  });
}

async function bank({ core, log }: Desk, sessionId: string, text: string, slip: Buffer | null) {
  const claimed = await claimBankTransfer(core, { sessionId, text, slip });
  if (claimed.outcome === 'under_review' && claimed.slip === 'room_ended') {
    const { brand } = claimed;
    log.warn(
      { alert: 'slips.full', brand },
      'room for slips of this day is used up, claims stand without them',
    );
  }
  return claimed.outcome;
}

/** Before the body is read: a form must not come from another site. */
async function checkSender(desk: Desk, request: FastifyRequest): Promise<void> {
  await desk.limits.countUse(request);
  const { headers } = request;
  const hosts = [request.host, desk.core.settings.publicUrl.replace('https://', '')];
  if (!isOwnForm(headers, hosts)) await refuseForm(desk, request);
}

function knownSession(request: FastifyRequest): string {
  const session = sessionOf(request);
  if (session === null) throw new KashboxError('session_not_found');
  return session;
}

/** False for a form that was made for another browser or payment, or for one that sends no cookie. */
function isTokenOf(desk: Desk, request: FastifyRequest, session: string, fields: Fields): boolean {
  const nonce = desk.visitors.nonceOf(request.headers.cookie);
  return nonce !== null && desk.visitors.isToken(fields.get('token') ?? '', nonce, session);
}

/**
 * Nothing happens, and the page comes once more with a token that fits and what was typed, since the customer
 * did nothing wrong; where it has no form for it any more, it says how things stand and nothing else.
 */
async function refuseStale(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem | null,
): Promise<FastifyReply> {
  await desk.limits.countCheckoutFailure(request);
  const checkout = await readCheckout(desk.core, knownSession(request));
  if (checkout === null) throw new KashboxError('form_refused');
  const isShown =
    problem !== null &&
    checkout.state !== 'review' &&
    checkout.methods.some(({ channel }) => channel === problem.channel);
  return sendCheckout(desk, request, reply.code(403), checkout, {
    isFresh: false,
    isLate: false,
    problem: isShown ? legible(problem) : null,
  });
}

function toPage(desk: Desk, reply: FastifyReply, session: string, isOver: boolean): FastifyReply {
  return reply.redirect(`${desk.root}/${session}${isOver ? '?now=1' : ''}`, 303);
}

async function claim(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
  fields: Fields,
): Promise<FastifyReply> {
  const channel = fields.get('method') ?? '';
  const typed = fields.get('transaction_id') ?? '';
  const claimed: CheckoutClaimed =
    typed.length > MAX_TYPED
      ? { outcome: 'no_reference' }
      : await claimCheckout(desk.core, { sessionId: session, channel, text: typed });
  switch (claimed.outcome) {
    case 'completed':
    case 'under_review':
      remember(desk, request, reply, session, claimed.claimed);
      return toPage(desk, reply, session, true);
    case 'waiting':
      remember(desk, request, reply, session, claimed.claimed);
      // Whether the id is a guess is not known yet.
      await desk.limits.countCheckoutFailure(request);
      return toPage(desk, reply, session, false);
    case 'over':
      return toPage(desk, reply, session, false);
    case 'disagrees':
      await desk.limits.countCheckoutFailure(request);
      return withProblem(desk, request, reply, { kind: 'disagrees', about: claimed.about, channel, typed });
    case 'already_credited':
      await desk.limits.countCheckoutFailure(request);
      return withProblem(desk, request, reply, { kind: claimed.outcome, channel, typed });
    case 'no_reference':
    case 'several_references':
    case 'too_many_attempts':
    case 'ask_full_number':
    case 'method_unavailable':
      return withProblem(desk, request, reply, { kind: claimed.outcome, channel, typed });
    default:
      return claimed satisfies never;
  }
}

async function answerBank(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
  { outcome, typed }: { readonly outcome: BankClaimed['outcome']; readonly typed: string },
): Promise<FastifyReply> {
  switch (outcome) {
    case 'completed':
    case 'under_review':
      remember(desk, request, reply, session, transferOf(typed));
      return toPage(desk, reply, session, true);
    case 'over':
      return toPage(desk, reply, session, false);
    case 'no_reference':
    case 'slip_unreadable':
    case 'slip_too_large':
    case 'too_many_attempts':
    case 'method_unavailable':
      return withProblem(desk, request, reply, { kind: outcome, channel: BANK, typed });
    default:
      return outcome satisfies never;
  }
}

/** The transfer as it is kept, so that the browser's cookie proves it and no other. */
function transferOf(typed: string): Claimed | null {
  const reference = readBankReference(typed);
  return reference === null ? null : { channel: BANK, reference };
}

function remember(
  { visitors, root }: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
  claimed: Claimed | null,
): void {
  if (claimed === null) return;
  const { cookie } = request.headers;
  reply.header('set-cookie', visitors.claimCookie(cookie, session, claimed, `${root}/${session}`));
}

/** The page once more, with what is wrong beside its field and what was typed in it. */
async function withProblem(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<FastifyReply> {
  const checkout = await checkoutOf(desk, request);
  if (problem.kind === 'too_many_attempts') reply.code(429).header('retry-after', String(RETRY_ATTEMPTS_S));
  else reply.code(422);
  return sendCheckout(desk, request, reply, checkout, {
    isFresh: false,
    isLate: false,
    problem: legible(problem),
  });
}

/** Without what no page may hold, and no more than a field takes. */
function legible(problem: Problem): Problem {
  const typed = problem.typed.slice(0, MAX_TYPED).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '');
  return { ...problem, typed };
}
