/**
 * The requests and answers of both payment APIs, as schemas. They are the API's documentation: what a request
 * says is read in payment-fields.ts, and a test holds the two against each other. Unknown fields are let
 * through and never looked at.
 */
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { DEFAULT_CUSTOMER } from '../../src/actions/read-checkout.js';
import { CHANNELS } from '../../src/domain/channels.js';
import { RETURN_METHODS } from '../../src/domain/redirect.js';
import { EMAIL_FIELDS, META_FIELDS, NAME_FIELDS, PLACEHOLDER_EMAIL } from './payment-fields.js';
import { takaField, withAliases } from './schema-fields.js';
import { HOSTED_REFERENCE_FIELDS, VERIFY_REFERENCE_FIELDS } from './verify-reference.js';

const MAX_NAME = 200;
const MAX_EMAIL = 254;
const MAX_URL = 2_048;

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const MetaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'An object or the JSON text of one, at most 8 KiB and 8 levels. Verify gives it back. In a form or a query ' +
    'also `metadata[order]=17`.',
});

const returnAddress = (when: string) =>
  Type.String({
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
    maxLength: MAX_URL,
    description: `Where the customer goes ${when}. Absolute HTTPS address; it may have a query.`,
  });

const hostedFields = Type.Object({
  amount: takaField(
    { minimum: 1, maximum: 1_000_000 },
    'Taka from 1 to 1,000,000 with at most two decimals, as a number or a text.',
  ),
  success_url: returnAddress('when the payment is made, or under review'),
  cancel_url: returnAddress('when it is cancelled, refused or expired'),
  webhook_url: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: MAX_URL,
      description: 'Public HTTPS address for notifications. Else the brand’s own.',
    }),
  ),
  cus_name: Type.Optional(
    Type.String({
      maxLength: MAX_NAME,
      default: DEFAULT_CUSTOMER,
      description: 'Name of the customer, one line; of a whole number in JSON its digits.',
    }),
  ),
  cus_email: Type.Optional(
    Type.String({
      maxLength: MAX_EMAIL,
      default: PLACEHOLDER_EMAIL,
      description: 'E-mail address of the customer, one line.',
    }),
  ),
  meta_data: Type.Optional(MetaData),
  return_type: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: RETURN_METHODS,
      description:
        'How the customer brings the parameters back: in the query, or as a form. In any case of letters. ' +
        'Else as the brand has set, which is `GET` at first.',
    }),
  ),
});

const ApiKey = Type.Optional(
  Type.Unknown({
    description: 'Deprecated place of the Brand Key; send the header BRAND-KEY instead.',
    deprecated: true,
  }),
);

const headlessFields = Type.Object({
  cus_name: Type.String({
    maxLength: MAX_NAME,
    description: 'Name of the customer, one line; of a whole number in JSON its digits.',
  }),
  amount: takaField(
    { exclusiveMinimum: 0, maximum: 1_000_000 },
    'Taka above 0 and up to 1,000,000 with at most two decimals, as a number or a text.',
  ),
  cus_email: Type.Optional(
    Nullable(Type.String({ maxLength: MAX_EMAIL, description: 'E-mail address of the customer, one line.' })),
  ),
  meta_data: Type.Optional(MetaData),
  api_key: ApiKey,
});

const withOtherNames = (fields: TObject, need: 'needed' | 'optional'): TObject =>
  withAliases(
    withAliases(withAliases(fields, NAME_FIELDS, need), EMAIL_FIELDS, 'optional'),
    META_FIELDS,
    'optional',
  );

/** Spec 4.1. */
export const HostedCreateBody = withOtherNames(hostedFields, 'optional');

/** Spec 4.4. */
export const CreateBody = withOtherNames(headlessFields, 'needed');

/** Spec 4.3. */
export const HostedVerifyBody = withAliases(
  Type.Object({
    transaction_id: Type.String({
      description:
        'The `transactionId` with which the customer came back, or the session reference at the end of ' +
        '`payment_url`. It must be there, under this name or one of the others; case does not matter. Of ' +
        'a whole number in JSON its digits.',
    }),
  }),
  HOSTED_REFERENCE_FIELDS,
  'needed',
);

/** Spec 4.5. */
export const VerifyBody = withAliases(
  Type.Object({
    id: Type.String({ description: 'Session token from payment/create.' }),
    method: Type.Unsafe<string>({
      type: 'string',
      enum: CHANNELS,
      description: 'How the customer has paid.',
    }),
    transaction_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'The transaction id of the customer’s SMS. It must be there, under this name or one of the others; case ' +
        'and spaces around it do not matter.',
    }),
    api_key: ApiKey,
  }),
  VERIFY_REFERENCE_FIELDS,
  'needed',
);

const Flags = Type.Object({}, { additionalProperties: Type.Boolean() });

const MethodEntry = Type.Object({
  name: Type.String({ description: 'Channel identifier' }),
  active_payments: Flags,
  personal: Type.Optional(Type.String()),
  agent: Type.Optional(Type.String()),
  payment: Type.Optional(Type.String()),
  qr_image: Type.Optional(
    Type.String({ description: 'Picture of a QR code with the amount; .svg instead of .png works, too' }),
  ),
  network: Type.Optional(Type.String({ description: 'Network name of the chain' })),
  currency: Type.Optional(Type.String({ description: 'USDT' })),
  receiver_address: Type.Optional(Type.String({ description: 'Wallet address' })),
  dollar_rate: Type.Optional(Type.Number({ description: 'BDT for one USDT' })),
  amount_usdt: Type.Optional(
    Type.Number({ description: 'What to pay in USDT: exactly this, by its last digits it is recognised' }),
  ),
});

/** Spec 2.1 to 2.3. */
export const CreateAnswer = Type.Object({
  status: Type.Boolean(),
  id: Type.String({ description: 'Session token for payment/verify' }),
  brand: Type.Object({
    name: Type.String(),
    mobile: Type.String(),
    whatsapp: Type.String(),
    email: Type.String(),
  }),
  methods: Type.Array(MethodEntry),
});

/** Spec 2.5, v2: the amount is a number. */
export const VerifyAnswer = Type.Object({
  status: Type.Boolean(),
  message: Type.String(),
  data: Type.Object({
    cus_name: Type.String(),
    cus_email: Type.String(),
    amount: Type.Number(),
    transaction_id: Type.String(),
    meta_data: Type.Unknown({ description: 'The object given at creation, or null' }),
    payment_method: Type.String(),
    status: Type.String({ description: 'COMPLETED, PENDING or FAILED' }),
    amount_usdt: Type.Optional(Type.Unknown({ description: 'bep20: USDT that was transferred, a number' })),
    receiver: Type.Optional(Type.Unknown({ description: 'bep20: wallet that received it' })),
  }),
});

/** Spec 4.1. */
export const HostedCreateAnswer = Type.Object({
  status: Type.Boolean(),
  message: Type.String(),
  payment_url: Type.String({ description: 'Where the shop sends its customer' }),
});

const hostedRecord = {
  cus_name: Type.String(),
  cus_email: Type.String(),
  amount: Type.String({ description: 'BDT with two decimals' }),
  transaction_id: Type.String({
    description: "The channel's reference once something is credited, else the gateway reference",
  }),
  meta_data: Type.Unknown({ description: 'The object given at creation or its JSON text, or null' }),
  payment_method: Nullable(Type.String()),
  status: Type.String({ description: 'COMPLETED, PENDING or FAILED' }),
};
const flatRecord = {
  ...hostedRecord,
  metadata: Type.Unknown({ description: 'The same as meta_data' }),
  fullname: Type.String({ description: 'The same as cus_name' }),
  email: Type.String({ description: 'The same as cus_email' }),
};

/** Spec 2.5, v1; the second for brands whose `dialect` is `flat`. */
export const HostedVerifyAnswer = Type.Union([
  Type.Object({
    status: Type.Boolean({
      description:
        'True for every payment that is found; but for a request with a legacy name of the key, and for brands ' +
        'whose dialect is `strict`, only where `data.status` is `COMPLETED`.',
    }),
    message: Type.Optional(Type.String({ description: 'Where `status` is false.' })),
    data: Type.Object(hostedRecord),
  }),
  Type.Object({ ...flatRecord, data: Type.Object(flatRecord) }),
]);
