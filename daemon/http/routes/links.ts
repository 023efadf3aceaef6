/**
 * Payment links: the page, which changes nothing, and its form, which opens a payment and leads to the
 * checkout page.
 */

import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Link,
  type LinkFormErrors,
  loadLink,
  openLinkPayment,
} from '../../../src/actions/links/open-link-payment.js';
import { loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { overBudget } from '../../../src/actions/strangers/use-budget.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { LINK_ID, SESSION_ID } from '../../../src/base/values/ids.js';
import type { LinkState } from '../../../src/domain/links/link.js';
import { MAX_FIELDS } from '../../../src/domain/links/link.js';
import { LINK_HASHES } from '../../checkout/assets.js';
import { findPaidSession, openBrowserCookies } from '../../checkout/browser-cookies.js';
import { entryName, linkCard, renderClosedLink, renderLink } from '../../checkout/link-page.js';
import { brandStyle } from '../../checkout/look.js';
import { acceptForms, type FormFields, readForm } from '../checkout/form.js';
import {
  answerWithNotices,
  checkSender,
  keepLanguage,
  language,
  linkPath,
  nonceFor,
  PAGE_HEADERS,
  type PageServices,
  policyFor,
  sendHtml,
} from '../checkout/page-answers.js';
import type { RouteContext } from '../context.js';
import { openAddressMarks } from '../gates/limits.js';
import { publicBase } from '../gates/public-origin.js';
import { text } from '../schemas/fields.js';
import { content, operation } from '../schemas/operation.js';
import { PageQuery, pageThat } from '../schemas/pages.js';
import { sendCard } from './pictures.js';

/** Matches an id with text after it (from chat apps) or in capitals (as people type links). */
const SPOILED_ID = /^([0-9a-z]{12})(?:[^0-9a-z].*)?$/is;

interface LinkServices extends PageServices {
  /** Path of the pages on which is paid. */
  readonly checkoutRoot: string;
}

function openLinkServices(context: RouteContext): LinkServices {
  const { settings, secrets, random } = context.core;
  return {
    ...context,
    root: `${settings.basePath}/pay`,
    checkoutRoot: `${settings.basePath}/api/execute`,
    browserCookies: openBrowserCookies(secrets, random),
    addressMarkOf: openAddressMarks(secrets),
  };
}

/** @returns the id that an address names, or null. */
function linkIdOf(request: FastifyRequest): string | null {
  const { ref } = request.params as { readonly ref?: string };
  return ref !== undefined && LINK_ID.test(ref) ? ref : null;
}

/** @returns the id without added characters, or null; nothing is looked up. */
function mistypedLink(text: string): string | null {
  const id = SPOILED_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  return id === text || id === null || !LINK_ID.test(id) ? null : id;
}

/** @throws KashboxError `session_not_found`, the same for every wrong link, or `too_many_requests` */
async function linkOf(services: LinkServices, request: FastifyRequest): Promise<Link> {
  const id = linkIdOf(request);
  const link = id === null ? null : await loadLink(services.core, id);
  if (link !== null) return link;
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** Input of a form and what is wrong with it; empty for a page that is only opened. */
interface LinkFormState {
  readonly fields: FormFields;
  readonly faults: LinkFormErrors | null;
  readonly isStale: boolean;
}

const UNTRIED: LinkFormState = { fields: new Map(), faults: null, isStale: false };

/** Maximum number of characters shown again in a field; control characters are removed. */
const MAX_SHOWN = 1_000;
const shown = (text = '') => text.slice(0, MAX_SHOWN).replace(/\p{Cc}/gu, '');

const headersFor = ({ look }: Link) => ({
  ...PAGE_HEADERS,
  'content-security-policy': policyFor(brandStyle(look), null, LINK_HASHES),
});

/** Answers with the page of a link as it is now. */
function sendLink(
  services: LinkServices,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  { fields, faults, isStale }: LinkFormState = UNTRIED,
): FastifyReply {
  const { root, checkoutRoot, browserCookies } = services;
  const wanted = keepLanguage(request, reply, root, checkoutRoot);
  const path = `${root}/${link.id}`;
  if (link.state !== 'ACTIVE') return sendClosed(services, request, reply, link, link.state);
  const nonce = nonceFor(services, request.headers.cookie, reply);
  const values = link.fields.map(({ name }) => [name, shown(fields.get(entryName(name)))] as const);
  reply.headers(headersFor(link));
  const html = renderLink({
    language: wanted,
    link,
    base: services.core.settings.basePath,
    path,
    origin: services.core.settings.publicUrl || null,
    token: browserCookies.token(nonce, link.id),
    typed: {
      amount: shown(fields.get('amount')),
      quantity: shown(fields.get('quantity')),
      values: new Map(values),
    },
    faults,
    isStale,
  });
  return sendHtml(request, reply, html);
}

/** @returns the path of the receipt if this browser has paid this link; otherwise null. */
async function receiptPath(
  { core, checkoutRoot }: LinkServices,
  request: FastifyRequest,
  link: Link,
): Promise<string | null> {
  const session = findPaidSession(request.headers.cookie);
  if (session === null || !SESSION_ID.test(session)) return null;
  const paid = await loadCheckout(core, session);
  return paid?.link?.id === link.id ? `${checkoutRoot}/${session}` : null;
}

/** Answers that a link takes no payment, or no longer: 410, or 403 while its shop is suspended. */
function sendClosed(
  { root, core }: LinkServices,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  state: Exclude<LinkState, 'ACTIVE'>,
): FastifyReply {
  const wanted = keepLanguage(request, reply);
  reply.code(state === 'SUSPENDED' ? 403 : 410).headers(headersFor(link));
  const base = core.settings.basePath;
  const origin = core.settings.publicUrl || null;
  const html = renderClosedLink({ language: wanted, link, base, path: `${root}/${link.id}`, origin, state });
  return sendHtml(request, reply, html);
}

const openPaymentLink = operation({
  operationId: 'openPaymentLink',
  tag: 'hosted',
  access: 'open',
  summary: 'The page of a payment link',
  description:
    'For browsers: a shop without a website sends its customers here. Opening the page creates nothing. ' +
    'The form of the page, which is not an API, opens a payment and redirects to the checkout page. The ' +
    '`meta_data` of the payment contains `link` and, in `fields`, what the customer has entered.',
  params: Type.Object({
    link: text('The end of the link.', 'm4k8r2w9xh5c', { pattern: LINK_ID.source }),
  }),
  querystring: PageQuery,
  answers: {
    200: pageThat('The page of a link that accepts payments.'),
    403: pageThat('A page that says that the shop cannot receive payments at the moment.'),
    404: pageThat('A page that says that there is no such link.'),
    410: pageThat('A page that says that the link accepts no more payments.'),
    429: pageThat('A page that asks the customer to wait as long as `Retry-After` says.'),
    503: pageThat('A page that asks the customer to come back in a moment.'),
  },
});

const getLinkCard = operation({
  operationId: 'getLinkCard',
  tag: 'hosted',
  access: 'open',
  summary: 'The preview card of a payment link',
  description:
    'Chats and social networks show it with the address of the link: title, amount and shop, in the language ' +
    'that `lang` names. A link with a picture of its own is previewed with that picture.',
  params: Type.Object({
    link: text('The end of the link.', 'm4k8r2w9xh5c', { pattern: LINK_ID.source }),
  }),
  querystring: PageQuery,
  answers: {
    200: content('A picture of 1200 x 630 pixels.', 'image/png'),
    404: pageThat('A page that says that there is no such link.'),
    429: pageThat('A page that asks the customer to wait as long as `Retry-After` says.'),
  },
});

/** The token, the amount and the quantity. */
const OWN_FIELDS = 3;

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
  scope.get('/:ref/card.png', getLinkCard, async (request, reply) => {
    await services.limits.countUse(request);
    const link = await linkOf(services, request);
    return sendCard(context, reply, { ...linkCard(link, language(request)), look: link.look });
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
    quantity: fields.get('quantity') ?? '',
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
