/**
 * Validates bodies and queries by the schemas that the reference shows (schemas/operation.ts): which fields
 * are required, their names, and their types. Limits of the values (lengths, ranges, addresses) are rules of
 * the actions, because they also apply to the command line. Knows no field's name.
 */
import type { TObject } from '@sinclair/typebox';
import type { FastifySchemaCompiler } from 'fastify';
import type { KashboxError } from '../../../src/base/errors/errors.js';
import type { Parameters } from './forms.js';
import { parseListText } from './json.js';

/** Errors of a family of routes for input that does not have the shape of its schema. */
export interface ShapeRefusals {
  missing(field: string): KashboxError;
  /** @param fault a sentence that begins with the name of the field. */
  wrong(fault: string): KashboxError;
}

interface ShapeField {
  readonly name: string;
  /** Names that are accepted; if several are sent, the first one that is not empty counts. */
  readonly names: readonly string[];
  readonly isRequired: boolean;
  /** Type, the first if several: the others are its spellings. Undefined if any type is allowed. */
  readonly type: string | undefined;
}

/**
 * @returns a validator for Fastify. It returns the input with each field of the schema under its first name,
 * undefined if that is empty.
 */
export function shapeCompiler(refusals: ShapeRefusals): FastifySchemaCompiler<unknown> {
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body' && httpPart !== 'querystring') return () => true;
    const { properties, required = [] } = schema as TObject;
    const fields = Object.entries(properties).map(
      ([name, property]): ShapeField => ({
        name,
        names: [name, ...((property['x-aliases'] ?? []) as string[])],
        isRequired: required.includes(name),
        type: property.type ?? property.anyOf?.[0].type,
      }),
    );
    return (sent: Parameters) => validateShape(fields, sent, refusals);
  };
}

function validateShape(fields: readonly ShapeField[], sent: Parameters, refusals: ShapeRefusals) {
  const value: Record<string, unknown> = { ...sent };
  for (const { name, names, isRequired, type } of fields) {
    const given = names.find((one) => !isEmpty(sent[one], type));
    if (given === undefined && isRequired) return { error: refusals.missing(name) };
    value[name] = given === undefined ? undefined : asType(sent[given], type);
    if (value[name] === UNREADABLE) return { error: refusals.wrong(`${given} must be ${WORDS[type ?? '']}`) };
  }
  return { value };
}

/**
 * Empty values count as absent: forms send every field, and some programs send `false` for unknown values,
 * as WordPress does for a guest's name. Without its keys an empty array of PHP is a list: `[]`, or its JSON
 * text.
 */
function isEmpty(value: unknown, type: string | undefined): boolean {
  if (type === 'boolean' && value === false) return false;
  if (value === undefined || value === null || value === false) return true;
  if (type !== 'object' && type !== 'array') return isBlank(value);
  if (value === 'null' || value === '[]') return true;
  return Array.isArray(value) ? value.length === 0 : isBlank(value);
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const UNREADABLE = Symbol('unreadable');
const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
};
const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, on: true, yes: true, false: false, 0: false, off: false, no: false }),
);

/**
 * Forms have texts alone, and PHP's JSON_NUMERIC_CHECK makes numbers of texts that are all digits: those
 * that a float holds exactly are their text. Amounts and objects stay as they came: money is never a float
 * (json.ts).
 */
function asType(value: unknown, type: string | undefined): unknown {
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      return Number.isSafeInteger(value) ? String(value) : UNREADABLE;
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
      return Number.isInteger(number) ? number : UNREADABLE;
    }
    case 'boolean':
      return BOOLEANS.get(String(value).trim().toLowerCase()) ?? UNREADABLE;
    case 'array':
      return typeof value === 'string' ? parseListText(value) : value;
    default:
      return value;
  }
}
