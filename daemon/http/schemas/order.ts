/** What a shop says of an order in both payment APIs. Unknown fields are let through and never looked at. */
import { type StringOptions, type TObject, Type } from '@sinclair/typebox';
import { MAX_EMAIL, MAX_NAME } from '../../../src/actions/input/fields.js';
import { EMAIL_FIELDS, META_FIELDS, NAME_FIELDS } from '../input/payment-fields.js';
import { text, withAliases } from './fields.js';

export const orderName = (rules: StringOptions = {}) =>
  text('Name of the customer, one line.', undefined, { maxLength: MAX_NAME, ...rules });
export const orderEmail = (rules: StringOptions = {}) =>
  text('E-mail address of the customer, one line.', undefined, { maxLength: MAX_EMAIL, ...rules });

export const metaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'Your own data, which verify gives back: an object or the JSON text of one, at most 8 KiB and 8 levels. In a ' +
    'form or a query also `meta_data[order]=17`.',
});

/** @param need whether the name of the customer must be there, under any of its names. */
export function withOtherNames(fields: TObject, need: 'needed' | 'optional'): TObject {
  const named = withAliases(withAliases(fields, NAME_FIELDS, need), EMAIL_FIELDS, 'optional');
  return withAliases(named, META_FIELDS, 'optional');
}
