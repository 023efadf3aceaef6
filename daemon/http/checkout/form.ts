/**
 * Parses the forms of the checkout page, with limits while reading. Knows neither sessions nor the meaning of
 * fields.
 */
import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { MAX_SLIP_BYTES } from '../../../src/domain/reviews/slip.js';
import { countBody } from '../body-time.js';
import { decode } from '../input/forms.js';

/** Fields by name, each once. */
export type Fields = ReadonlyMap<string, string>;

export interface Form {
  readonly fields: Fields;
  /** The uploaded file; null where none was chosen. */
  readonly slip: Buffer | 'too_large' | null;
}

const FORM_BYTES = 64 * 1024;
/** The checkout page's own forms have three. */
const MAX_FIELDS = 8;
/** Of a whole upload. What is larger is not read, what is between this and a slip's limit gets a page. */
export const MAX_UPLOAD_BYTES = 2 * MAX_SLIP_BYTES;

const UPLOAD_LIMITS = {
  fileSize: MAX_SLIP_BYTES,
  files: 1,
  fields: MAX_FIELDS,
  fieldSize: 8 * 1024,
  fieldNameSize: 100,
  headerPairs: 20,
};

/** Accepts only forms of plain fields, at most so many; the API's JSON parser is not allowed here. */
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
 * @throws KashboxError `invalid_input` for bytes or escapes that are no UTF-8, for a field sent twice, and
 *   for too many fields
 */
function parseFields(bytes: Buffer, maxFields: number): Fields {
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
  if (request.body instanceof Map) return { fields: request.body as Fields, slip: null };
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
