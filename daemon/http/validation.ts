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

const REQUIRED_ON_CREATE: readonly string[] = ['cus_name', 'amount'];

/** @param complaints of one request, the last one about the field as a whole. */
export function validationFault(complaints: readonly FastifySchemaValidationError[]): KashboxError {
  const complaint: Complaint | undefined = complaints.at(-1);
  if (complaint === undefined) return new KashboxError('invalid_input');
  const { keyword, params } = complaint;
  if (keyword === 'required') return missing(String(params.missingProperty));
  const field = complaint.instancePath.split('/')[1];
  if (field === undefined)
    return new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
  if (complaint.data === null && REQUIRED_ON_CREATE.includes(field))
    return new KashboxError('fields_required');
  const code = specialCode(field, keyword);
  if (code !== undefined) return new KashboxError(code);
  return new KashboxError('invalid_input', { message: `${field} ${faultText(field, keyword, params)}` });
}

function missing(field: string): KashboxError {
  if (REQUIRED_ON_CREATE.includes(field)) return new KashboxError('fields_required');
  return new KashboxError('invalid_input', { message: `${field} is required` });
}

function specialCode(field: string, keyword: string): ErrorCode | undefined {
  if (field === 'amount') return 'amount_out_of_range';
  return field === 'messages' && keyword === 'maxItems' ? 'batch_too_large' : undefined;
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
