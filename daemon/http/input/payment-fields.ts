/**
 * The parameters of both payment APIs (spec 4.1 and 4.3 to 4.5) read into what the actions take: other names,
 * defaults and refusals. One code for v1 and v2, so that what one takes, the other takes; what the spec wants
 * differently stands side by side here. Knows nothing of where the parameters stood in the request.
 */
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import type { VerifyClaim } from '../../../src/actions/claims/verify-claim.js';
import {
  amountField,
  customerField,
  metaDataField,
  returnTypeField,
  returnUrlField,
  webhookUrlField,
} from '../../../src/actions/input/fields.js';
import type { CreateSession } from '../../../src/actions/sessions/create-session.js';
import { DEFAULT_CUSTOMER } from '../../../src/actions/sessions/read-checkout.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import type { Paisa } from '../../../src/base/values/money.js';
import { CHANNELS, isChannel } from '../../../src/domain/accounts/channels.js';
import type { Parameters } from './forms.js';
import { HOSTED_REFERENCE_FIELDS, VERIFY_REFERENCE_FIELDS } from './verify-reference.js';

/** Spec 4.1 has a fixed address whose text is not shown; mail to this domain reaches nobody. */
export const PLACEHOLDER_EMAIL = 'customer@example.com';

export const NAME_FIELDS = ['cus_name', 'customer_name', 'c_name', 'name', 'fullname'];
export const EMAIL_FIELDS = ['cus_email', 'customer_email', 'c_email', 'email'];
export const META_FIELDS = ['meta_data', 'metadata'];
/** In the order in which their absence is told. */
const REQUIRED_FIELDS = ['amount', 'success_url', 'cancel_url'];

/** What v1 and v2 read of an order alike; names and addresses are empty where there are none. */
function readOrder(parameters: Parameters) {
  return {
    amountPaisa: readAmount(parameters.amount),
    cusName: customerField('cus_name', textOf(parameters, NAME_FIELDS)),
    cusEmail: customerField('cus_email', textOf(parameters, EMAIL_FIELDS)),
    metaJson: metaDataField(META_FIELDS.map((field) => parameters[field]).find(isMetaData)),
  };
}

/**
 * Spec 4.1.
 * @param allowPrivate the setting `allowPrivateWebhooks`.
 * @throws KashboxError `field_required`, `field_invalid`, `amount_out_of_range`, `amount_decimals`
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
    const text = (field: string) => textOf(parameters, [field]);
    const order = readOrder(parameters);
    return {
      ...order,
      brand,
      hosted: {
        successUrl: returnUrlField('success_url', text('success_url')),
        cancelUrl: returnUrlField('cancel_url', text('cancel_url')),
        webhookUrl: webhookUrlField('webhook_url', text('webhook_url'), allowPrivate),
        returnType: returnTypeField('return_type', text('return_type') || brand.returnType),
      },
      cusName: order.cusName || DEFAULT_CUSTOMER,
      cusEmail: order.cusEmail || PLACEHOLDER_EMAIL,
    };
  });
}

/**
 * Spec 4.4.
 * @throws KashboxError `fields_required`, `invalid_input`, `amount_out_of_range`, `amount_decimals`
 */
export function readHeadlessCreate(parameters: Parameters, brand: BrandContext): CreateSession {
  const hasName = NAME_FIELDS.some((field) => !isEmpty(parameters[field]));
  if (!hasName || isEmpty(parameters.amount)) throw new KashboxError('fields_required');
  return { ...readOrder(parameters), brand, hosted: null };
}

/** Spec 4.3. @throws KashboxError `field_required`, `field_invalid` */
export function readHostedReference(parameters: Parameters): string {
  const reference = unprocessable(() => textOf(parameters, HOSTED_REFERENCE_FIELDS));
  if (reference === '') throw fieldRequired('transaction_id');
  return reference;
}

/** Session tokens as `newSessionId` makes them; what looks otherwise is nobody's and is not looked up. */
const SESSION_ID = /^[0-9a-f]{32}$/;

/** Spec 4.5. @throws KashboxError `invalid_input`, `method_unknown`, `session_not_found` */
export function readHeadlessClaim(parameters: Parameters): Omit<VerifyClaim, 'brand'> {
  const sessionId = requiredText(parameters, ['id']);
  const method = requiredText(parameters, ['method']);
  const reference = requiredText(parameters, VERIFY_REFERENCE_FIELDS);
  if (!isChannel(method)) {
    throw new KashboxError('method_unknown', { message: `method must be one of ${CHANNELS.join(', ')}` });
  }
  if (!SESSION_ID.test(sessionId)) throw new KashboxError('session_not_found');
  return { sessionId, method, reference };
}

/** @param fields the field itself first. */
function requiredText(parameters: Parameters, fields: readonly [string, ...string[]]): string {
  const text = textOf(parameters, fields);
  if (text !== '') return text;
  throw new KashboxError('invalid_input', { message: `${fields[0]} is required` });
}

/**
 * What is there and says nothing counts as absent: forms send every field that they have, and some programs
 * `false` for what they do not know, as WordPress does for the name of a guest.
 */
function isEmpty(value: unknown): boolean {
  const isNothing = value === undefined || value === null || value === false;
  return isNothing || (typeof value === 'string' && value.trim() === '');
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
