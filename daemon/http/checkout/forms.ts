/**
 * The forms of the checkout page: claim, show a bank transfer, play a test, cancel. Each calls one action. A
 * change is answered with 303 to the page, anything else with the page itself.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BankClaimed, claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import {
  type CheckoutClaimed,
  claimCheckout,
  parseClaim,
} from '../../../src/actions/claims/claim-checkout.js';
import { sendToSeller } from '../../../src/actions/claims/send-to-seller.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import type { PayerProof } from '../../../src/actions/sessions/load-checkout.js';
import { type Checkout, loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { quoteOnDemand } from '../../../src/actions/sessions/quote-session.js';
import { type SimulatedMoney, simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { BANK, type Channel, isChannel, MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { PAGE_SCENARIOS } from '../../../src/domain/accounts/test-accounts.js';
import { parseBankReference } from '../../../src/domain/matching/reference.js';
import type { MfsChannel } from '../../../src/domain/wallets/index.js';
import { giveTime } from '../body-time.js';
import { clientAddress } from '../gates/limits.js';
import {
  acceptForms,
  acceptUploads,
  type FormFields,
  hasValidToken,
  knownSession,
  MAX_TYPED,
  MAX_UPLOAD_BYTES,
  readSentForm,
  refuseStale,
  remember,
  type SentForm,
  toPage,
  withProblem,
} from './form.js';
import { checkSender, refuseForm } from './page-answers.js';
import type { CheckoutServices } from './services.js';

/**
 * Limits for a slip over the slowest mobile network, which may stall for half a minute between two cells;
 * other requests have 10 s.
 */
const UPLOAD_TIME = { mostMs: 900_000, partMs: 30_000, partBytes: 8 * 1024 };
const RETRY_UPLOAD_S = 5;

export function plainForms(scope: FastifyInstance, services: CheckoutServices): void {
  acceptForms(scope);
  scope.addHook('onRequest', (request) => checkSender(services, request));
  scope.post('/:ref/claim', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    const channel = methodOf(sent.fields);
    const typed = sent.fields.get('transaction_id') ?? '';
    return hasValidToken(services, sent)
      ? claim(services, sent, channel, typed)
      : refuseStale(services, sent, { kind: 'stale_form', ...shownIn(sent, channel), typed });
  });
  scope.post('/:ref/ask', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    return hasValidToken(services, sent) ? requestReview(services, sent) : refuseStale(services, sent, null);
  });
  scope.post('/:ref/quote', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    return hasValidToken(services, sent) ? quote(services, sent) : refuseStale(services, sent, null);
  });
  scope.post('/:ref/play', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    return hasValidToken(services, sent) ? play(services, sent) : refuseStale(services, sent, null);
  });
  scope.post('/:ref/cancel', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    if (!hasValidToken(services, sent)) return refuseStale(services, sent, null);
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
    if ((await loadCheckout(services.core, knownSession(request))) === null)
      await refuseForm(services, request);
    if (!takeSlot(request, reply)) {
      throw new KashboxError('too_many_requests', { retryAfterSeconds: RETRY_UPLOAD_S });
    }
    giveTime(raw, UPLOAD_TIME);
  });
  scope.post('/:ref/bank', async (request, reply) => {
    const sent = await readSentForm(request, reply);
    const typed = sent.fields.get('reference') ?? '';
    return hasValidToken(services, sent)
      ? bank(services, sent, typed)
      : refuseStale(services, sent, { kind: 'stale_upload', channel: BANK, typed });
  });
}

/** @returns the card that shows a problem with the form. */
function shownIn({ fields }: SentForm, channel: Channel | null) {
  return { channel: channel ?? '', isByCode: fields.get('by') === 'code' } as const;
}

function methodOf(fields: FormFields): Channel | null {
  const method = fields.get('method');
  return isChannel(method) ? method : null;
}

async function claim(
  services: CheckoutServices,
  sent: SentForm,
  method: Channel | null,
  typed: string,
): Promise<FastifyReply> {
  const { core, limits } = services;
  const card = shownIn(sent, method);
  const claimed: CheckoutClaimed =
    typed.length > MAX_TYPED
      ? { outcome: 'no_reference' }
      : await claimCheckout(core, {
          ...{ sessionId: sent.session, channel: method, text: typed },
          isByCode: card.isByCode,
          addressMark: services.addressMarkOf(sent.request),
        });
  switch (claimed.outcome) {
    case 'completed':
    case 'part':
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
      remember(services, sent, givenIn(await loadCheckout(core, sent.session), method, typed, card.isByCode));
      await limits.countCheckoutFailure(sent.request);
      return withProblem(services, sent, { kind: 'disagrees', about: claimed.about, ...card, typed });
    case 'already_credited':
      remember(services, sent, givenIn(await loadCheckout(core, sent.session), method, typed, card.isByCode));
      await limits.countCheckoutFailure(sent.request);
      return withProblem(services, sent, { kind: claimed.outcome, ...card, typed });
    case 'over_budget':
      return withProblem(services, sent, { kind: claimed.outcome, ...card, typed }, claimed.retryAfterS);
    case 'is_pin':
      // Nor does the page say it again.
      return withProblem(services, sent, { kind: claimed.outcome, ...card, typed: '' });
    case 'no_reference':
    case 'several_references':
    case 'is_phone':
    case 'is_amount':
    case 'too_many_attempts':
    case 'ask_full_number':
    case 'method_unavailable':
      return withProblem(services, sent, { kind: claimed.outcome, ...card, typed });
    default:
      return claimed satisfies never;
  }
}

/** @returns what a form claims, in stored form; null where that is nothing. */
function givenIn(
  checkout: Checkout | null,
  channel: Channel | null,
  typed: string,
  isByCode: boolean,
): PayerProof | null {
  const named = checkout && parseClaim(checkout, channel, typed, isByCode);
  return named === null || 'outcome' in named ? null : named;
}

/** Accepts it only from the browser that entered the id or the payer's; others with the link only view. */
async function requestReview(services: CheckoutServices, sent: SentForm): Promise<FastifyReply> {
  const channel = methodOf(sent.fields);
  const typed = (sent.fields.get('transaction_id') ?? '').slice(0, MAX_TYPED);
  const checkout = await loadCheckout(services.core, sent.session);
  const { isByCode } = shownIn(sent, channel);
  const given = givenIn(checkout, channel, typed, isByCode);
  const { cookie } = sent.request.headers;
  const known = given === null ? [] : [given, ...(checkout?.payerGave ?? [])];
  if (!known.some((one) => services.browserCookies.hasClaimed(cookie, sent.session, one))) {
    return toPage(services, sent, false);
  }
  const note = (sent.fields.get('note') ?? '').slice(0, MAX_TYPED);
  const addressMark = services.addressMarkOf(sent.request);
  const question = { sessionId: sent.session, channel, text: typed, isByCode, note, addressMark };
  const asked = await sendToSeller(services.core, question);
  switch (asked.outcome) {
    case 'under_review':
      remember(services, sent, asked.claimed);
      return toPage(services, sent, true);
    case 'completed':
      return toPage(services, sent, true);
    case 'too_early':
    case 'over':
      return toPage(services, sent, false);
    case 'too_many_attempts':
      return withProblem(services, sent, { kind: asked.outcome, channel: channel ?? '', typed });
    case 'over_budget': {
      const problem = { kind: asked.outcome, channel: channel ?? '', typed } as const;
      return withProblem(services, sent, problem, asked.retryAfterS);
    }
    default:
      return asked satisfies never;
  }
}

/** Opens the card of USDT of a link's payment. */
async function quote(services: CheckoutServices, sent: SentForm): Promise<FastifyReply> {
  const channel = methodOf(sent.fields);
  if (channel === null) return toPage(services, sent, false);
  const addressMark = services.addressMarkOf(sent.request);
  const quoted = await quoteOnDemand(services.core, { sessionId: sent.session, channel, addressMark });
  switch (quoted.outcome) {
    case 'quoted':
    case 'over':
      return toPage(services, sent, false);
    case 'method_unavailable':
      return withProblem(services, sent, { kind: quoted.outcome, channel, typed: '' });
    case 'over_budget':
      return withProblem(services, sent, { kind: 'sold_out', channel, typed: '' }, quoted.retryAfterS);
    default:
      return quoted satisfies never;
  }
}

async function play(services: CheckoutServices, sent: SentForm): Promise<FastifyReply> {
  const played = await playForm(services, sent.session, sent.fields);
  switch (played.outcome) {
    case 'played': {
      const { channel, transaction_id: reference, outcome } = played.played;
      remember(services, sent, { channel, reference });
      return toPage(services, sent, outcome === 'completed' || outcome === 'under_review');
    }
    case 'over':
      return toPage(services, sent, true);
    case 'method_unavailable':
    case 'too_many_attempts':
      return withProblem(services, sent, { kind: played.outcome, channel: played.channel, typed: '' });
    case 'plays_used_up': {
      const problem = { kind: played.outcome, channel: played.channel, typed: '' } as const;
      return withProblem(services, sent, problem, played.retryAfterS);
    }
    case 'refused':
      return refuseForm(services, sent.request);
    default:
      return played satisfies never;
  }
}

async function bank(services: CheckoutServices, sent: SentForm, typed: string): Promise<FastifyReply> {
  const { slip } = sent;
  const claimed =
    slip === 'too_large'
      ? ({ outcome: 'slip_too_large' } as const)
      : await transfer(services, sent, { text: typed, slip });
  const { outcome } = claimed;
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
    case 'over_budget':
      return withProblem(services, sent, { kind: outcome, channel: BANK, typed }, claimed.retryAfterS);
    default:
      return outcome satisfies never;
  }
}

async function transfer(
  { core, log, addressMarkOf }: CheckoutServices,
  { session: sessionId, request }: SentForm,
  given: { readonly text: string; readonly slip: Buffer | null },
): Promise<BankClaimed> {
  const addressMark = addressMarkOf(request);
  const claimed = await claimBankTransfer(core, { sessionId, addressMark, ...given });
  if (claimed.outcome === 'under_review' && claimed.slip === 'room_ended') {
    const facts = { alert: 'slips.full', brand: claimed.brand };
    log.warn(facts, 'room for slips of this day is used up, claims stand without them');
  }
  return claimed;
}

/** The transfer as it is stored, so that the cookie proves exactly this one. */
function transferOf(typed: string): PayerProof | null {
  const reference = parseBankReference(typed);
  return reference === null ? null : { channel: BANK, reference };
}

type PlayedForm =
  | { readonly outcome: 'played'; readonly played: SimulatedMoney }
  /** Payment that is completed, perhaps just before: a form may arrive twice. */
  | { readonly outcome: 'over' }
  | { readonly outcome: 'method_unavailable' | 'too_many_attempts'; readonly channel: MfsChannel }
  /** Daily limit of simulated payments is reached. */
  | { readonly outcome: 'plays_used_up'; readonly channel: MfsChannel; readonly retryAfterS: number }
  /** Payment or method that cannot be simulated. */
  | { readonly outcome: 'refused' };

const WHO = 'checkout page';

/** @throws KashboxError `store_…` */
async function playForm(
  { core }: CheckoutServices,
  session: string,
  fields: FormFields,
): Promise<PlayedForm> {
  const channel = MFS_CHANNELS.find((one) => one === fields.get('method'));
  const play = PAGE_SCENARIOS.find((one) => one === (fields.get('as') ?? 'exact'));
  const checkout = await loadCheckout(core, session);
  if (checkout === null || !checkout.isTest || checkout.isSuspended) return { outcome: 'refused' };
  if (channel === undefined || play === undefined) return { outcome: 'refused' };
  try {
    return {
      outcome: 'played',
      played: await simulatePayment(core, { payment: session, channel, play, who: WHO }),
    };
  } catch (error) {
    if (isKashboxError(error, 'session_completed')) return { outcome: 'over' };
    if (isKashboxError(error, 'method_unavailable')) return { outcome: 'method_unavailable', channel };
    if (isKashboxError(error, 'too_many_attempts')) return { outcome: 'too_many_attempts', channel };
    if (isKashboxError(error, 'day_limit_reached')) {
      return { outcome: 'plays_used_up', channel, retryAfterS: error.retryAfterSeconds ?? 0 };
    }
    if (isKashboxError(error, 'state_refused')) return { outcome: 'refused' };
    throw error;
  }
}

/** Each up to 2 MiB in memory. */
const MAX_UPLOADS = 32;
/** One address must not take all slots; more than one, because phones of a mobile network share addresses. */
const MAX_OF_ADDRESS = 8;

interface Upload {
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Polled: Node does not report the end of a connection for an answer that is queued after another one, so its
 * slot would never be freed.
 */
function isUnderWay({ request, response }: Upload): boolean {
  return !request.socket.destroyed && !response.writableFinished;
}

/**
 * @returns a function that takes a slot for an upload until it is answered or aborted; false if none is free.
 */
function openUploadSlots(): (request: FastifyRequest, reply: FastifyReply) => boolean {
  let uploads: Upload[] = [];
  return (request, reply) => {
    uploads = uploads.filter(isUnderWay);
    const address = clientAddress(request);
    const sameAddress = uploads.filter((upload) => upload.address === address);
    if (uploads.length >= MAX_UPLOADS || sameAddress.length >= MAX_OF_ADDRESS) return false;
    uploads.push({ address, request: request.raw, response: reply.raw });
    return true;
  };
}
