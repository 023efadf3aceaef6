/** The headless payment API: what its routes carry, reads requests, calls one action each, writes answers. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import {
  type TransactionRecord,
  type VerifyClaim,
  type VerifyOutcome,
  verifyClaim,
} from '../../../src/actions/claims/verify-claim.js';
import { type CreateSession, createSession } from '../../../src/actions/sessions/create-session.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import { JsonText, writeJson } from '../../../src/base/values/json-text.js';
import { formatTaka, takaJsonNumber } from '../../../src/base/values/money.js';
import { CHANNELS, isChannel } from '../../../src/domain/accounts/channels.js';
import { amountFields, testField, usdtFields } from '../../../src/domain/sessions/payment-record.js';
import type { RouteContext } from '../context.js';
import { addBrandGate, callerBrand, findHeader } from '../gates/auth.js';
import { publicBase } from '../gates/public-origin.js';
import { acceptForms, getParameters } from '../input/forms.js';
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
  operation,
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
import { HeadlessRecord, MethodEntry, Test } from '../schemas/record.js';

/** `transaction_id` and its other names in the order in which they are read. */
export const VERIFY_REFERENCE_FIELDS = [
  'transaction_id',
  'order_id',
  'order',
  'trx_id',
  'transactionId',
  'tx_hash',
  'txhash',
  'hash',
  'number',
  'mobile',
  'trx',
  'mobile_number',
] as const;
const wrong = (message: string) => new KashboxError('invalid_input', { message });

const RECEIVER = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';
const SESSION = '2b37b7eabf3f93b131a98370d3e060e9';

const ApiKey = Type.Optional(
  Type.Unknown({
    description: 'The Brand Key, in its deprecated place; send the header `BRAND-KEY` instead.',
    deprecated: true,
  }),
);

const CreateBody = withOtherNames(
  Type.Object(
    {
      cus_name: orderName(),
      amount: takaField(
        { exclusiveMinimum: 0, maximum: 1_000_000 },
        'Taka above 0 and up to 1,000,000, with the syntax of hosted create.',
      ),
      cus_email: Type.Optional(Nullable(orderEmail())),
      meta_data: Type.Optional(metaData),
      ...shownOrder,
      ...splitOrder,
      idempotency_key: idempotencyKey,
      api_key: ApiKey,
    },
    {
      examples: [
        { cus_name: 'Customer', amount: 500, meta_data: { order: 17 } },
        { cus_name: 'Customer', amount: '500', meta_data: '{"order":17}' },
      ],
    },
  ),
);

/** Answer of headless create (docs/api-headless.md). */
const CreateAnswer = Type.Object({
  status,
  id: text('Id of the session; send it to verify as `id`.', SESSION),
  payment_reference: Nullable(
    text(
      'What the customer may enter in the “Reference” field of the wallet: 5 or 6 characters. Money ' +
        'with this reference, of the exact amount and to the right account, completes the payment ' +
        'without a verify call. Null in the rare case that no free one was found.',
      'K7M4P',
    ),
  ),
  brand: Type.Object(
    {
      name: text('Name of the brand.', 'Amar Dokan'),
      mobile: text('Mobile number for customers, or empty.', ''),
      whatsapp: text('WhatsApp number for customers, or empty.', ''),
      email: text('E-mail address for customers, or empty.', ''),
    },
    { description: 'Who receives the money; show it to the customer.' },
  ),
  methods: Type.Array(MethodEntry, { description: 'The payment methods available for this payment.' }),
  test: Test,
});

const methods = [
  {
    name: 'mfs_a',
    active_payments: { personal: true, agent: false, payment: false },
    personal: '01712345678',
    agent: '',
    payment: '',
  },
  {
    name: 'bep20',
    active_payments: { transfer: true },
    network: 'BNB Smart Chain (BEP20)',
    currency: 'USDT',
    receiver_address: RECEIVER,
    dollar_rate: 120.5,
    amount_usdt: 4.9793,
  },
];

export const createPayment = operation({
  operationId: 'createPayment',
  tag: 'headless',
  access: 'brand',
  summary: 'Open a payment session',
  description:
    'Show the customer the numbers of `methods` and store `id`. A session expires after 60 minutes, ' +
    'unless the brand has another setting. Unknown fields are ignored.',
  body: CreateBody,
  shape: { missing: () => new KashboxError('fields_required'), wrong },
  takes: ALL_CONTENT_TYPES,
  answers: {
    200: answer('The session is open.', CreateAnswer, {
      created: { ...buildExample(CreateAnswer), methods },
    }),
  },
  refusals: [
    'fields_required',
    ['invalid_input', 'meta_data must be an object'],
    'amount_out_of_range',
    'amount_decimals',
    'items_total',
    TWO_KEYS,
    'idempotency_conflict',
    'store_full',
  ],
});

const VerifyBody = withAliases(
  Type.Object({
    id: text('The `id` that create returned.', SESSION),
    method: StringEnum(CHANNELS, 'How the customer paid: the `name` of an entry of `methods`.'),
    transaction_id: Nullable(
      text(
        'What the customer entered. Wallets: the transaction id in the SMS. `qr_interbank`: the mobile ' +
          'number that paid, or its last four digits. `exchange_pay`: the order id or the transaction ' +
          'id. `bep20`: the transaction hash. Case and surrounding spaces are ignored.',
        'DKL7CD1EF2',
      ),
    ),
    api_key: ApiKey,
  }),
  VERIFY_REFERENCE_FIELDS,
);

/** Transaction record of v2: the amount is a number. */
const VerifyAnswer = Type.Object({
  status: Type.Boolean({
    description: 'True if the payment is completed (200), false under review or while a rest is due (202).',
  }),
  message: text('The same in words.'),
  data: HeadlessRecord,
});

const record = buildExample(HeadlessRecord);
const usdt = {
  ...record,
  amount: 600,
  transaction_id: `0x${'5e'.repeat(32)}`,
  payment_method: 'bep20',
  amount_usdt: 4.9793,
  receiver: RECEIVER,
};

export const verifyPayment = operation({
  operationId: 'verifyPayment',
  tag: 'headless',
  access: 'brand',
  summary: 'Verify that a transaction id pays a session',
  description:
    'For a completed payment the same request always returns the same response. `transaction_id` is for ' +
    'a wallet the id in its SMS, for `bep20` the transaction hash, for `exchange_pay` the order id or ' +
    'the transaction id (for a merchant account the order id or the number of the order), for ' +
    '`qr_interbank` the mobile number that paid or its last four digits. A transaction that is not known ' +
    'yet, not final or could not be looked up is kept and settles automatically.',
  body: VerifyBody,
  shape: { missing: (field) => wrong(`${field} is required`), wrong },
  takes: ALL_CONTENT_TYPES,
  answers: {
    200: answer('Paid: deliver.', VerifyAnswer, {
      completed: { status: true, message: 'Payment verified successfully', data: record },
      completed_in_usdt: { status: true, message: 'Payment verified successfully', data: usdt },
    }),
    202: answer(
      'Manual review is needed: the SMS is suspicious, too much was paid, or the money may be ' +
        'for another payment. Or it has paid a part of a payment that takes parts. Verify again later.',
      VerifyAnswer,
      {
        under_review: {
          status: false,
          message: 'The payment is under manual review; ask again later',
          data: { ...record, status: 'PENDING' },
        },
        part: {
          status: false,
          message: 'A part has come in; 200.00 BDT is still due',
          data: {
            ...record,
            paid_amount: 300,
            due_amount: 200,
            parts: [
              {
                transaction_id: 'DKL7CD1EF2',
                payment_method: 'mfs_a',
                amount: 300,
                paid_at: '2026-11-21T08:33:05.120Z',
              },
            ],
            status: 'PENDING',
          },
        },
      },
    ),
  },
  refusals: [
    ['invalid_input', 'transaction_id is required'],
    'method_unknown',
    'method_unavailable',
    'already_credited',
    'session_completed',
    'proof_disagrees',
    'number_ambiguous',
    'session_not_found',
    'transaction_not_found',
    'transaction_not_final',
    'too_many_attempts',
    'node_unavailable',
    'exchange_unavailable',
    'store_full',
  ],
});

export function paymentRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  addBrandGate(app, core, limits);
  acceptForms(app);

  app.post('/api/v2/payment/create', createPayment, async (request) => {
    const from = callerBrand(request);
    const created = await createSession(core, {
      ...parseCreate(getParameters(request), from, findHeader(request, 'idempotency-key')),
      publicBase: publicBase(request, core.settings),
    });
    const { id, paymentReference, brand, methods } = created;
    return {
      status: true,
      id,
      payment_reference: paymentReference,
      brand,
      methods,
      ...testField(from.isTest),
    };
  });

  app.post(
    '/api/v2/payment/verify',
    { ...verifyPayment, serializerCompiler: () => writeJson },
    async (request, reply) => {
      const claim = parseClaim(getParameters(request));
      const outcome = await verifyClaim(core, { brand: callerBrand(request), ...claim });
      return reply.code(outcome.outcome === 'completed' ? 200 : 202).send(verifyAnswer(outcome));
    },
  );
}

/** @throws KashboxError `invalid_input`, `amount_out_of_range`, `amount_decimals`, `items_total` */
export function parseCreate(
  given: Static<typeof CreateBody>,
  brand: BrandContext,
  headerKey?: string,
): CreateSession {
  const key = resolveIdempotencyKey(given.idempotency_key, headerKey);
  return { ...parseOrder(given, brand, key), brand, hosted: null };
}

/** @throws KashboxError `method_unknown`, `session_not_found` */
export function parseClaim({
  id: sessionId,
  method,
  transaction_id: reference,
}: Record<'id' | 'method' | 'transaction_id', string>): Omit<VerifyClaim, 'brand'> {
  if (!isChannel(method)) {
    throw new KashboxError('method_unknown', { message: `method must be one of ${CHANNELS.join(', ')}` });
  }
  if (!SESSION_ID.test(sessionId)) throw new KashboxError('session_not_found');
  return { sessionId, method, reference };
}

function verifyAnswer({ outcome, record }: VerifyOutcome): Static<typeof VerifyAnswer> {
  switch (outcome) {
    case 'completed':
      return { status: true, message: 'Payment verified successfully', data: recordFields(record) };
    case 'part':
      return { status: false, message: partMessage(record), data: recordFields(record) };
    case 'under_review':
      return {
        status: false,
        message: 'The payment is under manual review; ask again later',
        data: recordFields(record),
      };
    default:
      return outcome satisfies never;
  }
}

function partMessage({ amountPaisa, paidPaisa }: TransactionRecord): string {
  return `A part has come in; ${formatTaka(amountPaisa - paidPaisa)} BDT is still due`;
}

function recordFields(record: TransactionRecord) {
  return {
    cus_name: record.cusName,
    cus_email: record.cusEmail,
    amount: takaJsonNumber(record.amountPaisa),
    ...amountFields(record, takaJsonNumber),
    transaction_id: record.transactionId,
    meta_data: record.metaJson === null ? null : new JsonText(record.metaJson),
    payment_method: record.channel,
    status: record.status,
    ...usdtFields(record),
    ...testField(record.isTest),
  };
}
