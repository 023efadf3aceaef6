/**
 * The shapes in which shops send parameters to the hosted API, made into one plain object: JSON, a form as
 * browsers send it, a multipart form (what PHP's curl makes of an array) or the query. Knows no field's name.
 */
import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseBrackets } from 'qs';
import { type ErrorCode, isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { parseBody, parseTemplated } from './json.js';

export type Parameters = Readonly<Record<string, unknown>>;

const MAX_FIELDS = 200;
/** Nesting depth: eight levels of meta_data. Deeper input is refused. */
const MAX_BRACKETS = 8;

/** Lets `app` take all three content types; each body is read whole, under the limit of every body. */
export function acceptForms(app: FastifyInstance): void {
  const take = (type: string, read: (body: Buffer, request: FastifyRequest) => unknown) => {
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer): Promise<unknown> => read(body, request),
    );
  };
  app.removeAllContentTypeParsers();
  take('application/json', (body) => (body.length === 0 ? {} : parseBody(body)));
  take('application/x-www-form-urlencoded', parseForm);
  take('multipart/form-data', (body, request) => parseMultipart(request.headers, body));
  app.addContentTypeParser('*', async () => {
    throw new KashboxError('unsupported_media_type', {
      message:
        'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data',
    });
  });
}

/**
 * Lets `app` take what forwarder apps post: JSON of a template, a form, and both under whatever content type
 * the app gives it, where its beginning says which it is.
 */
export function acceptForwarded(app: FastifyInstance): void {
  acceptForms(app);
  app.removeContentTypeParser(['application/json', '*']);
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer): Promise<unknown> => parseForwarded(body),
    );
  }
}

function parseForwarded(body: Buffer): Parameters {
  if (body.length === 0) return {};
  const begin = body
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (begin.startsWith('{') || begin.startsWith('[')) return parseTemplated(body);
  if (/^[\w.-]{1,40}=/.test(begin)) return parseForm(body);
  throw new KashboxError('invalid_json', {
    message: 'The body is neither a JSON object nor a form; correct the template of the app',
  });
}

/**
 * The parameters of a request: those of its body, or those of its query where it has none. Some clients send
 * a POST without a body and everything in the address.
 */
export function parametersOf(request: FastifyRequest): Parameters {
  const body = (request.body ?? {}) as Parameters;
  if (Object.keys(body).length > 0) return body;
  const { url = '' } = request.raw;
  const start = url.indexOf('?');
  return start === -1 ? {} : parseForm(Buffer.from(url.slice(start + 1)));
}

/**
 * PHP's JSON_NUMERIC_CHECK makes numbers of texts that are all digits: those that a float holds exactly are
 * their text.
 * @param fields names of one field.
 * @returns the first that is not empty, as it was sent; an empty text if all are.
 * @throws KashboxError `code` if it is no text
 */
export function textIn(
  parameters: Parameters,
  fields: readonly string[],
  isEmpty: (value: unknown) => boolean,
  code: ErrorCode,
): string {
  const field = fields.find((name) => !isEmpty(parameters[name]));
  const value = field === undefined ? '' : parameters[field];
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return String(value);
  throw new KashboxError(code, { message: `${field} must be a text` });
}

/**
 * @param key of the field, empty without. @param headerKey of the header Idempotency-Key.
 * @throws KashboxError `invalid_input` where they differ: the sender may use the other one when it retries.
 */
export function idempotencyKeyIn(key: string, headerKey: string | undefined): string | undefined {
  if (key !== '' && headerKey !== undefined && headerKey !== key) {
    throw new KashboxError('invalid_input', {
      message: 'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
    });
  }
  return key === '' ? headerKey : key;
}

/**
 * `a=1&b[c]=2` with PHP's brackets; of a repeated name the last value counts, as in PHP and in JSON.
 * @throws KashboxError `invalid_input`
 */
function parseForm(bytes: Buffer): Parameters {
  if (!isUtf8(bytes)) throw new KashboxError('invalid_input', { message: 'The form is not valid UTF-8' });
  try {
    return parseBrackets(bytes.toString('utf8'), {
      depth: MAX_BRACKETS,
      strictDepth: true,
      parameterLimit: MAX_FIELDS,
      arrayLimit: MAX_FIELDS,
      throwOnLimitExceeded: true,
      duplicates: 'last',
      decoder: decode,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooManyFields(error);
  }
}

function tooManyFields(cause?: RangeError): KashboxError {
  return new KashboxError('invalid_input', {
    message: `The form has more than ${MAX_FIELDS} fields, or brackets deeper than ${MAX_BRACKETS} levels`,
    cause,
  });
}

/**
 * Stricter than the decoders of browsers, which would store a broken text instead of refusing it.
 * @returns a name or a value of a form. @throws KashboxError `invalid_input`
 */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new KashboxError('invalid_input', {
      message: 'The form is not percent-encoded UTF-8; write % itself as %25',
    });
  }
}

/** Files are ignored, like every unknown field. */
async function parseMultipart(headers: FastifyRequest['headers'], bytes: Buffer): Promise<Parameters> {
  const fields = new URLSearchParams();
  try {
    await new Promise<void>((resolve, reject) => {
      // The body's limit bounds all texts; a shorter one would silently cut them.
      const limits = { fieldNameSize: bytes.length, fieldSize: bytes.length, parts: MAX_FIELDS };
      const reader = new Busboy({ headers: headers as BusboyHeaders, limits });
      reader.on('partsLimit', () => reject(tooManyFields()));
      reader.on('field', (name, value) => fields.append(name, value));
      reader.on('file', (_name, file) => file.resume());
      reader.on('finish', resolve).on('error', reject);
      reader.end(bytes);
    });
  } catch (cause) {
    if (isKashboxError(cause)) throw cause;
    throw new KashboxError('invalid_input', {
      message: 'The body is not valid multipart/form-data',
      cause,
    });
  }
  return parseForm(Buffer.from(fields.toString()));
}
