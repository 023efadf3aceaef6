/** What banks call, as the reference tells it: the route takes any body, since every bank has its own. */
import { Type } from '@sinclair/typebox';
import { OF_THE_STORE, type Operation } from './operation.js';

const Push = Type.Object(
  {
    reference: Type.String({ maxLength: 64, description: 'The bank’s own id of the payment; needed.' }),
    amount: Type.String({
      description: 'Taka with at most two decimals; a JSON number is read exactly too.',
    }),
    status: Type.String({ description: 'SUCCESS of a payment that is made; any other is none, or not yet.' }),
    payer: Type.Optional(
      Type.String({ description: 'The mobile number that paid, in full or partly hidden: `017****5678`.' }),
    ),
    bill: Type.Optional(
      Type.String({ description: 'The reference label of the QR code (object 62.05): settles by itself.' }),
    ),
    merchant: Type.Optional(Type.String({ description: 'The merchant id that was paid (object 26.03).' })),
    paid_at: Type.Optional(Type.String({ description: 'ISO 8601; without offset: Bangladesh time.' })),
    currency: Type.Optional(Type.String({ description: 'BDT or 050.' })),
  },
  { description: 'These are the names unless the acquirer has a map: `kashbox acquirers create --map`.' },
);

const push = {
  reference: 'RRN602612345678',
  amount: '1250.50',
  status: 'SUCCESS',
  payer: '017****5678',
  bill: 'K7PM2XQ4ABCD',
  paid_at: '2026-11-21T11:40:05+06:00',
};
const id = 'psh_0123456789abcdef01234567';

export const BANK_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    route: '/api/v2/acquirer/push',
    operationId: 'takePush',
    tag: 'banks',
    access: 'acquirer',
    summary: 'Tell of a payment to a QR code',
    description:
      'The signature is HMAC-SHA256 of the body as it is sent, with the secret of `kashbox acquirers create`, in ' +
      'hex, in `X-Signature`; header and encoding can be others. What is answered 2xx is on the disk. A ' +
      'reference that comes again changes nothing, but that a payment which was pending may become a success.',
    body: {
      schema: Push,
      examples: { 'application/json': push, 'application/x-www-form-urlencoded': push },
    },
    answers: {
      200: {
        description: 'It is stored, now or before.',
        examples: {
          stored: { status: true, message: 'Stored', data: { id, state: 'stored' } },
          duplicate: { status: true, message: 'Was stored before', data: { id, state: 'duplicate' } },
        },
      },
      202: {
        description:
          'It is kept for a person to look at, since it could not be read. Sending again is no use.',
        examples: {
          kept: { status: true, message: 'Kept, but it could not be read', data: { id, state: 'kept' } },
        },
      },
    },
    refusals: [
      'acquirer_key_missing',
      'acquirer_key_invalid',
      'acquirer_signature_invalid',
      ['ip_not_allowed', 'Requests from this IP address are not allowed for this acquirer'],
      'too_many_requests',
      'body_too_large',
      ...OF_THE_STORE,
      'store_full',
    ],
  },
];
