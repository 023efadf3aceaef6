/** The hosted API (spec 4.1 to 4.3) as the reference tells it: what its routes' schemas leave unsaid. */
import { HostedCreateBody, HostedVerifyBody } from '../schemas/payment-answers.js';
import {
  inEveryForm,
  OF_EVERY_FORM,
  OF_THE_BRAND_KEY,
  OF_THE_STORE,
  type Operation,
  queryParameters,
} from './operation.js';

const ORDER = {
  amount: '500',
  success_url: 'https://shop.example.com/paid',
  cancel_url: 'https://shop.example.com/cart',
};
const REFERENCE = { transaction_id: 'DKL7CD1EF2' };

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
const flat = {
  ...record,
  metadata: record.meta_data,
  fullname: record.cus_name,
  email: record.cus_email,
};
const unpaid = { ...record, transaction_id: 'K7Q2M9XW4TZB', payment_method: null, status: 'PENDING' };

const verify = {
  route: '/api/payment/verify',
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: {
      description:
        'The payment, paid or not: look at `data.status`. `PENDING` is not paid yet, or under review; `FAILED` ' +
        'is cancelled, refused or expired. A request that carries the key under `API-KEY`, `SECRET-KEY`, ' +
        '`X-API-KEY`, `SOHOJPAY-API-KEY` or `api_key` hears `status` true only of a completed payment, and so ' +
        'does every request of a brand with the dialect `strict`. With the dialect `flat` the fields stand at ' +
        'the top as well.',
      examples: {
        standard: { status: true, data: record },
        unpaid_to_legacy: {
          status: false,
          message: 'The payment is not completed: it is not paid yet, or under review',
          data: unpaid,
        },
        flat: { ...flat, data: flat },
      },
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
  'At the end the customer comes to `success_url` (paid, or under review) or `cancel_url` (cancelled, ' +
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
    body: { examples: inEveryForm({ ...ORDER, amount: 500 }, ORDER) },
    refusals: [...refusedOrders, ...OF_THE_BRAND_KEY, ...OF_EVERY_FORM, ...OF_THE_STORE, 'store_full'],
  },
  {
    ...create,
    method: 'get',
    operationId: 'createHostedPaymentByQuery',
    summary: 'The same with everything in the query',
    description: 'For clients that cannot POST. Mind that addresses are written to the logs of proxies.',
    parameters: queryParameters(HostedCreateBody, ORDER),
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
    body: { examples: inEveryForm(REFERENCE, REFERENCE) },
    refusals: [...refusedQuestions, ...OF_THE_BRAND_KEY, ...OF_EVERY_FORM, ...OF_THE_STORE],
  },
  {
    ...verify,
    method: 'get',
    operationId: 'verifyHostedPaymentByQuery',
    summary: 'The same with the parameter in the query',
    description:
      'Changes nothing and may be repeated every 5 seconds. Finds only payments of the key’s brand.',
    parameters: queryParameters(HostedVerifyBody, REFERENCE),
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
