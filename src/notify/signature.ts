/**
 * Signatures that prove origin and time of a notification: Kashbox's own header and those of Standard
 * Webhooks 1.0.0, over the same bytes. Knows neither the sender nor where secrets are stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureSet } from '../domain/plugins/plugin-table.js';

/** Our own; lower-case, as Node writes and reads names. */
export const SIGNATURE_HEADER = 'x-service-signature';

const SECRET_PREFIX = 'whsec_';
/** Maximum length of a header. Two secrets make 150; a longer header is not from Kashbox. */
const MAX_HEADER = 2_048;

export interface SignatureInput {
  /** Stays the same over all attempts; has no dot in it. */
  readonly id: string;
  /** Time of this attempt, milliseconds since the epoch; the headers contain whole seconds. */
  readonly at: number;
  /** The body, character by character. */
  readonly content: string;
  /** `whsec_…`; while one is being rotated the new one and the old one. */
  readonly secrets: readonly string[];
  /** Additional headers that the receiver expects; default: none. */
  readonly also?: SignatureSet | undefined;
  /** Attempts before this one: where there is room for one signature, the secrets take turns. */
  readonly tries?: number;
}

/** @returns the headers by their names; each secret adds one signature to both of our lists. */
export function signatureHeaders(signed: SignatureInput): Record<string, string> {
  const { id, at, content, secrets } = signed;
  const t = String(Math.floor(at / 1_000));
  const own = secrets.map((secret) => `,v1=${ownSignature(secret, t, content).toString('hex')}`);
  const standardOf = (secret: string) => standardSignature(secret, id, t, content).toString('base64');
  const standard = secrets.map((secret) => `v1,${standardOf(secret)}`);
  return {
    [SIGNATURE_HEADER]: `t=${t}${own.join('')}`,
    'webhook-id': id,
    'webhook-timestamp': t,
    'webhook-signature': standard.join(' '),
    ...alsoSigned(signed, t),
  };
}

/** Signs the same bytes with the same key as Kashbox's header, under another gateway's header names. */
function alsoSigned(
  { content, secrets, also = 'kashbox', tries = 0 }: SignatureInput,
  t: string,
): Record<string, string> {
  const secret = secrets[tries % Math.max(secrets.length, 1)];
  if (secret === undefined) return {};
  switch (also) {
    case 'kashbox':
      return {};
    case 'nagorikpay':
      return {
        'x-nagorikpay-timestamp': t,
        'x-nagorikpay-signature': `sha256=${ownSignature(secret, t, content).toString('hex')}`,
      };
    default:
      return also satisfies never;
  }
}

/** Signs with the text of the secret as the key, so that no receiver has to decode anything. */
function ownSignature(secret: string, t: string, body: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest();
}

/** Signs with the key that follows `whsec_`, decoded from base64. */
function standardSignature(secret: string, id: string, t: string, body: Buffer | string): Buffer {
  const bare = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(bare, 'base64');
  return createHmac('sha256', key).update(`${id}.${t}.`).update(body).digest();
}

/** `ageS` is in seconds; of what comes from the future it is negative. */
export type SignatureCheck =
  | { readonly result: 'valid' | 'too_old' | 'in_the_future'; readonly ageS: number }
  | { readonly result: 'no_header' | 'malformed' | 'wrong' };

export interface CheckOf {
  /** Bytes as they came, before anything parsed them. */
  readonly body: Buffer | string;
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Seconds that the signature may be away from now; Infinity takes any. */
  readonly toleranceS: number;
}

/**
 * Verifies Kashbox's own header. The time is checked only if a secret's signature matches: with `too_old`
 * everything else is valid.
 * @param header value of `x-service-signature`.
 */
export function checkSignature(header: string | undefined, check: CheckOf): SignatureCheck {
  if (header === undefined || header.trim() === '') return { result: 'no_header' };
  const parts = header.length > MAX_HEADER ? [] : header.split(',').map((part) => part.trim());
  const times = valuesOf(parts, 't=');
  const given = valuesOf(parts, 'v1=');
  const [t] = times;
  const isWhole = times.length === 1 && areAll(given, /^[0-9a-f]{64}$/i);
  if (t === undefined || !isWhole || !isTime(t)) return { result: 'malformed' };
  const signatures = given.map((text) => Buffer.from(text, 'hex'));
  return judge(signatures, (secret) => ownSignature(secret, t, check.body), t, check);
}

/** Checks the headers of Standard Webhooks in the same way. @param headers by lower-case names. */
export function checkStandardSignature(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  check: CheckOf,
): SignatureCheck {
  const id = headers['webhook-id'];
  const t = headers['webhook-timestamp'];
  const list = headers['webhook-signature'];
  if (id === undefined || t === undefined || list === undefined) return { result: 'no_header' };
  const isText = typeof id === 'string' && typeof t === 'string' && typeof list === 'string';
  const given = !isText || list.length > MAX_HEADER ? [] : valuesOf(list.split(' '), 'v1,');
  const isWhole = isText && areAll(given, /^[A-Za-z0-9+/]{43}=$/);
  if (!isWhole || !isTime(t) || id === '' || id.includes('.')) return { result: 'malformed' };
  const signatures = given.map((text) => Buffer.from(text, 'base64'));
  return judge(signatures, (secret) => standardSignature(secret, id, t, check.body), t, check);
}

function valuesOf(parts: readonly string[], start: string): string[] {
  return parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
}

function areAll(texts: readonly string[], form: RegExp): boolean {
  return texts.length > 0 && texts.every((text) => form.test(text));
}

function isTime(t: string): boolean {
  return /^\d{1,12}$/.test(t);
}

/** Compares all with all, each in constant time. */
function judge(
  signatures: readonly Buffer[],
  rightBy: (secret: string) => Buffer,
  t: string,
  { secrets, now, toleranceS }: CheckOf,
): SignatureCheck {
  const wanted = secrets.map(rightBy);
  const isOurs = signatures.some((given) => wanted.some((right) => timingSafeEqual(given, right)));
  if (!isOurs) return { result: 'wrong' };
  const ageS = Math.floor(now / 1_000) - Number(t);
  if (ageS > toleranceS) return { result: 'too_old', ageS };
  return { result: ageS < -toleranceS ? 'in_the_future' : 'valid', ageS };
}
