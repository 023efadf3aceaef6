/** The hosted payment API: what its routes carry. */
import { Type } from '@sinclair/typebox';
import { MAX_URL } from '../../../src/actions/input/fields.js';
import { LINK_ID, SESSION_ID } from '../../../src/base/values/ids.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../../src/domain/sessions/session.js';
import { HOSTED_REFERENCE_FIELDS } from '../input/payment-fields.js';
import { exampleOf, OneOf, status, takaField, text, withAliases } from './fields.js';
import {
  answer,
  content,
  EVERY_FORM,
  OF_THE_STORE,
  type Operation,
  operation,
  type Refusal,
  TWO_KEYS,
} from './operation.js';
import { idempotencyKey, metaData, orderEmail, orderName, withOtherNames } from './order.js';
import { HostedRecord, Test } from './record.js';

const returnAddress = (when: string) =>
  text(
    `Where the customer goes ${when}. An absolute \`https://\` address without user name, backslash and space; it ` +
      'may have a query. Of a test brand also `http://` on `localhost`.',
    undefined,
    { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: MAX_URL },
  );

const ORDER = {
  amount: '500',
  success_url: 'https://shop.example.com/paid',
  cancel_url: 'https://shop.example.com/cart',
};

const CreateBody = withOtherNames(
  Type.Object(
    {
      amount: takaField(
        { minimum: 1, maximum: 1_000_000 },
        'Taka from 1 to 1,000,000 with at most two decimals, a number or a text. What a calculation in floating ' +
          'point leaves (`121.00000000000001`, `900.000`) is read as what it means; `1e3`, `1,000` and `500.001` ' +
          'are refused.',
      ),
      success_url: returnAddress('when the payment is made, or under review'),
      cancel_url: returnAddress('when it is cancelled, refused or expired'),
      webhook_url: Type.Optional(
        text(
          'Where notifications of this payment go, else to the address of the brand. An absolute `https://` ' +
            'address without user name, on a public host and port 443, 8443 or another above 1023 that no ' +
            'internal service has.',
          undefined,
          { format: 'uri', maxLength: MAX_URL },
        ),
      ),
      cus_name: Type.Optional(orderName({ default: DEFAULT_CUSTOMER })),
      cus_email: Type.Optional(orderEmail({ default: PLACEHOLDER_EMAIL })),
      meta_data: Type.Optional(metaData),
      idempotency_key: idempotencyKey,
      return_type: Type.Optional(
        text(
          'How the customer brings the parameters back. `GET`: in the query. `POST`: as a form. Letters of any ' +
            'case. Without it as the brand has set, which is `GET` at first.',
          'GET',
          { pattern: '^\\s*(?:[Gg][Ee][Tt]|[Pp][Oo][Ss][Tt])\\s*$' },
        ),
      ),
    },
    { examples: [{ ...ORDER, amount: 500 }, ORDER] },
  ),
);

const CreateAnswer = Type.Object({
  status,
  message: text('Always `Payment URL generated`.', 'Payment URL generated'),
  payment_url: text(
    'Where you send the customer. The session reference stands at its end.',
    'https://pay.example.com/api/execute/e21896d8223209df3f7fe8cb5be031fa',
    { format: 'uri' },
  ),
  test: Test,
});

const VerifyBody = withAliases(
  Type.Object({
    transaction_id: text(
      'The `transactionId` with which the customer came back, or the session reference at the end of ' +
        "`payment_url`. Case and spaces around it do not matter; of a bank's push the reference is compared " +
        'as the bank wrote it.',
      'DKL7CD1EF2',
    ),
  }),
  HOSTED_REFERENCE_FIELDS,
);

const Flat = Type.Object(
  {
    ...HostedRecord.properties,
    metadata: HostedRecord.properties.meta_data,
    fullname: text('The same as `cus_name`.', DEFAULT_CUSTOMER),
    email: text('The same as `cus_email`.', PLACEHOLDER_EMAIL),
  },
  { description: 'The same fields once more.' },
);

/** Transaction records of v1; the others for brands whose `dialect` is `flat`, completed or not. */
const VerifyAnswer = Type.Union([
  Type.Object({
    status: Type.Boolean({
      description:
        'True for every payment that is found. For a request with a legacy name of the key, and for brands with ' +
        'the dialect `strict`: true only if `data.status` is `COMPLETED`.',
    }),
    message: Type.Optional(text('Why `status` is false; absent if it is true.')),
    data: HostedRecord,
  }),
  Type.Object({ ...Flat.properties, data: Flat }),
  Type.Object({
    status: OneOf(['PENDING', 'FAILED'], 'Of a payment that is not completed.'),
    message: text('The same in words.'),
    transaction_id: HostedRecord.properties.transaction_id,
    data: Flat,
  }),
]);

const FORM_NOT_ENCODED: Refusal = [
  'invalid_input',
  'The form is not percent-encoded UTF-8; write % itself as %25',
];

const create = {
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: answer('The payment is open. Send the customer to `payment_url`.', CreateAnswer, 'created'),
  },
  refusals: [
    FORM_NOT_ENCODED,
    ['field_required', 'The success_url field is required'],
    'amount_out_of_range',
    'amount_decimals',
    TWO_KEYS,
    'idempotency_conflict',
    ['field_invalid', 'The success_url must be an absolute HTTPS URL'],
    'store_full',
  ],
} as const satisfies Partial<Operation>;

export const createHostedPayment = operation({
  ...create,
  operationId: 'createHostedPayment',
  summary: 'Open a payment and get the link of its page',
  description:
    'At the end the customer comes to `success_url` (paid, or under review) or `cancel_url` (cancelled, ' +
    'expired, refused) with `paymentMethod`, `transactionId`, `paymentAmount`, `paymentFee` and `status` ' +
    '(`completed`, `pending` or `failed`) after the query that the address has.\n\n' +
    'The parameters are the body, or the query where there is none. Of several names the ' +
    'first that is not empty counts; what is empty counts as absent; other fields are ignored. A form may ' +
    'have 200 fields.',
  body: CreateBody,
  takes: EVERY_FORM,
});

export const createHostedPaymentByQuery = operation({
  ...create,
  operationId: 'createHostedPaymentByQuery',
  summary: 'The same with everything in the query',
  description: 'For clients that cannot POST. Mind that addresses are written to the logs of proxies.',
  querystring: CreateBody,
});

const record = exampleOf(HostedRecord);
const unpaid = { ...record, transaction_id: 'K7Q2M9XW4TZB', payment_method: null, status: 'PENDING' };
const REPEATED =
  'Changes nothing and may be repeated every 5 seconds. Finds only payments of the key’s brand.';

const verify = {
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: answer(
      'The payment, paid or not: look at `data.status`. `PENDING` is not paid yet, or under review; `FAILED` ' +
        'is cancelled, refused or expired. A request that carries the key under `API-KEY`, `SECRET-KEY`, ' +
        '`X-API-KEY`, `SOHOJPAY-API-KEY` or `api_key` hears `status` true only of a completed payment, and so ' +
        'does every request of a brand with the dialect `strict`. With the dialect `flat` the fields of a completed ' +
        'payment stand at the top as well.',
      VerifyAnswer,
      {
        standard: { status: true, data: record },
        unpaid_to_legacy: {
          status: false,
          message: 'The payment is not completed: it is not paid yet, or under review',
          data: unpaid,
        },
        flat: { ...exampleOf(Flat), data: exampleOf(Flat) },
      },
    ),
  },
  refusals: [
    FORM_NOT_ENCODED,
    ['field_required', 'The transaction_id field is required'],
    ['field_invalid', 'The transaction_id must be a text'],
    'transaction_not_found',
    'notification_only',
  ],
} as const satisfies Partial<Operation>;

export const verifyHostedPayment = operation({
  ...verify,
  operationId: 'verifyHostedPayment',
  summary: 'Ask how a payment stands',
  description: `${REPEATED} A POST without a body is read from its query.`,
  body: VerifyBody,
  takes: EVERY_FORM,
});

export const verifyHostedPaymentByQuery = operation({
  ...verify,
  operationId: 'verifyHostedPaymentByQuery',
  summary: 'The same with the parameter in the query',
  description: REPEATED,
  querystring: VerifyBody,
});

const PageQuery = Type.Object({
  lang: Type.Optional(OneOf(['bn', 'en'], 'Language of the page. Else what the browser prefers.')),
});

const pageThat = (what: string) => content(what, 'text/html');

export const openCheckoutPage = operation({
  operationId: 'openCheckoutPage',
  tag: 'hosted',
  access: 'open',
  summary: 'The page on which the customer pays',
  description:
    'For browsers; the shop only sends its customer here. It is in Bangla or English, works without script ' +
    'and leads back to the shop by itself when the payment is over. The forms of the page are no API.',
  params: Type.Object({
    session_ref: text('The end of `payment_url`.', 'e21896d8223209df3f7fe8cb5be031fa', {
      pattern: SESSION_ID.source,
    }),
  }),
  querystring: PageQuery,
  answers: {
    200: pageThat('The page, in whatever state the payment is.'),
    308: pageThat('Asked for by plain HTTP: the same address by HTTPS, with no page.'),
    404: pageThat('A page that says that there is no such payment.'),
    429: pageThat('A page that asks to wait, as `Retry-After` says.'),
    503: pageThat('A page that asks to come back in a moment.'),
  },
});

export const openPaymentLink = operation({
  operationId: 'openPaymentLink',
  tag: 'hosted',
  access: 'open',
  summary: 'The page of a payment link',
  description:
    'For browsers; a shop without a website sends its customers here. Opening it creates nothing: the form of ' +
    'the page, which is no API, opens a payment and leads to the page on which the customer pays. Its ' +
    '`meta_data` holds `link` and, in `fields`, what the customer has entered.',
  params: Type.Object({
    link: text('The end of the link.', 'm4k8r2w9xh5c', { pattern: LINK_ID.source }),
  }),
  querystring: PageQuery,
  answers: {
    200: pageThat('The page of a link that takes payments.'),
    403: pageThat('A page that says that the shop cannot be paid just now.'),
    404: pageThat('A page that says that there is no such link.'),
    410: pageThat('A page that says that the link takes no more payments.'),
    429: pageThat('A page that asks to wait, as `Retry-After` says.'),
    503: pageThat('A page that asks to come back in a moment.'),
  },
});

/** Its hash and what kind of picture. */
export const LOGO_FILE = /^[0-9a-f]{32}\.(png|jpg|webp)$/;

export const loadLogo = operation({
  operationId: 'loadLogo',
  tag: 'hosted',
  access: 'open',
  summary: 'The logo of a brand',
  description:
    'The checkout page loads it. Its address is made of what is in it: another logo has another address, and the ' +
    'picture may be kept for ever.',
  params: Type.Object({
    file: text('Hash and `.png`, `.webp` or `.svg`.', '3f0c1d5a9b7e42680c1d5a9b7e426803.png', {
      pattern: LOGO_FILE.source,
    }),
  }),
  answers: { 200: content('The picture, in its own type.', 'image/png', 'image/webp', 'image/svg+xml') },
  refusals: [['not_found', 'There is no such logo'], 'too_many_requests', ...OF_THE_STORE],
});
