/** Common parts of answers with pages: headers, language, the browser's cookie, notices and refusals. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../src/base/errors/error-table.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Settings } from '../../../src/config/settings.js';
import { SCRIPT_HASH, STYLE_HASH } from '../../checkout/assets.js';
import {
  isOwnForm,
  languageCookie,
  negotiateLanguage,
  type openBrowserCookies,
} from '../../checkout/browser-cookies.js';
import type { LookStyle } from '../../checkout/look.js';
import type { Language, Notice } from '../../checkout/page.js';
import { renderNotice } from '../../checkout/view.js';
import { codingFor } from '../compressed-content.js';
import type { RouteContext } from '../context.js';
import { logged, refuse } from '../errors.js';
import type { openAddressMarks } from '../gates/limits.js';

/** Dependencies of the pages of one kind. */
export interface PageServices extends RouteContext {
  /** Path of all pages of this kind, without a slash at its end. */
  readonly root: string;
  readonly browserCookies: ReturnType<typeof openBrowserCookies>;
  readonly addressMarkOf: ReturnType<typeof openAddressMarks>;
}

/** @returns the path of a payment link's page. */
export function linkPath({ basePath }: Pick<Settings, 'basePath'>, id: string): string {
  return `${basePath}/pay/${id}`;
}

const NO_HASHES = { style: '', script: '' };

/**
 * @param look the brand's own style; null if it has none.
 * @param shop address of a shop that wants its parameters by POST, else null. All of `https:` is allowed
 * then, not only this address: Chrome also applies `form-action` to every address to which the shop's server
 * redirects the browser, and only the shop knows those. The page has no form but ours and no place for
 * another, so the risk is small.
 * @param own hashes of the style and the script that pages of this kind have in addition to the common ones.
 */
export function policyFor(look: LookStyle | null, shop: string | null = null, own = NO_HASHES): string {
  return [
    "default-src 'none'",
    `style-src ${[STYLE_HASH, look?.hash, own.style].filter(Boolean).join(' ')}`,
    `script-src ${[SCRIPT_HASH, own.script].filter(Boolean).join(' ')}`,
    // The icon of the page, without which every customer's browser would ask for a /favicon.ico.
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action 'self'${shop === null ? '' : ' https:'}${shop?.startsWith('http:') ? ` ${new URL(shop).origin}` : ''}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyFor(null),
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export function language(request: FastifyRequest): Language {
  return negotiateLanguage((request.query as { readonly lang?: unknown }).lang, request.headers);
}

/** Remembers the language that a link has named. @param paths of the pages for which it holds. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply, ...paths: string[]): Language {
  const wanted = language(request);
  if ((request.query as { readonly lang?: unknown }).lang === wanted) {
    for (const path of paths) reply.header('set-cookie', languageCookie(wanted, path));
  }
  return wanted;
}

/** Of all qualities the one after which a page gets smaller only at many times the processor time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Sends a page whose headers are set. */
export function sendHtml(request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply {
  const coding = codingFor(request.headers['accept-encoding']);
  if (coding === null) return reply.send(html);
  const packed = coding === 'br' ? brotliCompressSync(html, BROTLI) : gzipSync(html, { level: 1 });
  return reply.header('content-encoding', coding).send(packed);
}

/** @returns the nonce of the browser; a new browser gets one with this answer. */
export function nonceFor(
  { browserCookies }: PageServices,
  cookies: string | undefined,
  reply: FastifyReply,
): string {
  const known = browserCookies.nonceOf(cookies);
  if (known !== null) return known;
  const { nonce, cookie } = browserCookies.recognise();
  reply.header('set-cookie', cookie);
  return nonce;
}

/**
 * Checks, before the body is read, that a form does not come from another site, and not too often.
 * @throws KashboxError `form_refused`, `too_many_requests`
 */
export async function checkSender(services: PageServices, request: FastifyRequest): Promise<void> {
  await services.limits.countUse(request);
  const { headers } = request;
  const hosts = [request.host, services.core.settings.publicUrl.replace('https://', '')];
  if (!isOwnForm(headers, hosts)) await refuseForm(services, request);
}

/** @throws KashboxError `form_refused`, or `too_many_requests` for an address that sends many such forms */
export async function refuseForm(services: PageServices, request: FastifyRequest): Promise<never> {
  await services.limits.countCheckoutFailure(request);
  throw new KashboxError('form_refused');
}

/**
 * Answers errors with a page for people, instead of the JSON for programs.
 * @param pathOf path of the page that a request belongs to, for another attempt; null if there is none.
 */
export function answerWithNotices(
  scope: FastifyInstance,
  services: PageServices,
  pathOf: (request: FastifyRequest) => string | null,
): void {
  scope.setErrorHandler((error: unknown, request, reply) => {
    const refusal = logged(services.log, error, request);
    const notice = noticeOf(refusal);
    const retryPath = notice === 'not_found' ? null : pathOf(request);
    refuse(refusal, reply).headers(PAGE_HEADERS);
    return sendHtml(request, reply, renderNotice({ language: language(request), notice, retryPath }));
  });
}

const NOTICES: Readonly<Partial<Record<ErrorCode, Notice>>> = {
  session_not_found: 'not_found',
  too_many_requests: 'too_many_requests',
  day_limit_reached: 'day_limit',
  body_too_large: 'upload_too_large',
};

function noticeOf(refusal: KashboxError): Notice {
  return NOTICES[refusal.code] ?? (refusal.status >= 500 ? 'unavailable' : 'form_refused');
}
