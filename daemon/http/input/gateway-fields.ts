/**
 * The parameters of `gateway/send` (design.md section 6) read into what the action takes: aliases, and
 * numbers that forms can only send as texts. Knows nothing of where the parameters stood in the request.
 */
import type { DispatchInput } from '../../../src/actions/dispatches/dispatch-input.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Parameters } from './forms.js';

export const NUMBER_FIELDS = ['number', 'to', 'mobile', 'phone'];
export const MESSAGE_FIELDS = ['message', 'text', 'body'];

/**
 * @param headerKey value of the header Idempotency-Key, which may stand in the place of the field.
 * @throws KashboxError `field_invalid`, `invalid_input` (header and field name different keys)
 */
export function readDispatch(parameters: Parameters, headerKey: string | undefined): DispatchInput {
  const whole = (field: string) => wholeOf(field, parameters[field]);
  const key = textOf(parameters, ['idempotency_key']);
  if (key !== '' && headerKey !== undefined && headerKey !== key) throw twoKeys();
  return {
    number: textOf(parameters, NUMBER_FIELDS),
    message: textOf(parameters, MESSAGE_FIELDS),
    simSlot: whole('sim_slot'),
    idempotencyKey: key === '' ? headerKey : key,
    ttlSeconds: whole('ttl_seconds'),
    priority: whole('priority'),
  };
}

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

/** The first that is there; PHP's JSON_NUMERIC_CHECK makes numbers of texts that are all digits. */
function textOf(parameters: Parameters, fields: readonly string[]): string {
  const field = fields.find((name) => !isAbsent(parameters[name]));
  const value = field === undefined ? '' : parameters[field];
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return String(value);
  throw wrong(field, 'a text');
}

function wholeOf(field: string, value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw wrong(field, 'a whole number');
}

function wrong(field: string | undefined, wanted: string): KashboxError {
  return new KashboxError('field_invalid', { message: `${field} must be ${wanted}` });
}

/** Whichever of the two were taken, the sender may mean the other when it asks again. */
function twoKeys(): KashboxError {
  return new KashboxError('invalid_input', {
    message: 'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
  });
}
