/**
 * The hosted API (spec 4.1 to 4.3) as the reference tells it. Its routes read parameters by themselves, so
 * the shapes that stand here check nothing; a test holds them against what the routes take and refuse.
 */
import { type TObject, Type } from '@sinclair/typebox';
import { DEFAULT_CUSTOMER } from '../../../src/actions/read-checkout.js';
import { RETURN_METHODS } from '../../../src/domain/redirect.js';
import { EMAIL_FIELDS, META_FIELDS, NAME_FIELDS, PLACEHOLDER_EMAIL } from '../hosted-fields.js';
import { HOSTED_REFERENCE_FIELDS } from '../verify-reference.js';
import {
  OF_EVERY_BODY,
  OF_THE_BRAND_KEY,
  OF_THE_STORE,
  type Operation,
  queryParameters,
  takaField,
  withAliases,
} from './operation.js';

const MAX_URL = 2_048;

const returnAddress = (when: string) =>
  Type.String({
    format: 'uri',
    pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
    maxLength: MAX_URL,
    description: `Where the customer goes ${when}. Absolute HTTPS address; it may have a query.`,
  });

const MetaData = Type.Union([Type.Object({}), Type.String(), Type.Null()], {
  description:
    'An object or the JSON text of one, at most 8 KiB and 8 levels. Verify gives it back. In a form or a query ' +
    'also `metadata[order]=17`.',
});

const CREATE_FIELDS: TObject = Type.Object({
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
      maxLength: 200,
      default: DEFAULT_CUSTOMER,
      description: 'Name of the customer, one line; of a whole number in JSON its digits.',
    }),
  ),
  cus_email: Type.Optional(
    Type.String({
      maxLength: 254,
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

const CreateParameters = [NAME_FIELDS, EMAIL_FIELDS, META_FIELDS].reduce(
  (schema, names) => withAliases(schema, names, 'optional'),
  CREATE_FIELDS,
);

const VerifyParameters = withAliases(
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

const ORDER = {
  amount: '500',
  success_url: 'https://shop.example.com/paid',
  cancel_url: 'https://shop.example.com/cart',
};
const REFERENCE = { transaction_id: 'DKL7CD1EF2' };

/** One example for each way in which a body may come. */
const inEveryForm = (json: object, form: object) => ({
  'application/json': json,
  'application/x-www-form-urlencoded': form,
  'multipart/form-data': form,
});

const FORM_BODIES = OF_EVERY_BODY.map((code) =>
  code === 'unsupported_media_type'
    ? ([
        code,
        'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data',
      ] as const)
    : code,
);

const create = {
  route: '/api/payment/create',
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: {
      description: 'The payment is open. Send the customer to `payment_url`.',
      examples: {
        created: {
          status: true,
          message: 'Payment URL generated',
          payment_url: 'https://pay.example.com/api/execute/e21896d8223209df3f7fe8cb5be031fa',
        },
      },
    },
  },
} as const;

const refusedOrders = [
  ['invalid_input', 'The form is not percent-encoded UTF-8; write % itself as %25'],
  ['field_required', 'The success_url field is required'],
  'amount_out_of_range',
  'amount_decimals',
  ['field_invalid', 'The success_url must be an absolute HTTPS URL'],
] as const;

const record = {
  cus_name: 'Default Name',
  cus_email: 'customer@example.com',
  amount: '500.00',
  transaction_id: 'DKL7CD1EF2',
  meta_data: { order: 17 },
  payment_method: 'mfs_a',
  status: 'COMPLETED',
};
const flat = { ...record, metadata: record.meta_data };

const verify = {
  route: '/api/payment/verify',
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: {
      description:
        'The payment, paid or not: look at `data.status`. `PENDING` is not paid yet, or under review; `FAILED` ' +
        'is cancelled, refused or expired. A brand with the dialect `flat` has the fields at the top as well.',
      examples: { standard: { status: true, data: record }, flat: { ...flat, data: flat } },
    },
  },
} as const;

const refusedQuestions = [
  ['invalid_input', 'The form is not percent-encoded UTF-8; write % itself as %25'],
  ['field_required', 'The transaction_id field is required'],
  ['field_invalid', 'The transaction_id must be a text'],
  'transaction_not_found',
] as const;

const WAY_BACK =
  'When the customer is done he comes to `success_url` (paid, or under review) or `cancel_url` (cancelled, ' +
  'expired, refused) with `paymentMethod`, `transactionId`, `paymentAmount`, `paymentFee` and `status` ' +
  '(`completed`, `pending` or `failed`) after the query that the address has.';

export const HOSTED_OPERATIONS: readonly Operation[] = [
  {
    ...create,
    method: 'post',
    operationId: 'createHostedPayment',
    summary: 'Open a payment and get the link of its page',
    description:
      `${WAY_BACK}\n\nThe parameters are the body, or the query where there is none. Of several names the ` +
      'first that is not empty counts; what is empty counts as absent; other fields are ignored. A form may ' +
      'have 200 fields.',
    body: { schema: CreateParameters, examples: inEveryForm({ ...ORDER, amount: 500 }, ORDER) },
    refusals: [...refusedOrders, ...OF_THE_BRAND_KEY, ...FORM_BODIES, ...OF_THE_STORE, 'store_full'],
  },
  {
    ...create,
    method: 'get',
    operationId: 'createHostedPaymentByQuery',
    summary: 'The same with everything in the query',
    description: 'For clients that cannot POST. Mind that addresses are written to the logs of proxies.',
    parameters: queryParameters(CreateParameters, ORDER),
    refusals: [...refusedOrders, ...OF_THE_BRAND_KEY, ...OF_THE_STORE, 'store_full'],
  },
  {
    ...verify,
    method: 'post',
    operationId: 'verifyHostedPayment',
    summary: 'Ask how a payment stands',
    description:
      'Changes nothing and may be repeated every 5 seconds. Finds only payments of the key’s brand. A POST ' +
      'without a body is read from its query.',
    body: { schema: VerifyParameters, examples: inEveryForm(REFERENCE, REFERENCE) },
    refusals: [...refusedQuestions, ...OF_THE_BRAND_KEY, ...FORM_BODIES, ...OF_THE_STORE],
  },
  {
    ...verify,
    method: 'get',
    operationId: 'verifyHostedPaymentByQuery',
    summary: 'The same with the parameter in the query',
    description:
      'Changes nothing and may be repeated every 5 seconds. Finds only payments of the key’s brand.',
    parameters: queryParameters(VerifyParameters, REFERENCE),
    refusals: [...refusedQuestions, ...OF_THE_BRAND_KEY, ...OF_THE_STORE],
  },
  {
    method: 'get',
    route: '/api/execute/:ref',
    path: '/api/execute/{session_ref}',
    operationId: 'openCheckoutPage',
    tag: 'hosted',
    access: 'open',
    summary: 'The page on which the customer pays',
    description:
      'For browsers; the shop only sends its customer here. It is in Bangla or English, works without script ' +
      'and leads back to the shop by itself when the payment is over. The forms of the page are no API.',
    parameters: [
      {
        name: 'session_ref',
        in: 'path',
        required: true,
        description: 'The end of `payment_url`.',
        schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
        example: 'e21896d8223209df3f7fe8cb5be031fa',
      },
      {
        name: 'lang',
        in: 'query',
        required: false,
        description: 'Language of the page. Else what the browser prefers.',
        schema: { type: 'string', enum: ['bn', 'en'] },
      },
    ],
    answers: {
      200: { description: 'The page, in whatever state the payment is.', mediaType: 'text/html' },
      404: { description: 'A page that says that there is no such payment.', mediaType: 'text/html' },
      429: { description: 'A page that asks to wait, as `Retry-After` says.', mediaType: 'text/html' },
      503: { description: 'A page that asks to come back in a moment.', mediaType: 'text/html' },
    },
    refusals: [],
  },
];
