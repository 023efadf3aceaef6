/**
 * The requests and answers of both payment APIs, as schemas. They are the API's documentation: what a request
 * says is read in payment-fields.ts, and a test holds the two against each other. Unknown fields are let
 * through and never looked at.
 */
import { type TObject, Type } from '@sinclair/typebox';
import { DEFAULT_CUSTOMER } from '../../../src/actions/sessions/read-checkout.js';
import { CHANNELS } from '../../../src/domain/accounts/channels.js';
import { RETURN_METHODS } from '../../../src/domain/sessions/redirect.js';
import { EMAIL_FIELDS, META_FIELDS, NAME_FIELDS, PLACEHOLDER_EMAIL } from '../input/payment-fields.js';
import { HOSTED_REFERENCE_FIELDS, VERIFY_REFERENCE_FIELDS } from '../input/verify-reference.js';
import { Nullable, OneOf, takaField, withAliases } from './fields.js';
import {
  AmountNumber,
  AmountText,
  CUSTOMER_EMAIL,
  CUSTOMER_NAME,
  MetaObject,
  MetaObjectOrText,
  MethodEntry,
  PAYMENT_STATUSES,
  PaymentMethod,
  PaymentMethodOrNull,
  transactionId,
  usdtRecord,
} from './record.js';

const MAX_NAME = 200;
const MAX_EMAIL = 254;
const MAX_URL = 2_048;

const MetaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'Your own data, which verify gives back: an object or the JSON text of one, at most 8 KiB and 8 levels. In a ' +
    'form or a query also `meta_data[order]=17`.',
});

const returnAddress = (when: string) =>
  Type.String({
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
    maxLength: MAX_URL,
    description:
      `Where the customer goes ${when}. An absolute \`https://\` address without user name, backslash and space; it ` +
      'may have a query.',
  });

const hostedFields = Type.Object({
  amount: takaField(
    { minimum: 1, maximum: 1_000_000 },
    'Taka from 1 to 1,000,000 with at most two decimals, a number or a text. What a calculation in floating point ' +
      'leaves (`121.00000000000001`, `900.000`) is read as what it means; `1e3`, `1,000` and `500.001` are refused.',
  ),
  success_url: returnAddress('when the payment is made, or under review'),
  cancel_url: returnAddress('when it is cancelled, refused or expired'),
  webhook_url: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: MAX_URL,
      description:
        'Where notifications of this payment go, else to the address of the brand. An absolute `https://` address ' +
        'without user name, on a public host and port 443, 8443 or another above 1023 that no internal service has.',
    }),
  ),
  cus_name: Type.Optional(
    Type.String({
      maxLength: MAX_NAME,
      default: DEFAULT_CUSTOMER,
      description: 'Name of the customer, one line.',
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
        'How the customer brings the parameters back. `GET`: in the query. `POST`: as a form. Letters of any case. ' +
        'Without it as the brand has set, which is `GET` at first.',
    }),
  ),
});

const ApiKey = Type.Optional(
  Type.Unknown({
    description: 'The Brand Key, in its deprecated place; send the header `BRAND-KEY` instead.',
    deprecated: true,
  }),
);

const headlessFields = Type.Object({
  cus_name: Type.String({
    maxLength: MAX_NAME,
    description: 'Name of the customer, one line.',
  }),
  amount: takaField(
    { exclusiveMinimum: 0, maximum: 1_000_000 },
    'Taka above 0 and up to 1,000,000, read as that of hosted create.',
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
        '`payment_url`. Case and spaces around it do not matter.',
    }),
  }),
  HOSTED_REFERENCE_FIELDS,
  'needed',
);

/** Spec 4.5. */
export const VerifyBody = withAliases(
  Type.Object({
    id: Type.String({ description: 'The `id` that create answered.' }),
    method: Type.Unsafe<string>({
      type: 'string',
      enum: CHANNELS,
      description: 'How the customer paid: the `name` of an entry of `methods`.',
    }),
    transaction_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'What the customer typed: of a wallet the transaction id of its SMS; of `qr_interbank` the mobile number ' +
        'that paid, or its last four digits; of `exchange_pay` the order id or the transaction id; of `bep20` the ' +
        'transaction hash. Case and spaces around it do not matter.',
    }),
    api_key: ApiKey,
  }),
  VERIFY_REFERENCE_FIELDS,
  'needed',
);

/** Spec 2.1 to 2.3. */
export const CreateAnswer = Type.Object({
  status: Type.Boolean({ description: 'Always true; a refusal has false.' }),
  id: Type.String({ description: 'The session: verify takes it as `id`.' }),
  brand: Type.Object(
    {
      name: Type.String({ description: 'Name of the brand.' }),
      mobile: Type.String({ description: 'Mobile number for customers, or empty.' }),
      whatsapp: Type.String({ description: 'WhatsApp number for customers, or empty.' }),
      email: Type.String({ description: 'E-mail address for customers, or empty.' }),
    },
    { description: 'Whom the customer pays, to be shown.' },
  ),
  methods: Type.Array(MethodEntry, { description: 'The ways to pay that are open to this payment.' }),
});

/** Spec 2.5, v2: the amount is a number. */
export const VerifyAnswer = Type.Object({
  status: Type.Boolean({ description: 'True if the payment is completed (200), false under review (202).' }),
  message: Type.String({ description: 'The same in words.' }),
  data: Type.Object(
    {
      cus_name: Type.String({ description: CUSTOMER_NAME }),
      cus_email: Type.String({ description: `${CUSTOMER_EMAIL} Empty without.` }),
      amount: AmountNumber,
      transaction_id: transactionId,
      meta_data: MetaObject,
      payment_method: PaymentMethod,
      status: OneOf(
        ['COMPLETED', 'PENDING'],
        '`COMPLETED`: paid, deliver. `PENDING`: under review, ask again later.',
      ),
      ...usdtRecord,
    },
    { description: 'The transaction record.' },
  ),
});

/** Spec 4.1. */
export const HostedCreateAnswer = Type.Object({
  status: Type.Boolean({ description: 'Always true; a refusal has false.' }),
  message: Type.String({ description: 'Always `Payment URL generated`.' }),
  payment_url: Type.String({
    format: 'uri',
    description: 'Where you send the customer. The session reference stands at its end.',
  }),
});

const PaymentStatus = OneOf(
  PAYMENT_STATUSES,
  '`COMPLETED`: paid, deliver. `PENDING`: not paid yet, or under review. `FAILED`: cancelled, refused or expired.',
);
const hostedRecord = {
  cus_name: Type.String({ description: CUSTOMER_NAME }),
  cus_email: Type.String({ description: CUSTOMER_EMAIL }),
  amount: AmountText,
  transaction_id: transactionId,
  meta_data: MetaObjectOrText,
  payment_method: PaymentMethodOrNull,
  status: PaymentStatus,
  ...usdtRecord,
};
const flatRecord = {
  ...hostedRecord,
  metadata: MetaObjectOrText,
  fullname: Type.String({ description: 'The same as `cus_name`.' }),
  email: Type.String({ description: 'The same as `cus_email`.' }),
};

/** Spec 2.5, v1; the second for brands whose `dialect` is `flat`. */
export const HostedVerifyAnswer = Type.Union([
  Type.Object({
    status: Type.Boolean({
      description:
        'True for every payment that is found. For a request with a legacy name of the key, and for brands with ' +
        'the dialect `strict`: true only if `data.status` is `COMPLETED`.',
    }),
    message: Type.Optional(Type.String({ description: 'Why `status` is false; absent if it is true.' })),
    data: Type.Object(hostedRecord, { description: 'The transaction record.' }),
  }),
  Type.Object({
    ...flatRecord,
    data: Type.Object(flatRecord, { description: 'The same fields once more.' }),
  }),
]);
