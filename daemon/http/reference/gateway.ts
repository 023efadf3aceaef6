/** Sending SMS through a phone as the reference tells it: the route reads its parameters by itself. */
import { Type } from '@sinclair/typebox';
import { MESSAGE_FIELDS, NUMBER_FIELDS } from '../input/gateway-fields.js';
import { withAliases } from '../schemas/fields.js';
import { OF_EVERY_BODY, OF_THE_STORE, type Operation, type Refusal } from './operation.js';

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum }), Type.String(), Type.Null()], { description }),
  );

const Send = Type.Object({
  number: Type.Union([Type.String(), Type.Integer()], {
    description: '01XXXXXXXXX, or + and the country code; Bangla digits, spaces and dashes are fine.',
  }),
  message: Type.String({ description: 'Sent as it is; at most 10 parts: 1530 characters, with Bangla 670.' }),
  sim_slot: whole(1, 9, '1 for the first SIM; without it the phone chooses.'),
  idempotency_key: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description: 'Your own name for this SMS: sent again with the same key it is the same one.',
    }),
  ),
  ttl_seconds: whole(60, 259_200, 'How long it may wait for the phone; 1800 without it.'),
  priority: whole(-128, 127, 'Higher goes first; 0 without it.'),
});

const queued = {
  id: 'dsp_0123456789abcdef01234567',
  number: '+8801712345678',
  state: 'QUEUED',
  encoding: 'GSM-7',
  parts: 1,
  parts_sent: 0,
  parts_delivered: 0,
  device: 'counter-1',
  sim_slot: null,
  priority: 0,
  error: null,
  queued_at: '2026-11-21T11:40:05+06:00',
  leased_at: null,
  sent_at: null,
  delivered_at: null,
  ended_at: null,
  expires_at: '2026-11-21T12:10:05+06:00',
};
const delivered = {
  ...queued,
  state: 'DELIVERED',
  parts_sent: 1,
  parts_delivered: 1,
  leased_at: '2026-11-21T11:40:06+06:00',
  sent_at: '2026-11-21T11:40:08+06:00',
  delivered_at: '2026-11-21T11:40:11+06:00',
  ended_at: '2026-11-21T11:40:11+06:00',
};

const refusals: readonly Refusal[] = [
  'gateway_key_missing',
  'gateway_key_invalid',
  'merchant_suspended',
  'ip_not_allowed',
  'too_many_requests',
  ...OF_THE_STORE,
];

const order = { number: '01712345678', message: 'Your order 17 is on its way.', idempotency_key: 'order-17' };

export const GATEWAY_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    route: '/api/v2/gateway/send',
    operationId: 'sendSms',
    tag: 'sms',
    access: 'gateway',
    summary: 'Send an SMS',
    description:
      'It is queued for the phone of the key, which sends at most 24 parts a minute. An SMS is never sent twice: ' +
      'what the phone cannot account for becomes `UNKNOWN`. Send the same `idempotency_key` again, here or in ' +
      'the header `Idempotency-Key`, when an answer was lost; for another SMS it is refused.',
    body: {
      schema: withAliases(withAliases(Send, NUMBER_FIELDS, 'optional'), MESSAGE_FIELDS, 'optional'),
      examples: {
        'application/json': order,
        'application/x-www-form-urlencoded': order,
        'multipart/form-data': order,
      },
    },
    answers: {
      200: {
        description: 'It is queued, now or before.',
        examples: { queued: { status: true, message: 'Queued', data: queued } },
      },
    },
    refusals: [
      [
        'invalid_input',
        'The header Idempotency-Key and idempotency_key of the body differ: give one, or both alike',
      ],
      ['field_required', 'message is required'],
      ['field_invalid', 'priority must be a whole number from -128 to 127'],
      ['number_invalid', 'number is not a phone number: give 01XXXXXXXXX, or + and the country code'],
      'message_too_long',
      'dispatch_conflict',
      'dispatch_queue_full',
      ...refusals,
      ...OF_EVERY_BODY,
      'store_full',
    ],
  },
  {
    method: 'get',
    route: '/api/v2/gateway/send/:id',
    path: '/api/v2/gateway/send/{id}',
    operationId: 'findSms',
    tag: 'sms',
    access: 'gateway',
    summary: 'See what became of an SMS',
    description:
      '`QUEUED` waits, `LEASED` is with the phone, `SENT` has left it, `DELIVERED` has arrived, where phone and ' +
      'network tell. `FAILED`, `EXPIRED` and `CANCELLED` were not sent; of `UNKNOWN` nobody can say.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'As send has answered it.',
        schema: { type: 'string' },
        example: queued.id,
      },
    ],
    answers: {
      200: {
        description: 'It is one of this phone’s.',
        examples: { delivered: { status: true, data: delivered } },
      },
    },
    refusals: [['not_found', `There is no outbound SMS "${queued.id}"`], ...refusals],
  },
];
