/** The headless API (spec 4.4 and 4.5) as the reference tells it: what its routes' schemas leave unsaid. */
import { inEveryForm, OF_EVERY_FORM, OF_THE_BRAND_KEY, OF_THE_STORE, type Operation } from './operation.js';

const CLAIM = {
  id: '2b37b7eabf3f93b131a98370d3e060e9',
  method: 'mfs_a',
  transaction_id: 'DKL7CD1EF2',
};

const record = {
  cus_name: 'Customer',
  cus_email: '',
  amount: 500,
  transaction_id: 'DKL7CD1EF2',
  meta_data: { order: 17 },
  payment_method: 'mfs_a',
  status: 'COMPLETED',
};
const usdt = {
  ...record,
  amount: 600,
  transaction_id: `0x${'5e'.repeat(32)}`,
  payment_method: 'bep20',
  amount_usdt: 4.9793,
  receiver: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
};

export const HEADLESS_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    route: '/api/v2/payment/create',
    operationId: 'createPayment',
    tag: 'headless',
    access: 'brand',
    summary: 'Open a payment session',
    description:
      'Show the customer the numbers of `methods` and keep `id`. A session lives 60 minutes, unless the brand ' +
      'has set another time. Unknown fields are ignored.',
    body: {
      examples: inEveryForm(
        { cus_name: 'Customer', amount: 500, meta_data: { order: 17 } },
        { cus_name: 'Customer', amount: '500', meta_data: '{"order":17}' },
      ),
    },
    answers: {
      200: {
        description: 'The session is open.',
        examples: {
          created: {
            status: true,
            id: '2b37b7eabf3f93b131a98370d3e060e9',
            brand: { name: 'Amar Dokan', mobile: '', whatsapp: '', email: '' },
            methods: [
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
                receiver_address: usdt.receiver,
                dollar_rate: 120.5,
                amount_usdt: 4.9793,
              },
            ],
          },
        },
      },
    },
    refusals: [
      'fields_required',
      ['invalid_input', 'meta_data must be an object'],
      'amount_out_of_range',
      'amount_decimals',
      ...OF_THE_BRAND_KEY,
      ...OF_EVERY_FORM,
      ...OF_THE_STORE,
      'store_full',
    ],
  },
  {
    method: 'post',
    route: '/api/v2/payment/verify',
    operationId: 'verifyPayment',
    tag: 'headless',
    access: 'brand',
    summary: 'Ask whether a transaction id pays a session',
    description:
      'The same question gives the same answer for ever. `transaction_id` is of a wallet the id in its SMS, of ' +
      '`bep20` the transaction hash, of `exchange_pay` the order id or the transaction id (of a merchant account the ' +
      'order id or the number of the order), of `qr_interbank` the mobile number that paid or its last four digits. ' +
      'What is not here yet, or not final, or could not be asked for is kept and settles by itself.',
    body: {
      examples: inEveryForm(CLAIM, CLAIM),
    },
    answers: {
      200: {
        description: 'Paid: deliver.',
        examples: {
          completed: { status: true, message: 'Payment verified successfully', data: record },
          completed_in_usdt: { status: true, message: 'Payment verified successfully', data: usdt },
        },
      },
      202: {
        description:
          'A person must look: the SMS is in doubt, too much was paid, or it may be another one’s. Ask again later.',
        examples: {
          under_review: {
            status: false,
            message: 'The payment is under manual review; ask again later',
            data: { ...record, status: 'PENDING' },
          },
        },
      },
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
      ...OF_THE_BRAND_KEY,
      ...OF_EVERY_FORM,
      ...OF_THE_STORE,
      'store_full',
    ],
  },
  {
    method: 'get',
    route: '/api/qr/:file',
    path: '/api/qr/{file}',
    operationId: 'loadQrImage',
    tag: 'headless',
    access: 'open',
    summary: 'The QR code of a payment as a picture',
    description:
      'Where `qr_image` of create points; the phone of the customer loads it. Amount and reference are in the code. ' +
      'Nobody can guess the address, and the picture never changes.',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'The session and `.png`, or `.svg` for an SVG.',
        schema: { type: 'string', pattern: '^[0-9a-f]{32}\\.(png|svg)$' },
        example: '2b37b7eabf3f93b131a98370d3e060e9.png',
      },
    ],
    answers: {
      200: { description: 'The picture, more than 300 pixels wide.', mediaType: 'image/png' },
    },
    refusals: [['not_found', 'There is no such QR code'], 'too_many_requests', ...OF_THE_STORE],
  },
];
