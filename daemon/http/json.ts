/**
 * From the bytes of a body to one safe object. Everything that makes JSON dangerous is refused here: bytes
 * that are no UTF-8, deep nesting, prototype keys, and amounts that have been through a float.
 */
import { isUtf8 } from 'node:buffer';
import { parse as parseWithNumberTexts } from 'lossless-json';
import { parse as parseSafely } from 'secure-json-parse';
import { KashboxError } from '../../src/base/errors.js';

/** Objects and arrays inside each other, the outermost counted. What is deeper cannot be written back. */
const MAX_DEPTH = 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * @param bytes the whole body.
 * @returns the object; if its `amount` was written as a JSON number, that number's very text stands there.
 * @throws KashboxError `invalid_json`, which never repeats what was sent.
 */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) throw new KashboxError('invalid_json', { message: 'The body is empty' });
  if (!isUtf8(bytes)) throw new KashboxError('invalid_json', { message: 'The body is not valid UTF-8' });
  if (isTooDeep(bytes)) throw new KashboxError('invalid_json', { message: 'The body is nested too deeply' });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const value = parseText(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
  }
  const body = value as Record<string, unknown>;
  if (typeof body.amount === 'number') body.amount = numberText(text);
  return body;
}

function parseText(text: string): unknown {
  try {
    return parseSafely(text);
  } catch {
    throw new KashboxError('invalid_json');
  }
}

/**
 * `1e5`, `10.005` and `1.00000000000000001` are gone once they are numbers, so the number's own text is
 * taken from a second, slower reading. Of a key that comes twice the last one counts, as in `JSON.parse`.
 */
function numberText(text: string): unknown {
  const exact = parseWithNumberTexts(text, null, {
    parseNumber: (number) => number,
    onDuplicateKey: ({ newValue }) => newValue,
  });
  return (exact as { readonly amount: unknown }).amount;
}

/** Counted before anything is built, since the parser itself has no limit. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPEN.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSE.has(byte)) depth -= 1;
  }
  return false;
}
