/**
 * The shapes in which shops send parameters to the hosted API, made into one plain object: JSON, a form as
 * browsers send it, a multipart form (what PHP's curl makes of an array) or the query. Knows no field's name.
 */
import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseBrackets } from 'qs';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { parseBody, parseTemplated } from './json.js';

export type Parameters = Readonly<Record<string, unknown>>;

const MAX_FIELDS = 200;
/** Nesting depth: eight levels of meta_data. Deeper input is refused. */
const MAX_BRACKETS = 8;

/**
 * Lets `app` accept all three content types; each body is read completely, up to the common limit. The query
 * is parsed after the gate: a caller without a key gets that error, not one about the query.
 */
export function acceptForms(app: FastifyInstance): void {
  const take = (type: string, read: (body: Buffer, request: FastifyRequest) => unknown) => {
    app.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer): Promise<unknown> => read(body, request),
    );
  };
  app.addHook('preValidation', takeQuery);
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
 * Lets `app` accept the requests of forwarder apps: JSON from a template, or a form. For JSON and unknown
 * content types the beginning of the body decides which it is.
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
 * Parameters of a request: those of its body, or of its query if there is no body. Some clients send a POST
 * without a body and everything in the URL.
 * @returns the validated parameters, if the route has a shape.
 */
export const getParameters = <Shape = Parameters>({ body, query }: FastifyRequest) =>
  (body ?? query) as Shape;

/** Reads the query by the rules of forms, and puts it where the parameters of the route are. */
async function takeQuery(request: FastifyRequest): Promise<void> {
  if (Object.keys(request.body ?? {}).length > 0) return;
  const { url = '' } = request.raw;
  const start = url.indexOf('?');
  const parameters = start === -1 ? {} : parseForm(Buffer.from(url.slice(start + 1)));
  if (request.method === 'GET') request.query = parameters;
  else request.body = parameters;
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

/**
 * RFC 9110, 8.3.1. Fastify refuses any other text, but some clients send `json` or an empty header; both
 * count as absent.
 */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Lets `scope` accept bodies of every type, unparsed. */
export function takeRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addHook('onRequest', async ({ headers }) => {
    if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** @returns no bytes for a request that has no body. */
export function getBodyBytes(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
