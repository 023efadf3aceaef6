/**
 * Parses the bytes of a body to one safe object. Refuses dangerous JSON (bytes that are not UTF-8, deep
 * nesting, prototype keys), and keeps the exact text of numbers that a float would change.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { parse as parseWithNumberTexts } from 'lossless-json';
import { parse as parseSafely } from 'secure-json-parse';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';

/** Nesting depth, including the outermost. Deeper input could not be written back. */
const MAX_DEPTH = 20;
/**
 * Keys of all objects of a body together. Many keys make parsing slow: 5,000 keys in 54 KB took ten times as
 * long as one string of that size.
 */
const MAX_KEYS = 1_000;
/** Maximum for the body of a phone: 200 messages and 200 reports have 2,000 keys. */
export const MAX_PHONE_KEYS = 4_000;

/** Objects that are returned to the shop unchanged, also with numbers beyond a double. */
const KEPT_OBJECTS = ['meta_data', 'metadata'];
/** List whose numbers are money or counts: each is replaced by its exact text, as a form has it. */
const LIST = 'items';
/** Amounts of taka. */
const AMOUNTS = ['amount', 'due_on_delivery'];
/** Number whose text may change when parsed: a long one, one with a point or exponent, `-0`. */
const FRAGILE_NUMBER = /[:,[]\s*(?:-0|-?\d{16}|-?\d+[.eE])/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Lets `app` accept only JSON: one object of up to `maxKeys` keys. */
export function acceptOnlyJson(app: FastifyInstance, maxKeys = MAX_KEYS): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, parseBody(body as Buffer, maxKeys));
  });
}

/**
 * @param bytes the complete body.
 * @param maxKeys maximum number of keys of all its objects together.
 * @returns the object. If an amount in it is a JSON number, the exact text of that number replaces it; so
 * in the lines of `items`. If an object of the merchant contains numbers that parsing would change, its JSON
 * text replaces it.
 * @throws KashboxError `invalid_json`, which never repeats the input.
 */
export function parseBody(bytes: Buffer, maxKeys = MAX_KEYS): Record<string, unknown> {
  const text = safeText(bytes, maxKeys);
  const value = parseText(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
  }
  const body = value as Record<string, unknown>;
  if (Array.isArray(body[LIST])) body[LIST] = parseNumbersAs(text, String)[LIST];
  const fragile = KEPT_OBJECTS.filter((name) => isObject(body[name]) && FRAGILE_NUMBER.test(text));
  const amounts = AMOUNTS.filter((name) => typeof body[name] === 'number');
  if (amounts.length === 0 && fragile.length === 0) return body;
  const exact = parseNumbersAs(text, (number) => new JsonText(number));
  for (const name of amounts) {
    const number = exact[name];
    if (number instanceof JsonText) body[name] = number.text;
  }
  for (const name of fragile) body[name] = writeJson(exact[name]);
  return body;
}

/**
 * Parses the body of a phone, which may be a list; its numbers are ordinary JavaScript numbers.
 * @throws KashboxError `invalid_json`
 */
export function parseAnyBody(bytes: Buffer): unknown {
  return parseText(safeText(bytes, MAX_PHONE_KEYS));
}

/**
 * Parses a list that a form or a JSON body contains as JSON text.
 * @returns the list, with each number as its exact text; anything else unchanged.
 */
export function parseListText(text: string): unknown {
  try {
    const list = safeText(Buffer.from(text), MAX_KEYS);
    return Array.isArray(parseText(list)) ? parseNumbersAs(list, String) : text;
  } catch {
    return text;
  }
}

/**
 * Parses the body of an app whose template quotes an SMS of several lines without escaping. Line breaks and
 * other control characters inside of strings are read as if they were escaped.
 * @throws KashboxError `invalid_json`
 */
export function parseTemplated(bytes: Buffer): Record<string, unknown> {
  try {
    return parseBody(bytes);
  } catch (error) {
    const repaired = isUtf8(bytes) ? escapedInStrings(bytes.toString('utf8')) : null;
    if (repaired === null) throw error;
    return parseBody(Buffer.from(repaired));
  }
}

/** @returns null where no string holds a control character. */
function escapedInStrings(text: string): string | null {
  let isInString = false;
  let isEscaped = false;
  let isRepaired = false;
  let repaired = '';
  for (const char of text) {
    const isControl = isInString && char < ' ';
    repaired += isControl ? JSON.stringify(char).slice(isEscaped ? 2 : 1, -1) : char;
    isRepaired ||= isControl;
    if (isInString && !isEscaped && char === '"') isInString = false;
    else if (!isInString && char === '"') isInString = true;
    isEscaped = isInString && !isEscaped && char === '\\';
  }
  return isRepaired ? repaired : null;
}

function safeText(bytes: Buffer, maxKeys: number): string {
  if (bytes.length === 0) throw new KashboxError('invalid_json', { message: 'The body is empty' });
  if (!isUtf8(bytes)) throw new KashboxError('invalid_json', { message: 'The body is not valid UTF-8' });
  refuseTooManyKeys(bytes, maxKeys);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

const DANGEROUS_KEY =
  'The body has a key "__proto__", or "prototype" inside of "constructor", which is never taken: rename it';

function parseText(text: string): unknown {
  try {
    return parseSafely(text);
  } catch (error) {
    const isDangerous = /forbidden prototype/.test(String(error));
    throw new KashboxError('invalid_json', isDangerous ? { message: DANGEROUS_KEY } : {});
  }
}

/**
 * Texts such as `1e5`, `10.005` and `1.00000000000000001` are lost in a number, so they are read by a second,
 * slower parser. Of a repeated key the last value counts, as in `JSON.parse`.
 */
function parseNumbersAs(
  text: string,
  parseNumber: (number: string) => unknown,
): Readonly<Record<string, unknown>> {
  return parseWithNumberTexts(text, null, {
    parseNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Record<string, unknown>;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counted before parsing, because the parser has no limits. */
function refuseTooManyKeys(bytes: Buffer, maxKeys: number): void {
  let depth = 0;
  let keys = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COLON) keys += 1;
    else if (OPEN.has(byte)) depth += 1;
    else if (CLOSE.has(byte)) depth -= 1;
    if (depth > MAX_DEPTH) {
      throw new KashboxError('invalid_json', { message: 'The body is nested too deeply' });
    }
    if (keys > maxKeys) {
      throw new KashboxError('invalid_json', { message: `The body has more than ${maxKeys} keys` });
    }
  }
}
