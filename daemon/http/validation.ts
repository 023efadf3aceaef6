/**
 * What a schema's complaint means to a caller: the row of our error table and the name of the field, never
 * what was sent.
 */
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { type ErrorCode, KashboxError } from '../../src/base/errors.js';

/** Ajv's complaint, with the offending value (its option `verbose`). */
interface Complaint extends FastifySchemaValidationError {
  readonly data?: unknown;
}

/** The rows of the error table that a route has for certain fields; `invalid_input` stands for the others. */
export type FieldFaults = Readonly<
  Record<
    string,
    {
      /** Absent, or null. */
      readonly missing?: ErrorCode;
      readonly wrong?: ErrorCode;
      /** A list with too many entries. */
      readonly tooMany?: ErrorCode;
    }
  >
>;

/** @returns a `schemaErrorFormatter` of Fastify: complaints of one request in, the error to answer out. */
export function schemaFaults(faults: FieldFaults) {
  /** @param complaints the last one is about the field as a whole. */
  return (complaints: readonly FastifySchemaValidationError[]): KashboxError => {
    const complaint: Complaint | undefined = complaints.at(-1);
    if (complaint === undefined) return new KashboxError('invalid_input');
    const { keyword, params, data } = complaint;
    if (keyword === 'required') return missing(faults, String(params.missingProperty));
    const field = complaint.instancePath.split('/')[1];
    if (field === undefined)
      return new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
    const own = faults[field];
    if (data === null && own?.missing !== undefined) return new KashboxError(own.missing);
    const code = keyword === 'maxItems' ? own?.tooMany : own?.wrong;
    if (code !== undefined) return new KashboxError(code);
    return new KashboxError('invalid_input', { message: `${field} ${faultText(field, keyword, params)}` });
  };
}

function missing(faults: FieldFaults, field: string): KashboxError {
  const code = faults[field]?.missing;
  return code === undefined
    ? new KashboxError('invalid_input', { message: `${field} is required` })
    : new KashboxError(code);
}

function faultText(field: string, keyword: string, params: Readonly<Record<string, unknown>>): string {
  switch (keyword) {
    case 'type':
      return `must be ${params.type === 'array' ? 'a list' : `a ${params.type}`}`;
    case 'maxLength':
      return `may be at most ${params.limit} characters long`;
    case 'pattern':
      return 'has a line break or another control character';
    case 'anyOf':
      return /^meta_?data$/.test(field) ? 'must be an object' : 'must be a text';
    default:
      return 'is not valid';
  }
}
