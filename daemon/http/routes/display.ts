/**
 * Counter displays: the page with its state, its event stream and its code, and the forms on it. Its address
 * contains a key, with which anyone can open a payment there and cancel the one that it shows, and no more.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import {
  type Display,
  leaveDisplay,
  loadDisplay,
  typeOnDisplay,
} from '../../../src/actions/links/display.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { overBudget } from '../../../src/actions/strangers/use-budget.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { isChannel } from '../../../src/domain/accounts/channels.js';
import { parseTypedPayer } from '../../../src/domain/matching/payer.js';
import { DISPLAY_HASHES } from '../../checkout/assets.js';
import { openBrowserCookies } from '../../checkout/browser-cookies.js';
import {
  type DisplayPage,
  type DisplayProblem,
  displayState,
  renderDisplay,
} from '../../checkout/display-page.js';
import { brandStyle } from '../../checkout/look.js';
import { codedMethod } from '../../checkout/methods.js';
import { isLive } from '../../checkout/page.js';
import {
  HELLO,
  openPageSubscribers,
  type PageSubscribers,
  UPDATED,
} from '../../checkout/page-subscribers.js';
import { beginStream } from '../../streams/event-stream.js';
import { acceptForms, type FormFields, readForm } from '../checkout/form.js';
import {
  answerWithNotices,
  checkSender,
  keepLanguage,
  nonceFor,
  PAGE_HEADERS,
  type PageServices,
  policyFor,
  sendHtml,
} from '../checkout/page-answers.js';
import type { RouteContext } from '../context.js';
import { openAddressMarks } from '../gates/limits.js';
import { publicBase } from '../gates/public-origin.js';
import { sendQr } from './pictures.js';

interface DisplayServices extends PageServices {
  readonly pages: PageSubscribers;
}

const keyOf = (request: FastifyRequest) => (request.params as { readonly ref?: string }).ref ?? '';

/** @throws KashboxError `session_not_found`, the same for every wrong key, or `too_many_requests` */
async function requireDisplay(services: DisplayServices, request: FastifyRequest): Promise<Display> {
  const display = await loadDisplay(services.core, keyOf(request));
  if (display !== null) return display;
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** @param scope one whose prefix is the path of counter displays. */
export async function displayRoutes(scope: FastifyInstance, context: RouteContext): Promise<void> {
  const { core, log, draining } = context;
  const { settings, secrets, random } = core;
  const pages = openPageSubscribers(core, log, { maxStreams: settings.checkoutStreams });
  draining.addEventListener('abort', () => pages.endAll());
  scope.addHook('onClose', async () => pages.endAll());
  const services: DisplayServices = {
    ...context,
    pages,
    root: `${settings.basePath}/display`,
    browserCookies: openBrowserCookies(secrets, random),
    addressMarkOf: openAddressMarks(secrets),
  };
  await scope.register(async (inner) => {
    answerWithNotices(inner, services, (request) => `${services.root}/${encodeURIComponent(keyOf(request))}`);
    pageRoutes(inner, services);
    formRoutes(inner, services);
  });
  await scope.register(async (inner) => liveRoutes(inner, services));
}

function pageRoutes(scope: FastifyInstance, services: DisplayServices): void {
  scope.get('/:ref', async (request, reply) =>
    sendDisplay(services, request, reply, await requireDisplay(services, request)),
  );
  // After a rejected form the browser shows the form's address, and people reload it.
  for (const form of ['show', 'cancel', 'digits', 'done']) {
    scope.get(`/:ref/${form}`, async (request, reply) => toPage(services, request, reply));
  }
  scope.get('/:ref/code', async (request, reply) => {
    await services.limits.countUse(request);
    const { payment } = await requireDisplay(services, request);
    const code = payment !== null && isLive(payment) ? codedMethod(payment.methods)?.code : undefined;
    if (code === undefined || payment?.isSuspended) throw new KashboxError('session_not_found');
    return sendQr(reply, code, 'no-store', { type: 'svg' });
  });
}

const toPage = ({ root }: DisplayServices, request: FastifyRequest, reply: FastifyReply) =>
  reply.redirect(`${root}/${encodeURIComponent(keyOf(request))}`, 303);

/** Answers with the page as it is now. */
function sendDisplay(
  services: DisplayServices,
  request: FastifyRequest,
  reply: FastifyReply,
  display: Display,
  shown: Pick<DisplayPage, 'typed' | 'problem'> = { typed: '', problem: null },
): FastifyReply {
  const { root, browserCookies, core } = services;
  const language = keepLanguage(request, reply, root);
  const nonce = nonceFor(services, request.headers.cookie, reply);
  // A tablet stays for longer than a browser is remembered.
  reply.header('set-cookie', browserCookies.keep(nonce));
  const policy = policyFor(brandStyle(display.link.look), null, DISPLAY_HASHES);
  reply.headers({ ...PAGE_HEADERS, 'content-security-policy': policy });
  const html = renderDisplay({
    ...{ language, display, ...shown },
    token: browserCookies.token(nonce, display.link.id),
    now: core.clock.now(),
    base: core.settings.basePath,
    path: `${root}/${keyOf(request)}`,
  });
  return sendHtml(request, reply, html);
}

/** A form of the page, from the browser for which it was made. */
interface Sent {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly display: Display;
  readonly fields: FormFields;
}

/** Maximum length of what a cashier or a customer types. */
const MAX_TYPED = 40;

const typedIn = (fields: FormFields, name: string) => (fields.get(name) ?? '').slice(0, MAX_TYPED);

function formRoutes(scope: FastifyInstance, services: DisplayServices): void {
  acceptForms(scope);
  const { core } = services;
  /** @param of the field that a stale form is shown with. */
  const form = (name: string, of: DisplayProblem['of'], act: (sent: Sent) => Promise<FastifyReply>) => {
    const onRequest = (request: FastifyRequest) => checkSender(services, request);
    scope.post(`/:ref/${name}`, { onRequest }, async (request, reply) => {
      const display = await requireDisplay(services, request);
      const { fields } = await readForm(request);
      const nonce = services.browserCookies.nonceOf(request.headers.cookie);
      const token = fields.get('token') ?? '';
      if (nonce !== null && services.browserCookies.isToken(token, nonce, display.link.id)) {
        return act({ request, reply, display, fields });
      }
      await services.limits.countCheckoutFailure(request);
      reply.code(403);
      const problem: DisplayProblem = { of, fault: 'stale' };
      return sendDisplay(services, request, reply, display, { typed: typedIn(fields, of), problem });
    });
  };
  form('show', 'amount', (sent) => show(services, sent));
  form('digits', 'digits', (sent) => claimByNumber(services, sent));
  form('cancel', 'amount', async (sent) => {
    const payment = paymentOf(sent);
    // What was paid at this moment stays, so that the cashier sees it.
    if (payment !== null && (await cancelSession(core, payment.id, 'display'))) {
      await leaveDisplay(core, sent.display.link, payment.id);
    }
    return toPage(services, sent.request, sent.reply);
  });
  form('done', 'amount', async (sent) => {
    const payment = paymentOf(sent);
    if (payment !== null) await leaveDisplay(core, sent.display.link, payment.id);
    return toPage(services, sent.request, sent.reply);
  });
}

/** @returns null where the form is about another payment than the shown one: it came late. */
function paymentOf({ display: { payment }, fields }: Sent) {
  return payment?.gatewayReference === fields.get('payment') ? payment : null;
}

async function show(services: DisplayServices, { request, reply, display, fields }: Sent) {
  const { core } = services;
  const typed = typedIn(fields, 'amount');
  const opened = await typeOnDisplay(core, {
    ...{ link: display.link, typed },
    publicBase: publicBase(request, core.settings),
  });
  switch (opened.outcome) {
    case 'shown':
    case 'closed':
      return toPage(services, request, reply);
    case 'fault': {
      reply.code(422);
      const problem: DisplayProblem = { of: 'amount', fault: opened.fault };
      return sendDisplay(services, request, reply, display, { typed, problem });
    }
    case 'over_budget':
      throw overBudget(opened);
    default:
      return opened satisfies never;
  }
}

/** Only a number: other proofs are entered on the page of a payment, which a display does not lead to. */
async function claimByNumber(services: DisplayServices, sent: Sent) {
  const { request, reply, display, fields } = sent;
  const payment = paymentOf(sent);
  const typed = typedIn(fields, 'digits');
  const refuse = (fault: Extract<DisplayProblem, { of: 'digits' }>['fault']) => {
    reply.code(422);
    return sendDisplay(services, request, reply, display, { typed, problem: { of: 'digits', fault } });
  };
  const channel = payment === null ? undefined : codedMethod(payment.methods)?.channel;
  if (payment === null || !isLive(payment) || !isChannel(channel)) return toPage(services, request, reply);
  if (parseTypedPayer(typed) === null) return refuse('no_reference');
  const { outcome } = await claimCheckout(services.core, {
    ...{ sessionId: payment.id, channel, text: typed, isByCode: true },
    addressMark: services.addressMarkOf(request),
  });
  switch (outcome) {
    case 'already_credited':
    case 'ask_full_number':
    case 'too_many_attempts':
      await services.limits.countCheckoutFailure(request);
      return refuse(outcome);
    case 'waiting':
      await services.limits.countCheckoutFailure(request);
      return toPage(services, request, reply);
    case 'completed':
    case 'under_review':
    case 'over':
      return toPage(services, request, reply);
    default:
      return refuse('no_reference');
  }
}

/** Grace after the end of a payment: the job that closes it runs once a minute. */
const GRACE_MS = 90_000;

function liveRoutes(scope: FastifyInstance, services: DisplayServices): void {
  const { limits, pages, draining } = services;
  scope.get('/:ref/state', async (request) => ({
    state: displayState(await requireDisplay(services, request)),
  }));
  scope.get('/:ref/events', { exposeHeadRoute: false }, async (request, reply) => {
    await limits.countUse(request);
    if (draining.aborted) throw new KashboxError('daemon_draining');
    if (!pages.hasRoom()) throw new KashboxError('streams_full');
    const { link, payment } = await requireDisplay(services, request);
    const { shown } = request.query as { readonly shown?: unknown };
    const stream = beginStream(request, reply, HELLO);
    if (stream === null) return;
    const onDisplay = payment?.id ?? null;
    stream.onClose(
      payment !== null && isLive(payment)
        ? pages.enter(
            payment.id,
            {
              ...{ isWaiting: payment.state === 'waiting', closeAt: payment.expiresAt + GRACE_MS },
            },
            stream,
          )
        : pages.enter(link.id, { isWaiting: false, closeAt: Number.POSITIVE_INFINITY, onDisplay }, stream),
    );
    // Read again, so that no change between the two is missed.
    const now = await loadDisplay(services.core, keyOf(request));
    if (now === null || displayState(now) !== shown) stream.end(UPDATED);
  });
}
