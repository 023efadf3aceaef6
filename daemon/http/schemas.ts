/**
 * The requests and answers of the HTTP API, as schemas (those of relay phones: schemas-relay.ts): checked at
 * the door, used to write answers fast, and the API's documentation. Unknown fields of a request are let
 * through and never looked at. No rule of the business stands here, only shapes.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { CHANNELS } from '../../src/domain/channels.js';
import { VERIFY_REFERENCE_FIELDS } from './verify-reference.js';

const MAX_NAME = 200;
const MAX_EMAIL = 254;

/** No control characters: names are shown in terminals, where some of them are commands. */
const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const MetaData = Type.Optional(
  Type.Union([Type.Object({}), Type.String(), Type.Null()], {
    description: 'An object, or a JSON text of one; at most 8 KiB and 8 levels. Given back as it came.',
  }),
);

const ApiKey = Type.Optional(
  Type.Unknown({
    description: 'Deprecated place of the Brand Key; send the header BRAND-KEY instead.',
    deprecated: true,
  }),
);

/** Spec 4.4. */
export const CreateBody = Type.Object({
  cus_name: Type.String({ maxLength: MAX_NAME, pattern: PLAIN_TEXT, description: 'Customer name' }),
  amount: Type.Union([Type.Number(), Type.String()], {
    description: 'BDT, above 0.00 and up to 1,000,000.00, at most two decimals, as a number or a text',
  }),
  cus_email: Type.Optional(Nullable(Type.String({ maxLength: MAX_EMAIL, pattern: PLAIN_TEXT }))),
  meta_data: MetaData,
  metadata: MetaData,
  api_key: ApiKey,
});

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

/** Spec 4.5. The reference may stand under any of its names; which one counts is not a matter of shape. */
export const VerifyBody = Type.Object({
  id: Type.String({ description: 'Session token from payment/create' }),
  method: Type.String({ description: `One of ${CHANNELS.join(', ')}` }),
  ...Object.fromEntries(
    VERIFY_REFERENCE_FIELDS.map((name) => [name, Type.Optional(Nullable(Type.String()))] as const),
  ),
  api_key: ApiKey,
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
const flatRecord = { ...hostedRecord, metadata: Type.Unknown({ description: 'The same as meta_data' }) };

/** Spec 2.5, v1; the second for brands whose `dialect` is `flat`. */
export const HostedVerifyAnswer = Type.Union([
  Type.Object({ status: Type.Boolean(), data: Type.Object(hostedRecord) }),
  Type.Object({ ...flatRecord, data: Type.Object(flatRecord) }),
]);

/** Spec 7, and the answer of the health endpoints. */
export const Message = Type.Object({ status: Type.Boolean(), message: Type.String() });
