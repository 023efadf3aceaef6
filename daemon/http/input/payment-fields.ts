/**
 * Reads the parameters of both payment APIs into the input of the actions: aliases, defaults and refusals.
 * Shared by v1 and v2, so that both accept the same; their differences are here, side by side. Does not know
 * where in the request a parameter was.
 */
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import type { VerifyClaim } from '../../../src/actions/claims/verify-claim.js';
import {
  amountField,
  customerField,
  idempotencyKeyField,
  metaDataField,
  noNumber,
  returnTypeField,
  returnUrlField,
  webhookUrlField,
} from '../../../src/actions/input/fields.js';
import type { CreateSession } from '../../../src/actions/sessions/create-session.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import type { Paisa } from '../../../src/base/values/money.js';
import { CHANNELS, isChannel } from '../../../src/domain/accounts/channels.js';
import { pluginOf } from '../../../src/domain/plugins/plugins.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../../src/domain/sessions/session.js';
import { idempotencyKeyIn, type Parameters, textIn } from './forms.js';

export const NAME_FIELDS = ['cus_name', 'customer_name', 'c_name', 'name', 'fullname'];
export const EMAIL_FIELDS = ['cus_email', 'customer_email', 'c_email', 'email'];
export const META_FIELDS = ['meta_data', 'metadata'];
/** `transaction_id` and its other names in the order in which they are read. */
export const VERIFY_REFERENCE_FIELDS = [
  'transaction_id',
  'order_id',
  'order',
  'trx_id',
  'transactionId',
  'tx_hash',
  'txhash',
  'hash',
  'number',
  'mobile',
  'trx',
  'mobile_number',
] as const;
/** The same for v1. */
export const HOSTED_REFERENCE_FIELDS = [
  'transaction_id',
  'transactionId',
  'transactionid',
  'trx_id',
  'trx',
  'transaction',
] as const;
/** Missing fields are reported in this order. */
const REQUIRED_FIELDS = ['amount', 'success_url', 'cancel_url'];

/** What v1 and v2 read of an order alike; names and addresses are empty where there are none. */
function readOrder(parameters: Parameters, { plugin }: BrandContext, key: string | undefined) {
  return {
    amountPaisa: readAmount(parameters.amount, pluginOf(plugin)?.rounds === true),
    cusName: customerField('cus_name', textOf(parameters, NAME_FIELDS)),
    cusEmail: customerField('cus_email', textOf(parameters, EMAIL_FIELDS)),
    metaJson: metaDataField(META_FIELDS.map((field) => parameters[field]).find(isMetaData)),
    idempotencyKey: key === undefined ? undefined : idempotencyKeyField('idempotency_key', key),
  };
}

/**
 * Hosted create (docs/api.md).
 * @param headerKey value of the header Idempotency-Key, which may stand in the place of the field.
 * @param allowed which webhook addresses beside public ones (config/settings, `privateWebhooks`).
 * @throws KashboxError `field_required`, `field_invalid`, `amount_out_of_range`, `amount_decimals`
 */
export function readHostedCreate(
  parameters: Parameters,
  brand: BrandContext,
  headerKey: string | undefined,
  allowed: boolean | 'loopback',
): CreateSession {
  for (const field of REQUIRED_FIELDS) {
    if (isEmpty(parameters[field])) throw fieldRequired(field);
  }
  const key = keyOf(parameters, headerKey);
  return unprocessable(() => {
    const text = (field: string) => textOf(parameters, [field]);
    const order = readOrder(parameters, brand, key);
    return {
      ...order,
      brand,
      hosted: {
        successUrl: returnUrlField('success_url', text('success_url'), brand.isTest),
        cancelUrl: returnUrlField('cancel_url', text('cancel_url'), brand.isTest),
        webhookUrl: webhookUrlField('webhook_url', text('webhook_url'), allowed),
        returnType: returnTypeField('return_type', text('return_type') || brand.returnType),
      },
      cusName: order.cusName || DEFAULT_CUSTOMER,
      cusEmail: order.cusEmail || PLACEHOLDER_EMAIL,
    };
  });
}

/**
 * Headless create (docs/api.md).
 * @throws KashboxError `fields_required`, `invalid_input`, `amount_out_of_range`, `amount_decimals`
 */
export function readHeadlessCreate(
  parameters: Parameters,
  brand: BrandContext,
  headerKey?: string,
): CreateSession {
  const hasName = NAME_FIELDS.some((field) => !isEmpty(parameters[field]));
  if (!hasName || isEmpty(parameters.amount)) throw new KashboxError('fields_required');
  return { ...readOrder(parameters, brand, keyOf(parameters, headerKey)), brand, hosted: null };
}

/** Hosted verify (docs/api.md). @throws KashboxError `field_required`, `field_invalid` */
export function readHostedReference(parameters: Parameters): string {
  const reference = unprocessable(() => textOf(parameters, HOSTED_REFERENCE_FIELDS));
  if (reference === '') throw fieldRequired('transaction_id');
  return reference;
}

/**
 * Headless verify (docs/api.md).
 * @throws KashboxError `invalid_input`, `method_unknown`, `session_not_found`
 */
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
 * Empty values count as absent: forms send every field, and some programs send `false` for unknown values, as
 * WordPress does for a guest's name.
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

const textOf = (parameters: Parameters, fields: readonly string[]) =>
  textIn(parameters, fields, isEmpty, 'invalid_input');

/** A JSON number stands here as the text that was sent (http/json). */
function readAmount(value: unknown, isRounded: boolean): Paisa {
  if (typeof value !== 'string') throw noNumber();
  return amountField(value, isRounded);
}

const keyOf = (parameters: Parameters, headerKey: string | undefined) =>
  idempotencyKeyIn(textOf(parameters, ['idempotency_key']), headerKey);

function fieldRequired(field: string): KashboxError {
  return new KashboxError('field_required', { message: `The ${field} field is required` });
}

/** v1 answers 422 with "The amount …" where the rest of the API answers 400 with "amount …". */
function unprocessable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isKashboxError(error, 'invalid_input')) throw error;
    throw new KashboxError('field_invalid', { message: `The ${error.message}`, cause: error });
  }
}
