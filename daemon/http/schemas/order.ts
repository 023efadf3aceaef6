/** What a shop says of an order in both payment APIs. Unknown fields are let through and never looked at. */
import { type StringOptions, type TObject, Type } from '@sinclair/typebox';
import { MAX_EMAIL, MAX_IDEMPOTENCY_KEY, MAX_NAME } from '../../../src/actions/input/fields.js';
import { EMAIL_FIELDS, META_FIELDS, NAME_FIELDS } from '../input/payment-fields.js';
import { Nullable, text, withAliases } from './fields.js';

export const orderName = (rules: StringOptions = {}) =>
  text('Name of the customer, one line.', undefined, { maxLength: MAX_NAME, ...rules });
export const orderEmail = (rules: StringOptions = {}) =>
  text('E-mail address of the customer, one line.', undefined, { maxLength: MAX_EMAIL, ...rules });

export const idempotencyKey = Type.Optional(
  Nullable(
    text(
      'Your own name for this payment, for a day: the same request again under the same key is answered with the ' +
        'same payment. The header `Idempotency-Key` does the same.',
      undefined,
      { maxLength: MAX_IDEMPOTENCY_KEY },
    ),
  ),
);

export const metaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'Your own data, which verify gives back: an object or the JSON text of one, at most 8 KiB and 8 levels. In a ' +
    'form or a query also `meta_data[order]=17`.',
});

export function withOtherNames(fields: TObject): TObject {
  return withAliases(withAliases(withAliases(fields, NAME_FIELDS), EMAIL_FIELDS), META_FIELDS);
}
