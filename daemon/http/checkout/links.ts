/** Shared by the routes of payment links: finding the link of an address, and answering with its page. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Link, type LinkFaults, readLink } from '../../../src/actions/links/open-link-payment.js';
import { readCheckout } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { LINK_ID, SESSION_ID } from '../../../src/base/values/ids.js';
import type { Settings } from '../../../src/config/settings.js';
import type { LinkState } from '../../../src/domain/links/link.js';
import { openBrowserCookies, paidSessionOf } from '../../checkout/browser-cookies.js';
import { entryName, renderClosedLink, renderLink } from '../../checkout/link-page.js';
import { lookStyle } from '../../checkout/look.js';
import type { RouteContext } from '../context.js';
import { openAddressMarks } from '../gates/limits.js';
import { publicOrigin } from '../gates/public-origin.js';
import type { Fields } from './form.js';
import {
  keepLanguage,
  nonceFor,
  PAGE_HEADERS,
  type PageServices,
  policyFor,
  sendHtml,
} from './page-answers.js';

/** Chat apps include the text behind a link, and people type links in capitals. */
const SPOILED_ID = /^([0-9a-z]{12})(?:[^0-9a-z].*)?$/is;

/** @returns the path of a payment link's page. */
export function linkPath({ basePath }: Pick<Settings, 'basePath'>, id: string): string {
  return `${basePath}/pay/${id}`;
}

export interface LinkServices extends PageServices {
  /** Path of the pages on which is paid. */
  readonly checkoutRoot: string;
}

export function openLinkServices(context: RouteContext): LinkServices {
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
export function linkIdOf(request: FastifyRequest): string | null {
  const { ref } = request.params as { readonly ref?: string };
  return ref !== undefined && LINK_ID.test(ref) ? ref : null;
}

/** @returns the id without added characters, or null; nothing is looked up. */
export function mistypedLink(text: string): string | null {
  const id = SPOILED_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  return id === text || id === null || !LINK_ID.test(id) ? null : id;
}

/** @throws KashboxError `session_not_found`, the same for every wrong link, or `too_many_requests` */
export async function linkOf(services: LinkServices, request: FastifyRequest): Promise<Link> {
  const id = linkIdOf(request);
  const link = id === null ? null : await readLink(services.core, id);
  if (link !== null) return link;
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('session_not_found');
}

/** What was typed and what is wrong with it; nothing of a page that is opened. */
export interface Tried {
  readonly fields: Fields;
  readonly faults: LinkFaults | null;
  readonly isStale: boolean;
}

const UNTRIED: Tried = { fields: new Map(), faults: null, isStale: false };

/** Nobody needs more of it than a field takes; what no page may hold is left out. */
const MAX_SHOWN = 1_000;
const shown = (text = '') => text.slice(0, MAX_SHOWN).replace(/\p{Cc}/gu, '');

const headersFor = ({ look }: Link) => ({
  ...PAGE_HEADERS,
  'content-security-policy': policyFor(lookStyle(look)),
});

/** Answers with the page of a link as it is now. */
export function sendLink(
  services: LinkServices,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  { fields, faults, isStale }: Tried = UNTRIED,
): FastifyReply {
  const { root, checkoutRoot, browserCookies } = services;
  const language = keepLanguage(request, reply, root, checkoutRoot);
  const path = `${root}/${link.id}`;
  if (link.state !== 'ACTIVE') return sendClosed(services, request, reply, link, link.state);
  const nonce = nonceFor(services, request.headers.cookie, reply);
  const values = link.fields.map(({ name }) => [name, shown(fields.get(entryName(name)))] as const);
  reply.headers(headersFor(link));
  const html = renderLink({
    language,
    link,
    base: services.core.settings.basePath,
    path,
    origin: publicOrigin(request, services.core.settings),
    token: browserCookies.token(nonce, link.id),
    typed: { amount: shown(fields.get('amount')), values: new Map(values) },
    faults,
    isStale,
  });
  return sendHtml(request, reply, html);
}

/** @returns the path of the receipt of who has paid this link in this browser; null for everybody else. */
export async function receiptPath(
  { core, checkoutRoot }: LinkServices,
  request: FastifyRequest,
  link: Link,
): Promise<string | null> {
  const session = paidSessionOf(request.headers.cookie);
  if (session === null || !SESSION_ID.test(session)) return null;
  const paid = await readCheckout(core, session);
  return paid?.link?.id === link.id ? `${checkoutRoot}/${session}` : null;
}

/** Answers that a link takes no payment, or no longer: 410, or 403 while its shop is suspended. */
export function sendClosed(
  { root, core }: LinkServices,
  request: FastifyRequest,
  reply: FastifyReply,
  link: Link,
  state: Exclude<LinkState, 'ACTIVE'>,
): FastifyReply {
  const language = keepLanguage(request, reply);
  reply.code(state === 'SUSPENDED' ? 403 : 410).headers(headersFor(link));
  const base = core.settings.basePath;
  const origin = publicOrigin(request, core.settings);
  const html = renderClosedLink({ language, link, base, path: `${root}/${link.id}`, origin, state });
  return sendHtml(request, reply, html);
}
