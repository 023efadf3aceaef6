/**
 * Cookies of a browser on the checkout page: its language, a token for its forms, and what it has claimed.
 * All state is in the cookies, so that any daemon with the same key file can read it. Knows headers, not
 * sessions.
 */
import { timingSafeEqual } from 'node:crypto';
import type { PayerProof } from '../../src/actions/sessions/load-checkout.js';
import { createMark, type SecretBox } from '../../src/base/io/secret.js';
import type { RandomSource } from '../../src/base/values/ids.js';
import { creditedName } from '../../src/domain/matching/reference.js';
import { LANGUAGES, type Language } from './page.js';

/** `__Host-` prevents other subdomains and pages without HTTPS from setting it. */
const BROWSER_COOKIE = '__Host-kashbox-visitor';
/** Bound to one session's path, which `__Host-` would not allow. */
const CLAIM_COOKIE = '__Secure-kashbox-claim';
/** Bound to the paths of the pages, too. */
const LANGUAGE_COOKIE = '__Secure-kashbox-language';
/** Bound to one link's path. It says where a receipt is, and proves nothing. */
const PAID_COOKIE = '__Secure-kashbox-paid';

const DAY_S = 86_400;
/** A page may be left open for days; its form must still be good then. */
const BROWSER_AGE_S = 7 * DAY_S;
/** A bank transfer may be looked at for days before its customer comes back. */
const CLAIM_AGE_S = 30 * DAY_S;
const LANGUAGE_AGE_S = 365 * DAY_S;

/** Keep earlier claims: a corrected id may have been the right one. The oldest are dropped. */
const MAX_MARKS = 5;
/** Separator: not part of base64url, and needs no quotes in a cookie. */
const BETWEEN_MARKS = '.';

const NONCE_BYTES = 16;

/** @returns the value of the first cookie of that name, or null. Quotes and escapes are not interpreted. */
export function findCookie(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

function cookie(name: string, value: string, path: string, ageS: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${ageS}; Secure; HttpOnly; SameSite=Lax`;
}

/** @returns the `Set-Cookie` that stores which payment session paid the link in this browser. */
export function paidCookie(session: string, path: string): string {
  return cookie(PAID_COOKIE, session, path, CLAIM_AGE_S);
}

export const findPaidSession = (cookies: string | undefined) => findCookie(cookies, PAID_COOKIE);

/**
 * Selects a language: query parameter, else earlier choice (cookie), else the browser's preference.
 * @param query value of `lang`, not validated.
 */
export function negotiateLanguage(
  query: unknown,
  headers: { readonly cookie?: string | undefined; readonly 'accept-language'?: string | undefined },
): Language {
  const known = (value: unknown) => LANGUAGES.find((language) => language === value);
  return (
    known(query) ??
    known(findCookie(headers.cookie, LANGUAGE_COOKIE)) ??
    preferred(headers['accept-language'] ?? '')
  );
}

/** The one of our languages that the browser ranks highest, Bangla where it wants neither. */
function preferred(header: string): Language {
  let best: Language = 'bn';
  let weight = 0;
  for (const entry of header.slice(0, 500).split(',')) {
    const [, name, rank = '1'] = /^\s*([a-z]{2})(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(entry) ?? [];
    const language = LANGUAGES.find((own) => own === name?.toLowerCase());
    if (language === undefined || !(Number(rank) > weight)) continue;
    best = language;
    weight = Number(rank);
  }
  return best;
}

/** @returns the `Set-Cookie` that remembers a chosen language. @param path of all checkout pages. */
export function languageCookie(language: Language, path: string): string {
  return cookie(LANGUAGE_COOKIE, language, path, LANGUAGE_AGE_S);
}

/**
 * False for a form from another site. Browsers set these headers, and no page can change them. The origin
 * `null` is accepted, because our own page sends it, too: its referrer policy hides its origin, also from us.
 * @param hosts names (with port) under which this service may be called.
 */
export function isOwnForm(
  headers: {
    readonly origin?: string | undefined;
    readonly 'sec-fetch-site'?: string | string[] | undefined;
  },
  hosts: readonly string[],
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  return protocol === 'https:' && hosts.some((own) => own.toLowerCase() === host);
}

export function openBrowserCookies(secrets: SecretBox, random: RandomSource) {
  const formMark = createMark(secrets.deriveKey('checkout form token'));
  const claimedMark = createMark(secrets.deriveKey('checkout claim cookie'));
  const token = (nonce: string, session: string) => formMark(joined(nonce, session));
  const keep = (nonce: string) => cookie(BROWSER_COOKIE, nonce, '/', BROWSER_AGE_S);
  const claimMark = (session: string, { channel, reference }: PayerProof) => {
    const isPlain = channel === 'payment_reference' || channel === 'seen';
    const name = isPlain ? reference : creditedName(channel, reference);
    return claimedMark(joined(session, channel, name));
  };
  return {
    /** @returns the nonce of the browser; null for a new browser, or one that accepts no cookies. */
    nonceOf(cookies: string | undefined): string | null {
      const value = findCookie(cookies, BROWSER_COOKIE);
      return value !== null && /^[\w-]{22}$/.test(value) ? value : null;
    },
    /** @returns a new one, and the `Set-Cookie` that keeps it. */
    recognise() {
      const nonce = Buffer.from(random(NONCE_BYTES)).toString('base64url');
      return { nonce, cookie: keep(nonce) };
    },
    /** @returns the `Set-Cookie` that remembers a browser for as long again. */
    keep,
    /** @returns what every form of that session's page carries for that browser. */
    token,
    isToken: (given: string, nonce: string, session: string) => equal(given, token(nonce, session)),
    /**
     * @param cookies what the browser sent: what it claimed before on this session stays proved.
     * @param path @returns the `Set-Cookie` that proves later what a browser gave or was shown.
     */
    claimCookie(cookies: string | undefined, session: string, claimed: PayerProof, path: string): string {
      const marks = new Set([claimMark(session, claimed), ...claimMarksOf(cookies)]);
      const value = [...marks].slice(0, MAX_MARKS).join(BETWEEN_MARKS);
      return cookie(CLAIM_COOKIE, value, path, CLAIM_AGE_S);
    },
    /** True only in a browser that made exactly this claim, or was shown this payment reference. */
    hasClaimed(cookies: string | undefined, session: string, claimed: PayerProof): boolean {
      const marks = claimMarksOf(cookies);
      // Most browsers have claimed nothing yet.
      if (marks.length === 0) return false;
      const right = claimMark(session, claimed);
      return marks.some((mark) => equal(mark, right));
    },
  };
}

/** Lists the marks of the cookie, newest first. Each must still be compared with a claim. */
function claimMarksOf(cookies: string | undefined): string[] {
  const marks = findCookie(cookies, CLAIM_COOKIE)?.split(BETWEEN_MARKS, MAX_MARKS) ?? [];
  return marks.filter((mark) => /^[\w-]{43}$/.test(mark));
}

/** @param parts must not contain line breaks, so that two different lists never give the same text. */
function joined(...parts: readonly string[]): string {
  return parts.join('\n');
}

function equal(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
