/** The headless payment API: what its routes carry. */
import { Type } from '@sinclair/typebox';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import { CHANNELS } from '../../../src/domain/accounts/channels.js';
import { VERIFY_REFERENCE_FIELDS } from '../input/payment-fields.js';
import { exampleOf, Nullable, OneOf, status, takaField, text, withAliases } from './fields.js';
import { answer, content, EVERY_FORM, OF_THE_STORE, operation, TWO_KEYS } from './operation.js';
import { idempotencyKey, metaData, orderEmail, orderName, withOtherNames } from './order.js';
import { HeadlessRecord, MethodEntry, Test } from './record.js';

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
        'Taka above 0 and up to 1,000,000, read as that of hosted create.',
      ),
      cus_email: Type.Optional(Nullable(orderEmail())),
      meta_data: Type.Optional(metaData),
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

/** Answer of headless create (docs/api.md). */
const CreateAnswer = Type.Object({
  status,
  id: text('The session: verify takes it as `id`.', SESSION),
  payment_reference: Nullable(
    text(
      'What the customer may enter in the “Reference” field of the wallet: 5 or 6 characters. Money with it, of ' +
        'the exact amount and to the right account, completes the payment without a verify call. Null in the ' +
        'rare case that no free one was found.',
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
    { description: 'Whom the customer pays, to be shown.' },
  ),
  methods: Type.Array(MethodEntry, { description: 'The ways to pay that are open to this payment.' }),
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
    'Show the customer the numbers of `methods` and keep `id`. A session lives 60 minutes, unless the brand ' +
    'has set another time. Unknown fields are ignored.',
  body: CreateBody,
  takes: EVERY_FORM,
  answers: {
    200: answer('The session is open.', CreateAnswer, { created: { ...exampleOf(CreateAnswer), methods } }),
  },
  refusals: [
    'fields_required',
    ['invalid_input', 'meta_data must be an object'],
    'amount_out_of_range',
    'amount_decimals',
    TWO_KEYS,
    'idempotency_conflict',
    'store_full',
  ],
});

const VerifyBody = withAliases(
  Type.Object({
    id: text('The `id` that create answered.', SESSION),
    method: OneOf(CHANNELS, 'How the customer paid: the `name` of an entry of `methods`.'),
    transaction_id: Nullable(
      text(
        'What the customer typed: of a wallet the transaction id of its SMS; of `qr_interbank` the mobile number ' +
          'that paid, or its last four digits; of `exchange_pay` the order id or the transaction id; of `bep20` the ' +
          'transaction hash. Case and spaces around it do not matter.',
        'DKL7CD1EF2',
      ),
    ),
    api_key: ApiKey,
  }),
  VERIFY_REFERENCE_FIELDS,
);

/** Transaction record of v2: the amount is a number. */
export const VerifyAnswer = Type.Object({
  status: Type.Boolean({ description: 'True if the payment is completed (200), false under review (202).' }),
  message: text('The same in words.'),
  data: HeadlessRecord,
});

const record = exampleOf(HeadlessRecord);
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
  summary: 'Ask whether a transaction id pays a session',
  description:
    'The same question gives the same answer for ever. `transaction_id` is of a wallet the id in its SMS, of ' +
    '`bep20` the transaction hash, of `exchange_pay` the order id or the transaction id (of a merchant account the ' +
    'order id or the number of the order), of `qr_interbank` the mobile number that paid or its last four digits. ' +
    'What is not here yet, or not final, or could not be asked for is kept and settles by itself.',
  body: VerifyBody,
  takes: EVERY_FORM,
  answers: {
    200: answer('Paid: deliver.', VerifyAnswer, {
      completed: { status: true, message: 'Payment verified successfully', data: record },
      completed_in_usdt: { status: true, message: 'Payment verified successfully', data: usdt },
    }),
    202: answer(
      'A person must look: the SMS is in doubt, too much was paid, or it may be another one’s. Ask again later.',
      VerifyAnswer,
      {
        under_review: {
          status: false,
          message: 'The payment is under manual review; ask again later',
          data: { ...record, status: 'PENDING' },
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

/** A session and what kind of picture. */
export const QR_FILE = new RegExp(SESSION_ID.source.replace('$', '\\.(png|svg)$'));

export const loadQrImage = operation({
  operationId: 'loadQrImage',
  tag: 'headless',
  access: 'open',
  summary: 'The QR code of a payment as a picture',
  description:
    'Where `qr_image` of create points; the phone of the customer loads it. Amount and reference are in the code. ' +
    'Nobody can guess the address, and the picture never changes.',
  params: Type.Object({
    file: text('The session and `.png`, or `.svg` for an SVG.', `${SESSION}.png`, {
      pattern: QR_FILE.source,
    }),
  }),
  answers: { 200: content('The picture, more than 300 pixels wide.', 'image/png', 'image/svg+xml') },
  refusals: [['not_found', 'There is no such QR code'], 'too_many_requests', ...OF_THE_STORE],
});
