/**
 * Validates bodies and queries by the schemas that the reference shows (schemas/operation.ts): which fields
 * there must be, under which of their names, and of which type. What a value may be (lengths, ranges,
 * addresses) is a rule of the actions, which the command line has to keep, too. Knows no field's name.
 */
import type { TObject } from '@sinclair/typebox';
import type { FastifySchemaCompiler } from 'fastify';
import type { KashboxError } from '../../../src/base/errors/errors.js';
import type { Parameters } from './forms.js';

/** How a family of routes refuses what lacks the shape of its schema. */
export interface ShapeRefusals {
  missing(field: string): KashboxError;
  /** @param fault a sentence that begins with the name of the field. */
  wrong(fault: string): KashboxError;
}

interface ShapeField {
  readonly name: string;
  /** Under which it is taken; of several that are sent the first counts. */
  readonly names: readonly string[];
  readonly isRequired: boolean;
  /** Of several the first: the others are spellings of it. None where anything may stand. */
  readonly type: string | undefined;
}

/**
 * @returns a validator for Fastify. It hands on what was sent, each field of the schema under its first
 *   name, and undefined where that is empty.
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
    return (sent: Parameters) => readShape(fields, sent, refusals);
  };
}

function readShape(fields: readonly ShapeField[], sent: Parameters, refusals: ShapeRefusals) {
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
  if (value === undefined || value === null || value === false) return true;
  if (type === 'object' && (value === 'null' || value === '[]')) return true;
  return type === 'object' && Array.isArray(value) ? value.length === 0 : isBlank(value);
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const UNREADABLE = Symbol('unreadable');
const WORDS: Readonly<Record<string, string>> = { string: 'a text', integer: 'a whole number' };

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
    default:
      return value;
  }
}
