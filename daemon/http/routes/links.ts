/**
 * Payment links: the page, which changes nothing, and its form, which opens a payment and leads to the
 * checkout page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openLinkPayment } from '../../../src/actions/links/open-link-payment.js';
import { overBudget } from '../../../src/actions/strangers/use-budget.js';
import { MAX_FIELDS } from '../../../src/domain/links/link.js';
import { entryName } from '../../checkout/link-page.js';
import { acceptForms, readForm } from '../checkout/form.js';
import {
  type LinkServices,
  linkIdOf,
  linkOf,
  linkPath,
  mistypedLink,
  openLinkServices,
  receiptPath,
  sendClosed,
  sendLink,
} from '../checkout/links.js';
import { answerWithNotices, checkSender } from '../checkout/page-answers.js';
import type { RouteContext } from '../context.js';
import { publicBase } from '../gates/public-origin.js';
import { openPaymentLink } from '../schemas/hosted.js';

/** The token and the amount. */
const OWN_FIELDS = 2;

/** @param scope one whose prefix is the path of payment links. */
export function linkRoutes(scope: FastifyInstance, context: RouteContext): void {
  const services = openLinkServices(context);
  acceptForms(scope, MAX_FIELDS + OWN_FIELDS);
  answerWithNotices(scope, services, (request) => {
    const id = linkIdOf(request);
    return id === null ? null : linkPath(context.core.settings, id);
  });
  scope.get('/:ref', openPaymentLink, async (request, reply) => {
    const id = mistypedLink((request.params as { readonly ref: string }).ref);
    if (id !== null) return reply.redirect(`${services.root}/${id}`, 302);
    const link = await linkOf(services, request);
    const receipt = link.state === 'ACTIVE' ? null : await receiptPath(services, request, link);
    return receipt === null ? sendLink(services, request, reply, link) : reply.redirect(receipt, 302);
  });
  scope.post('/:ref', { onRequest: (request) => checkSender(services, request) }, (request, reply) =>
    open(services, request, reply),
  );
  // All other mistyped links get the same answer.
  scope.get('/*', async (request) => linkOf(services, request));
}

async function open(services: LinkServices, request: FastifyRequest, reply: FastifyReply) {
  const { core, browserCookies, limits } = services;
  const link = await linkOf(services, request);
  if (link.state !== 'ACTIVE') return sendClosed(services, request, reply, link, link.state);
  const { fields } = await readForm(request);
  const browser = browserCookies.nonceOf(request.headers.cookie);
  if (browser === null || !browserCookies.isToken(fields.get('token') ?? '', browser, link.id)) {
    await limits.countCheckoutFailure(request);
    reply.code(403);
    return sendLink(services, request, reply, link, { fields, faults: null, isStale: true });
  }
  const values = link.fields.map(({ name }) => [name, fields.get(entryName(name)) ?? ''] as const);
  const opened = await openLinkPayment(core, {
    link,
    browser,
    amount: fields.get('amount') ?? '',
    values: new Map(values),
    publicBase: publicBase(request, core.settings),
    addressMark: services.addressMarkOf(request),
  });
  switch (opened.outcome) {
    case 'opened':
      return reply.redirect(`${services.checkoutRoot}/${opened.session}`, 303);
    case 'faults':
      reply.code(422);
      return sendLink(services, request, reply, link, { fields, faults: opened.faults, isStale: false });
    case 'closed':
      return sendClosed(services, request, reply, link, opened.state);
    case 'over_budget':
      throw overBudget(opened);
    default:
      return opened satisfies never;
  }
}
