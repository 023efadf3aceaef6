/**
 * What a schema's complaint means to a caller: the row of our error table and the name of the field, never
 * what was sent.
 */
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { type ErrorCode, KashboxError } from '../../../src/base/errors/errors.js';

/** The rows of the error table that a route has for certain fields; `invalid_input` stands for the others. */
export type FieldFaults = Readonly<
  Record<
    string,
    {
      /** A list with too many entries. */
      readonly tooMany: ErrorCode;
    }
  >
>;

/** @returns a `schemaErrorFormatter` of Fastify: complaints of one request in, the error to answer out. */
export function schemaFaults(faults: FieldFaults) {
  /** @param complaints the last one is about the field as a whole. */
  return (complaints: readonly FastifySchemaValidationError[]): KashboxError => {
    const complaint = complaints.at(-1);
    if (complaint === undefined) return new KashboxError('invalid_input');
    const { keyword, params } = complaint;
    if (keyword === 'required') {
      return new KashboxError('invalid_input', { message: `${params.missingProperty} is required` });
    }
    const field = complaint.instancePath.split('/')[1];
    if (field === undefined)
      return new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
    const tooMany = faults[field]?.tooMany;
    if (keyword === 'maxItems' && tooMany !== undefined) return new KashboxError(tooMany);
    return new KashboxError('invalid_input', { message: `${field} ${faultText(keyword, params)}` });
  };
}

function faultText(keyword: string, params: Readonly<Record<string, unknown>>): string {
  if (keyword !== 'type') return 'is not valid';
  return `must be ${params.type === 'array' ? 'a list' : `a ${params.type}`}`;
}
