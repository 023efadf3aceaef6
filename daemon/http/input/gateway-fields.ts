/**
 * The parameters of `gateway/send` read into what the action takes: aliases, and numbers that forms can only
 * send as texts. Knows nothing of where the parameters stood in the request.
 */
import type { DispatchInput } from '../../../src/actions/dispatches/send-dispatch.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { idempotencyKeyIn, type Parameters, textIn } from './forms.js';

export const NUMBER_FIELDS = ['number', 'to', 'mobile', 'phone'];
export const MESSAGE_FIELDS = ['message', 'text', 'body'];

/**
 * @param headerKey value of the header Idempotency-Key, which may stand in the place of the field.
 * @throws KashboxError `field_invalid`, `invalid_input` (header and field name different keys)
 */
export function readDispatch(parameters: Parameters, headerKey: string | undefined): DispatchInput {
  const whole = (field: string) => wholeOf(field, parameters[field]);
  const key = textOf(parameters, ['idempotency_key']);
  return {
    number: textOf(parameters, NUMBER_FIELDS),
    message: textOf(parameters, MESSAGE_FIELDS),
    simSlot: whole('sim_slot'),
    idempotencyKey: idempotencyKeyIn(key, headerKey),
    ttlSeconds: whole('ttl_seconds'),
    priority: whole('priority'),
  };
}

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';

const textOf = (parameters: Parameters, fields: readonly string[]) =>
  textIn(parameters, fields, isAbsent, 'field_invalid');

function wholeOf(field: string, value: unknown): number | undefined {
  if (isAbsent(value)) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw new KashboxError('field_invalid', { message: `${field} must be a whole number` });
}
