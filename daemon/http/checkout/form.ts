/**
 * The forms that pages for customers send: parsed with limits while reading, held against the payment that
 * their address names and the browser they were made for, and answered. Knows no field's meaning but the
 * token's.
 */
import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PayerProof } from '../../../src/actions/sessions/load-checkout.js';
import { type Checkout, loadCheckout } from '../../../src/actions/sessions/load-checkout.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { MAX_SLIP_BYTES } from '../../../src/domain/reviews/slip.js';
import type { Problem } from '../../checkout/page.js';
import { countBody } from '../body-time.js';
import { decode } from '../input/forms.js';
import { type CheckoutServices, findSessionId, requireCheckout, sendCheckout } from './services.js';

/** Fields by name, each once. */
export type FormFields = ReadonlyMap<string, string>;

interface Form {
  readonly fields: FormFields;
  /** The uploaded file; null where none was chosen. */
  readonly slip: Buffer | 'too_large' | null;
}

const FORM_BYTES = 64 * 1024;
/** The checkout page's own forms have three. */
const MAX_FIELDS = 8;
/** Maximum size of an upload that is read. One between this and a slip's limit is answered with a page. */
export const MAX_UPLOAD_BYTES = 2 * MAX_SLIP_BYTES;

const UPLOAD_LIMITS = {
  fileSize: MAX_SLIP_BYTES,
  files: 1,
  fields: MAX_FIELDS,
  fieldSize: 8 * 1024,
  fieldNameSize: 100,
  headerPairs: 20,
};

/** Accepts only forms of plain fields, up to `maxFields`; the API's JSON parser is not allowed here. */
export function acceptForms(scope: FastifyInstance, maxFields = MAX_FIELDS): void {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'buffer' as const, bodyLimit: FORM_BYTES };
  scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body: Buffer, done) => {
    done(null, parseFields(body, maxFields));
  });
}

/** Forms with a file as well; a file that is too large is cut off and not refused, for its own message. */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  acceptForms(scope);
  await scope.register(multipart, { throwFileSizeLimit: false, limits: UPLOAD_LIMITS });
}

/**
 * @throws KashboxError `invalid_input` for bytes or escapes that are not UTF-8, for a field sent twice, and
 * for too many fields
 */
function parseFields(bytes: Buffer, maxFields: number): FormFields {
  const fields = new Map<string, string>();
  if (!isUtf8(bytes)) throw new KashboxError('invalid_input');
  const pairs = bytes.toString('utf8').split('&', maxFields + 1);
  if (pairs.length > maxFields) throw new KashboxError('invalid_input');
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    put(fields, decode(name), decode(value));
  }
  return fields;
}

function put(fields: Map<string, string>, name: string, value: string): void {
  if (fields.has(name)) throw new KashboxError('invalid_input');
  fields.set(name, value);
}

/**
 * @returns the form that a request carried, with its upload if it has one.
 * @throws KashboxError `unsupported_media_type`, `invalid_input`
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  if (request.body instanceof Map) return { fields: request.body as FormFields, slip: null };
  // Only the scope of uploads knows this method.
  if (request.isMultipart?.() !== true) throw new KashboxError('unsupported_media_type');
  try {
    return await readParts(request);
  } catch (cause) {
    if (isKashboxError(cause)) throw cause;
    // What the parser throws is about the form: cut off, without boundary, too many parts.
    throw new KashboxError('invalid_input', { cause });
  }
}

async function readParts(request: FastifyRequest): Promise<Form> {
  const fields = new Map<string, string>();
  let slip: Form['slip'] = null;
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (part.valueTruncated || typeof part.value !== 'string') throw new KashboxError('invalid_input');
      put(fields, part.fieldname, part.value);
      continue;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      countBody(request.raw, chunk.length);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (part.file.truncated) slip = 'too_large';
    // Browsers send an empty file for a field in which none was chosen.
    else if (bytes.length > 0) slip = bytes;
  }
  return { fields, slip };
}

/** Longer than any SMS; text beyond it contains no id. */
export const MAX_TYPED = 4_000;
/** Seconds for a payment with too many wrong ids: waiting does not help, so the delay is long. */
const RETRY_ATTEMPTS_S = 60;

/** One form that somebody has sent, and whose payment its address names. */
export interface SentForm {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: string;
  readonly fields: FormFields;
  readonly slip: Form['slip'];
}

/** @throws KashboxError `session_not_found`, `unsupported_media_type`, `invalid_input` */
export async function readSentForm(request: FastifyRequest, reply: FastifyReply): Promise<SentForm> {
  return { request, reply, session: knownSession(request), ...(await readForm(request)) };
}

export function knownSession(request: FastifyRequest): string {
  const session = findSessionId(request);
  if (session === null) throw new KashboxError('session_not_found');
  return session;
}

/** False for a form that was made for another browser or payment, or for one that sends no cookie. */
export function hasValidToken(
  { browserCookies }: CheckoutServices,
  { request, session, fields }: SentForm,
): boolean {
  const nonce = browserCookies.nonceOf(request.headers.cookie);
  return nonce !== null && browserCookies.isToken(fields.get('token') ?? '', nonce, session);
}

/**
 * Answers a form with an invalid token. The payment does not change. The page is shown again with a valid
 * token and the typed text; if it has no such form, it shows only the status.
 */
export async function refuseStale(
  services: CheckoutServices,
  sent: SentForm,
  problem: Problem | null,
): Promise<FastifyReply> {
  await services.limits.countCheckoutFailure(sent.request);
  const checkout = await loadCheckout(services.core, sent.session);
  if (checkout === null) throw new KashboxError('form_refused');
  const isShown =
    problem !== null &&
    checkout.state !== 'review' &&
    checkout.methods.some(({ channel }) => channel === problem.channel);
  sent.reply.code(403);
  return showAgain(services, sent, checkout, isShown ? problem : null);
}

export function toPage(
  services: CheckoutServices,
  { reply, session }: SentForm,
  isOver: boolean,
): FastifyReply {
  return reply.redirect(`${services.root}/${session}${isOver ? '?now=1' : ''}`, 303);
}

export function remember(
  { browserCookies, root }: CheckoutServices,
  { request, reply, session }: SentForm,
  claimed: PayerProof | null,
) {
  if (claimed === null) return;
  const { cookie } = request.headers;
  reply.header('set-cookie', browserCookies.claimCookie(cookie, session, claimed, `${root}/${session}`));
}

/**
 * Shows the page again, with the problem next to its field and the typed text in it.
 * @param retryAfterS seconds after which a retry may succeed, for 429; null if the problem is not about time.
 */
export async function withProblem(
  services: CheckoutServices,
  sent: SentForm,
  problem: Problem,
  retryAfterS = problem.kind === 'too_many_attempts' ? RETRY_ATTEMPTS_S : null,
): Promise<FastifyReply> {
  const checkout = await requireCheckout(services, sent.request);
  if (retryAfterS === null) sent.reply.code(422);
  else sent.reply.code(429).header('retry-after', String(retryAfterS));
  return showAgain(services, sent, checkout, problem);
}

/** Removes control characters from the typed text, and cuts it to `MAX_TYPED`. */
function showAgain(
  services: CheckoutServices,
  { request, reply }: SentForm,
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
