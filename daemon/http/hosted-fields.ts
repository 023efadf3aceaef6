/**
 * The parameters of the hosted API (spec 4.1 and 4.3) read into what the actions take: aliases, defaults and
 * the 422s of v1. Knows nothing of where the parameters stood in the request.
 */
import type { BrandContext } from '../../src/actions/brand-context.js';
import type { CreateSession } from '../../src/actions/create-session.js';
import {
  amountField,
  customerField,
  metaDataField,
  returnTypeField,
  returnUrlField,
  webhookUrlField,
} from '../../src/actions/fields.js';
import { DEFAULT_CUSTOMER } from '../../src/actions/read-checkout.js';
import { isKashboxError, KashboxError } from '../../src/base/errors.js';
import type { Paisa } from '../../src/base/money.js';
import type { Parameters } from './forms.js';
import { HOSTED_REFERENCE_FIELDS } from './verify-reference.js';

/** Spec 4.1 has a fixed address whose text is not shown; mail to this domain reaches nobody. */
export const PLACEHOLDER_EMAIL = 'customer@example.com';

export const NAME_FIELDS = ['cus_name', 'customer_name', 'c_name', 'name'];
export const EMAIL_FIELDS = ['cus_email', 'customer_email', 'c_email', 'email'];
export const META_FIELDS = ['meta_data', 'metadata'];
/** In the order in which their absence is told. */
const REQUIRED_FIELDS = ['amount', 'success_url', 'cancel_url'];

/**
 * @param allowPrivate the setting `allowPrivateWebhooks`.
 * @throws KashboxError `field_required`, `field_invalid`, `amount_out_of_range`
 */
export function readHostedCreate(
  parameters: Parameters,
  brand: BrandContext,
  allowPrivate: boolean,
): CreateSession {
  for (const field of REQUIRED_FIELDS) {
    if (isEmpty(parameters[field])) throw fieldRequired(field);
  }
  return unprocessable(() => {
    const text = (...fields: readonly string[]) => textOf(parameters, fields);
    return {
      brand,
      amountPaisa: readAmount(parameters.amount),
      hosted: {
        successUrl: returnUrlField('success_url', text('success_url')),
        cancelUrl: returnUrlField('cancel_url', text('cancel_url')),
        webhookUrl: webhookUrlField('webhook_url', text('webhook_url'), allowPrivate),
        returnType: returnTypeField('return_type', text('return_type') || brand.returnType),
      },
      cusName: customerField('cus_name', text(...NAME_FIELDS) || DEFAULT_CUSTOMER),
      cusEmail: customerField('cus_email', text(...EMAIL_FIELDS) || PLACEHOLDER_EMAIL),
      metaJson: metaDataField(META_FIELDS.map((field) => parameters[field]).find(isMetaData)),
    };
  });
}

/** @throws KashboxError `field_required`, `field_invalid` */
export function readHostedReference(parameters: Parameters): string {
  const reference = unprocessable(() => textOf(parameters, HOSTED_REFERENCE_FIELDS));
  if (reference === '') throw fieldRequired('transaction_id');
  return reference;
}

/** What is there and says nothing counts as absent: forms send every field that they have. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Without its keys an empty array of PHP is a list: `[]`, or the JSON text of one. */
function isMetaData(value: unknown): boolean {
  const isNothing = value === 'null' || value === '[]' || (Array.isArray(value) && value.length === 0);
  return !isNothing && !isEmpty(value);
}

/**
 * @returns the first that is not empty, as it was sent; an empty text if all are. PHP's JSON_NUMERIC_CHECK
 *   makes numbers of names and ids that are all digits: those that a float holds exactly are their text.
 */
function textOf(parameters: Parameters, fields: readonly string[]): string {
  const field = fields.find((name) => !isEmpty(parameters[name]));
  const value = field === undefined ? '' : parameters[field];
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return String(value);
  throw new KashboxError('invalid_input', { message: `${field} must be a text` });
}

/** A JSON number stands here as the text that was sent (http/json). */
function readAmount(value: unknown): Paisa {
  if (typeof value !== 'string') throw new KashboxError('amount_out_of_range');
  return amountField(value);
}

function fieldRequired(field: string): KashboxError {
  return new KashboxError('field_required', { message: `The ${field} field is required` });
}

/** Where the rest of the API answers 400 and "amount …", v1 answers 422 and "The amount …" (spec 7). */
function unprocessable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isKashboxError(error, 'invalid_input')) throw error;
    throw new KashboxError('field_invalid', { message: `The ${error.message}`, cause: error });
  }
}
