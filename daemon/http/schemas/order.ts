/**
 * Order that a shop sends in both payment APIs: its fields, and how they are parsed. Unknown fields are
 * accepted and ignored.
 */
import { type Static, type StringOptions, type TObject, Type } from '@sinclair/typebox';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import {
  amountField,
  customerField,
  descriptionField,
  idempotencyKeyField,
  itemsField,
  MAX_DESCRIPTION,
  MAX_EMAIL,
  MAX_IDEMPOTENCY_KEY,
  MAX_NAME,
  metaDataField,
} from '../../../src/actions/input/fields.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { findPlugin } from '../../../src/domain/plugins/plugins.js';
import { MAX_ITEM_NAME, MAX_ITEMS, MAX_QUANTITY } from '../../../src/domain/sessions/order-items.js';
import { MAX_SESSION_PAISA } from '../../../src/domain/sessions/session.js';
import { integer, Nullable, takaField, text, withAliases } from './fields.js';

export const orderName = (rules: StringOptions = {}) =>
  text('Name of the customer, one line.', undefined, { maxLength: MAX_NAME, ...rules });
export const orderEmail = (rules: StringOptions = {}) =>
  text('E-mail address of the customer, one line.', undefined, { maxLength: MAX_EMAIL, ...rules });

export const idempotencyKey = Type.Optional(
  Nullable(
    text(
      'Your own key for this payment, valid for a day: the same request with the same key returns the ' +
        'same payment. The header `Idempotency-Key` does the same.',
      undefined,
      { maxLength: MAX_IDEMPOTENCY_KEY },
    ),
  ),
);

export const metaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'Your own data, which verify returns: an object or its JSON text, at most 8 KiB and 8 levels. In a ' +
    'form or a query also `meta_data[order]=17`.',
});

const OrderLine = Type.Object(
  {
    name: text('What it is, one line.', 'Shirt', { minLength: 1, maxLength: MAX_ITEM_NAME }),
    quantity: Type.Optional(
      integer('Number of pieces.', 2, { minimum: 1, maximum: MAX_QUANTITY, default: 1 }),
    ),
    price: takaField(
      { minimum: -1_000_000, maximum: 1_000_000 },
      'Taka for one piece, with the syntax of `amount`; negative for a discount.',
      true,
    ),
  },
  { description: 'An order line.' },
);

/** What the customer pays for: optional in both creates. */
export const shownOrder = {
  description: Type.Optional(
    text(
      'What the customer pays for, in your words. Shown on the page of a hosted payment, and sent back in ' +
        'notifications.',
      undefined,
      { maxLength: MAX_DESCRIPTION },
    ),
  ),
  items: Type.Optional(
    Type.Union([Type.Array(OrderLine, { maxItems: MAX_ITEMS }), Type.String(), Type.Null()], {
      description:
        `The order lines, shown and sent back like the description: a list of up to ${MAX_ITEMS}, such as ` +
        '`[{"name":"Shirt","quantity":2,"price":"250.00"}]`, or its JSON text. `name`: at most ' +
        `${MAX_ITEM_NAME} characters. \`quantity\`: an integer up to ${MAX_QUANTITY.toLocaleString('en')}, ` +
        '1 by default. `price`: taka for one piece, negative for a discount. Quantity times price of all ' +
        'lines must add up to `amount`, or to `amount` and `due_on_delivery` together: send delivery and fees as lines, too. In a form or a query also ' +
        '`items[0][name]=Shirt&items[0][price]=250`.',
    }),
  ),
};

/** What is paid now, and how. */
export const splitOrder = {
  parts: Type.Optional(
    Type.Boolean({
      description: 'If the payment may come in parts, of several methods. Default: the setting of the brand.',
    }),
  ),
  due_on_delivery: Type.Optional(
    takaField(
      { minimum: 0, maximum: 1_000_000 },
      'For an advance: taka that the customer pays on delivery, in addition to `amount`, which is paid now. ' +
        'It is shown to the customer, and never collected here. Default: 0.',
    ),
  ),
};

const NAME_FIELDS = ['cus_name', 'customer_name', 'c_name', 'name', 'fullname'];
const EMAIL_FIELDS = ['cus_email', 'customer_email', 'c_email', 'email'];
const META_FIELDS = ['meta_data', 'metadata'];

export function withOtherNames<Fields extends TObject>(fields: Fields): Fields {
  return withAliases(withAliases(withAliases(fields, NAME_FIELDS), EMAIL_FIELDS), META_FIELDS);
}

interface OrderFields {
  /** Contains the exact text that was sent, if it is a JSON number (input/json.ts). */
  readonly amount: unknown;
  readonly cus_name?: string | null;
  readonly cus_email?: string | null;
  readonly meta_data?: Static<typeof metaData>;
  readonly description?: string | null;
  /** Numbers in it are their exact text (input/json.ts). */
  readonly items?: unknown;
  readonly parts?: boolean;
  /** As `amount`. */
  readonly due_on_delivery?: unknown;
}

/**
 * @param key idempotency key that the shop gave; undefined if there is none.
 * @returns empty texts for a missing name or address.
 * @throws KashboxError `invalid_input`, `amount_out_of_range`, `amount_decimals`, `items_total`
 */
export function parseOrder(order: OrderFields, { plugin }: BrandContext, key: string | undefined) {
  const isRounded = findPlugin(plugin)?.rounds === true;
  const amountPaisa = amountField(order.amount, isRounded);
  const deliveryPaisa =
    order.due_on_delivery === undefined ? 0 : amountField(order.due_on_delivery, isRounded);
  if (deliveryPaisa > MAX_SESSION_PAISA) throw new KashboxError('amount_out_of_range');
  return {
    amountPaisa,
    cusName: customerField('cus_name', order.cus_name ?? ''),
    cusEmail: customerField('cus_email', order.cus_email ?? ''),
    metaJson: metaDataField(order.meta_data),
    description: descriptionField(order.description ?? ''),
    items: itemsField(order.items, amountPaisa, deliveryPaisa),
    takesParts: order.parts,
    deliveryPaisa,
    idempotencyKey: key === undefined ? undefined : idempotencyKeyField('idempotency_key', key),
  };
}
