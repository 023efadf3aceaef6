/** The hosted payment API: what its routes carry, reads requests, calls one action each, writes answers. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import {
  MAX_URL,
  returnTypeField,
  returnUrlField,
  webhookUrlField,
} from '../../../src/actions/input/fields.js';
import { type CreateSession, createSession } from '../../../src/actions/sessions/create-session.js';
import { type FoundPayment, findPayment } from '../../../src/actions/sessions/find-payment.js';
import { isKashboxError, KashboxError } from '../../../src/base/errors/errors.js';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { privateWebhooks } from '../../../src/config/settings.js';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { REFUND_STATES } from '../../../src/domain/refunds/refund-plan.js';
import {
  amountFields,
  answersTrueWhenFound,
  type MetadataAs,
  testField,
  usdtFields,
  writtenStatus,
} from '../../../src/domain/sessions/payment-record.js';
import type { SessionStatus } from '../../../src/domain/sessions/session.js';
import { DEFAULT_CUSTOMER, PLACEHOLDER_EMAIL } from '../../../src/domain/sessions/session.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, callerBrand, findHeader, listLegacyNames } from '../gates/auth.js';
import { callerWatch } from '../gates/callers.js';
import { publicBase } from '../gates/public-origin.js';
import { acceptForms, getParameters } from '../input/forms.js';
import type { ShapeRefusals } from '../input/shape.js';
import {
  buildExample,
  Nullable,
  StringEnum,
  status,
  takaField,
  text,
  withAliases,
} from '../schemas/fields.js';
import {
  ALL_CONTENT_TYPES,
  answer,
  type Operation,
  operation,
  type Refusal,
  resolveIdempotencyKey,
  TWO_KEYS,
} from '../schemas/operation.js';
import {
  idempotencyKey,
  metaData,
  orderEmail,
  orderName,
  parseOrder,
  shownOrder,
  splitOrder,
  withOtherNames,
} from '../schemas/order.js';
import { HostedRecord, Test } from '../schemas/record.js';

/** `transaction_id` and its other names in the order in which they are read. */
export const HOSTED_REFERENCE_FIELDS = [
  'transaction_id',
  'transactionId',
  'transactionid',
  'trx_id',
  'trx',
  'transaction',
] as const;
/** v1 answers 422 with "The amount …" where the rest of the API answers 400 with "amount …". */
const unprocessable = (fault: string, cause?: Error) =>
  new KashboxError('field_invalid', { message: `The ${fault}`, cause });

const SHAPE: ShapeRefusals = {
  missing: (field) => new KashboxError('field_required', { message: `The ${field} field is required` }),
  wrong: unprocessable,
};

const returnAddress = (when: string) =>
  text(
    `Where the customer goes ${when}. An absolute \`https://\` address without user name, backslash or ` +
      'space; it may have a query. For a test brand also `http://` on `localhost`.',
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
        'Taka from 1 to 1,000,000 with at most two decimals, as a number or a string. Values from ' +
          'floating-point arithmetic (`121.00000000000001`, `900.000`) are read as the amount that they ' +
          'mean; `1e3`, `1,000` and `500.001` are refused.',
      ),
      success_url: returnAddress('when the payment is made, or under review'),
      cancel_url: returnAddress('when it is cancelled, refused or expired'),
      webhook_url: Type.Optional(
        text(
          'Address for notifications of this payment; default: the address of the brand. An absolute ' +
            '`https://` address without user name, on a public host and port 443, 8443 or another above ' +
            '1023 that no internal service uses.',
          undefined,
          { format: 'uri', maxLength: MAX_URL },
        ),
      ),
      cus_name: Type.Optional(orderName({ default: DEFAULT_CUSTOMER })),
      cus_email: Type.Optional(orderEmail({ default: PLACEHOLDER_EMAIL })),
      meta_data: Type.Optional(metaData),
      ...shownOrder,
      ...splitOrder,
      idempotency_key: idempotencyKey,
      return_type: Type.Optional(
        text(
          'How the customer returns with the parameters. `GET`: in the query. `POST`: as a form. Case ' +
            'is ignored. Default: the setting of the brand, which is `GET` at first.',
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
    'Redirect the customer to this address. It ends with the session reference.',
    'https://pay.example.com/api/execute/e21896d8223209df3f7fe8cb5be031fa',
    { format: 'uri' },
  ),
  test: Test,
});

const VerifyBody = withAliases(
  Type.Object({
    transaction_id: text(
      'The `transactionId` with which the customer returned, or the session reference at the end of ' +
        '`payment_url`. Case and surrounding spaces are ignored; the reference of a bank push is ' +
        'compared as the bank wrote it.',
      'DKL7CD1EF2',
    ),
  }),
  HOSTED_REFERENCE_FIELDS,
);

const RecordedRefund = Type.Object({
  id: text('Id of the refund.'),
  amount: text('Taka that go back, with two decimals.'),
  payment_method: StringEnum(PAY_CHANNELS, 'The method by which they go back.'),
  status: StringEnum(
    REFUND_STATES,
    '`PENDING`: the operator must send it. `COMPLETED`: sent. `CANCELLED`: it is not sent.',
  ),
  refund_transaction_id: Nullable(text('Id of the transfer; null until it is completed.')),
});

const VerifiedRecord = Type.Object(
  {
    ...HostedRecord.properties,
    refunds: Type.Optional(
      Type.Array(RecordedRefund, {
        description: 'Only for a payment with refunds, sent or not: all of them, the first one first.',
      }),
    ),
    review: Type.Optional(
      Type.Literal(true, {
        description:
          'Only while the payment is under manual review, with the status `PENDING`: the customer has paid ' +
          'or claims to have paid, and an operator decides.',
      }),
    ),
  },
  { description: 'The transaction record.' },
);

const Flat = Type.Object(
  {
    ...VerifiedRecord.properties,
    metadata: HostedRecord.properties.meta_data,
    fullname: text('The same as `cus_name`.', DEFAULT_CUSTOMER),
    email: text('The same as `cus_email`.', PLACEHOLDER_EMAIL),
  },
  { description: 'The same fields again.' },
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
    data: VerifiedRecord,
  }),
  Type.Object({ ...Flat.properties, data: Flat }),
  Type.Object({
    status: StringEnum(['PENDING', 'FAILED'], 'Status of a payment that is not completed.'),
    message: text('The same in words.'),
    transaction_id: HostedRecord.properties.transaction_id,
    data: Flat,
  }),
]);

const FORM_NOT_ENCODED: Refusal = [
  'invalid_input',
  'The form is not percent-encoded UTF-8; write % itself as %25',
];

const CREATE = {
  shape: SHAPE,
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
    'items_total',
    TWO_KEYS,
    'idempotency_conflict',
    ['field_invalid', 'The success_url must be an absolute HTTPS URL'],
    'store_full',
  ],
} as const satisfies Partial<Operation>;

const createHostedPayment = operation({
  ...CREATE,
  operationId: 'createHostedPayment',
  summary: 'Open a payment and get the link to its page',
  description:
    'At the end the customer is redirected to `success_url` (paid, or under review) or `cancel_url` ' +
    '(cancelled, expired, refused) with `paymentMethod`, `transactionId`, `paymentAmount`, `paymentFee` ' +
    'and `status` (`completed`, `pending` or `failed`) added to the query of the address.\n\nThe ' +
    'parameters are taken from the body, or from the query if there is no body. If a field is sent under ' +
    'several names, the first that is not empty is used. Empty fields count as absent; other fields are ' +
    'ignored. A form may have 200 fields.',
  body: CreateBody,
  takes: ALL_CONTENT_TYPES,
});

const createHostedPaymentByQuery = operation({
  ...CREATE,
  operationId: 'createHostedPaymentByQuery',
  summary: 'Open a payment, with all parameters in the query',
  description: 'For clients that cannot POST. Proxies write addresses to their logs.',
  querystring: CreateBody,
});

const record = buildExample(HostedRecord);
const unpaid = { ...record, transaction_id: 'K7Q2M9XW4TZB', payment_method: null, status: 'PENDING' };
const REPEATED =
  'Changes nothing and may be repeated every 5 seconds. Finds only payments of the key’s brand.';

const VERIFY = {
  shape: SHAPE,
  tag: 'hosted',
  access: 'brand',
  answers: {
    200: answer(
      'The payment, paid or not: check `data.status`. `PENDING`: not paid yet, or under review. ' +
        '`FAILED`: cancelled, refused or expired. A request that sends the key as `API-KEY`, ' +
        '`SECRET-KEY`, `X-API-KEY`, `SOHOJPAY-API-KEY` or `api_key` gets `status` true only for a ' +
        'completed payment; so does every request of a brand with the dialect `strict`. With the dialect ' +
        '`flat` the fields of a completed payment are also at the top level.',
      VerifyAnswer,
      {
        standard: { status: true, data: record },
        unpaid_to_legacy: {
          status: false,
          message: 'The payment is not completed: it is not paid yet, or under review',
          data: unpaid,
        },
        flat: { ...buildExample(Flat), data: buildExample(Flat) },
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

const verifyHostedPayment = operation({
  ...VERIFY,
  operationId: 'verifyHostedPayment',
  summary: 'Get the status of a payment',
  description: `${REPEATED} For a POST without a body the parameters are taken from the query.`,
  body: VerifyBody,
  takes: ALL_CONTENT_TYPES,
});

const verifyHostedPaymentByQuery = operation({
  ...VERIFY,
  operationId: 'verifyHostedPaymentByQuery',
  summary: 'Get the status of a payment, with the parameter in the query',
  description: REPEATED,
  querystring: VerifyBody,
});

/** Disables HEAD: Fastify would run the GET and create a session. */
const NO_HEAD = { exposeHeadRoute: false };

/** Shop programs use two names for each route. */
const CREATE_PATHS = ['/api/payment/create', '/api/payment/checkout'];
const VERIFY_PATHS = ['/api/payment/verify', '/api/payment/verify-payment'];

export function hostedRoutes(app: FastifyInstance, { core, limits, log }: RouteContext): void {
  addBrandGate(app, core, limits);
  acceptForms(app);
  app.addHook('preHandler', callerWatch(core, log));

  const create = async (request: FastifyRequest) => {
    const brand = callerBrand(request);
    const allowed = privateWebhooks(core.settings, brand.isTest);
    const given = getParameters<Static<typeof CreateBody>>(request);
    const input = parseCreate(given, brand, findHeader(request, 'idempotency-key'), allowed);
    const base = publicBase(request, core.settings);
    const { id } = await createSession(core, { ...input, publicBase: base });
    return {
      status: true,
      message: 'Payment URL generated',
      payment_url: `${base}/api/execute/${id}`,
      ...testField(input.brand.isTest),
    };
  };
  for (const path of CREATE_PATHS) {
    app.get(path, { ...createHostedPaymentByQuery, ...NO_HEAD }, create);
    app.post(path, createHostedPayment, create);
  }

  const verify = async (request: FastifyRequest) => {
    const brand = callerBrand(request);
    const { transaction_id: reference } = getParameters<Static<typeof VerifyBody>>(request);
    const record = await findPayment(core, { brand, reference });
    switch (brand.dialect) {
      case 'standard':
      case 'strict': {
        const data = recordFields(record, brand);
        const isLegacy = listLegacyNames(request).length > 0;
        if (record.status === 'COMPLETED' || answersTrueWhenFound(brand.dialect, isLegacy)) {
          return { status: true, data };
        }
        return { status: false, message: NOT_COMPLETED[record.status], data };
      }
      case 'flat':
        return flatAnswer(record, brand);
      default:
        return brand.dialect satisfies never;
    }
  };
  const writer = { serializerCompiler: () => writeJson };
  for (const path of VERIFY_PATHS) {
    app.get(path, { ...verifyHostedPaymentByQuery, ...NO_HEAD, ...writer }, verify);
    app.post(path, { ...verifyHostedPayment, ...writer }, verify);
  }
}

/**
 * @throws KashboxError `field_invalid`, `amount_out_of_range`, `amount_decimals`, `items_total`,
 *   `invalid_input` (two keys)
 */
function parseCreate(
  given: Static<typeof CreateBody>,
  brand: BrandContext,
  headerKey: string | undefined,
  allowed: ReturnType<typeof privateWebhooks>,
): CreateSession {
  const key = resolveIdempotencyKey(given.idempotency_key, headerKey);
  try {
    const order = parseOrder(given, brand, key);
    return {
      ...order,
      brand,
      hosted: {
        successUrl: returnUrlField('success_url', given.success_url, brand.isTest),
        cancelUrl: returnUrlField('cancel_url', given.cancel_url, brand.isTest),
        webhookUrl: webhookUrlField('webhook_url', given.webhook_url ?? '', allowed),
        returnType: returnTypeField('return_type', given.return_type ?? brand.returnType),
      },
      cusName: order.cusName || DEFAULT_CUSTOMER,
      cusEmail: order.cusEmail || PLACEHOLDER_EMAIL,
    };
  } catch (error) {
    throw isKashboxError(error, 'invalid_input') ? unprocessable(error.message, error) : error;
  }
}

/** Message of an answer with status false although the payment was found. */
const NOT_COMPLETED: Readonly<Record<Exclude<SessionStatus, 'COMPLETED'>, string>> = {
  PENDING: 'The payment is not completed: it is not paid yet, or under review',
  FAILED: 'The payment has failed: it was cancelled, refused, or has expired',
};

/** v1: the amount is a text with two decimals. */
function recordFields(record: FoundPayment, { metadataAs, statusAs }: BrandContext) {
  return {
    cus_name: record.cusName,
    cus_email: record.cusEmail,
    amount: formatTaka(record.amountPaisa),
    ...amountFields(record, formatTaka),
    ...refundsField(record),
    transaction_id: record.transactionId,
    meta_data: metaOf(record.metaJson, metadataAs),
    payment_method: record.channel,
    status: writtenStatus(record.status, statusAs),
    ...usdtFields(record),
    ...(record.isUnderReview ? { review: true } : {}),
    ...testField(record.isTest),
  };
}

/** @returns `refunds` of a payment that has some; else nothing, so that its fields do not change. */
function refundsField({ refunds }: FoundPayment) {
  if (refunds.length === 0) return {};
  return {
    refunds: refunds.map(({ id, amount_paisa, channel, state, reference }) => ({
      ...{ id, amount: formatTaka(amount_paisa), payment_method: channel, status: state },
      refund_transaction_id: reference,
    })),
  };
}

/**
 * Repeats fields where different shop programs read them. Some ignore `status` and credit `amount` to the
 * customer in `metadata`, so both are at the top only if the payment is completed.
 */
function flatAnswer(record: FoundPayment, brand: BrandContext) {
  const fields = recordFields(record, brand);
  const both = {
    ...fields,
    metadata: fields.meta_data,
    fullname: fields.cus_name,
    email: fields.cus_email,
  };
  if (record.status === 'COMPLETED') return { ...both, data: both };
  const { status, transaction_id } = fields;
  return { status, message: NOT_COMPLETED[record.status], transaction_id, data: both };
}

function metaOf(json: string | null, metadataAs: MetadataAs): unknown {
  if (json === null || metadataAs === 'string') return json;
  return new JsonText(json);
}
