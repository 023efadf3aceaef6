/** Sending SMS through a phone: what its routes carry. The text of an SMS is not told again. */
import { Type } from '@sinclair/typebox';
import { MAX_IDEMPOTENCY_KEY } from '../../../src/actions/input/fields.js';
import { DISPATCH_STATES } from '../../../src/domain/dispatches/dispatch.js';
import { MESSAGE_FIELDS, NUMBER_FIELDS } from '../input/gateway-fields.js';
import { exampleOf, Nullable, OneOf, status, text, whole, withAliases } from './fields.js';
import { answer, EVERY_FORM, operation, TWO_KEYS } from './operation.js';

const wholeOrText = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum }), Type.String(), Type.Null()], { description }),
  );

const Send = Type.Object({
  number: Type.Union([Type.String(), Type.Integer()], {
    description: '01XXXXXXXXX, or + and the country code; Bangla digits, spaces and dashes are fine.',
    examples: ['01712345678'],
  }),
  message: text(
    'Sent as it is; at most 10 parts: 1530 characters, with Bangla 670.',
    'Your order 17 is on its way.',
  ),
  sim_slot: wholeOrText(1, 9, '1 for the first SIM; without it the phone chooses.'),
  idempotency_key: Type.Optional(
    Nullable(
      text('Your own name for this SMS: sent again with the same key it is the same one.', 'order-17', {
        maxLength: MAX_IDEMPOTENCY_KEY,
      }),
    ),
  ),
  ttl_seconds: wholeOrText(60, 259_200, 'How long it may wait for the phone; 1800 without it.'),
  priority: wholeOrText(-128, 127, 'Higher goes first; 0 without it.'),
});

const moment = (description: string) => Nullable(text(description, null));

const Dispatch = Type.Object(
  {
    id: text('Id of this SMS.', 'dsp_0123456789abcdef01234567'),
    number: text('Who gets it, with `+` and the country code.', '+8801712345678'),
    state: OneOf(DISPATCH_STATES, 'What became of it.'),
    encoding: OneOf(['GSM-7', 'UCS-2'], 'How the network carries it.'),
    parts: whole('How many SMS the network counts.', 1),
    parts_sent: whole('How many of them have left the phone.', 0),
    parts_delivered: whole('How many of them have arrived.', 0),
    device: text('Name of the phone.', 'counter-1'),
    sim_slot: Nullable(whole('1 for the first SIM; null leaves it to the phone.', null)),
    priority: whole('Higher goes first.', 0),
    error: Nullable(text('Why it was not sent, in the words of the phone.', null)),
    queued_at: text('When it was asked for, ISO 8601.', '2026-11-21T11:40:05+06:00'),
    leased_at: moment('When the phone took it, or null.'),
    sent_at: moment('When we heard that all parts had left the phone, or null.'),
    delivered_at: moment('When we heard that all parts had arrived, or null.'),
    ended_at: moment('When it came to its present state, if it is over; else null.'),
    expires_at: text('It is never sent from then on.', '2026-11-21T12:10:05+06:00'),
  },
  { description: 'The SMS as it is now.' },
);
const DispatchAnswer = Type.Object({
  status,
  message: text('That it is queued, and whether the phone is offline.', 'Queued'),
  data: Dispatch,
});

export const sendSms = operation({
  operationId: 'sendSms',
  tag: 'sms',
  access: 'gateway',
  summary: 'Send an SMS',
  description:
    'It is queued for the phone of the key, which sends at most 24 parts a minute. An SMS is never sent twice: ' +
    'what the phone cannot account for becomes `UNKNOWN`. Send the same `idempotency_key` again, here or in ' +
    'the header `Idempotency-Key`, when an answer was lost; for another SMS it is refused.',
  body: withAliases(withAliases(Send, NUMBER_FIELDS), MESSAGE_FIELDS),
  takes: EVERY_FORM,
  answers: {
    200: answer('It is queued, now or before.', DispatchAnswer, 'queued'),
  },
  refusals: [
    TWO_KEYS,
    ['field_required', 'message is required'],
    ['field_invalid', 'priority must be a whole number from -128 to 127'],
    ['number_invalid', 'number is not a phone number: give 01XXXXXXXXX, or + and the country code'],
    'message_too_long',
    'dispatch_conflict',
    'dispatch_queue_full',
    'store_full',
  ],
});

const delivered = {
  ...exampleOf(Dispatch),
  state: 'DELIVERED',
  parts_sent: 1,
  parts_delivered: 1,
  leased_at: '2026-11-21T11:40:06+06:00',
  sent_at: '2026-11-21T11:40:08+06:00',
  delivered_at: '2026-11-21T11:40:11+06:00',
  ended_at: '2026-11-21T11:40:11+06:00',
};

export const findSms = operation({
  operationId: 'findSms',
  tag: 'sms',
  access: 'gateway',
  summary: 'See what became of an SMS',
  description:
    '`QUEUED` waits, `LEASED` is with the phone, `SENT` has left it, `DELIVERED` has arrived, where phone and ' +
    'network tell. `FAILED`, `EXPIRED` and `CANCELLED` were not sent; of `UNKNOWN` nobody can say.',
  params: Type.Object({ id: text('As send has answered it.', 'dsp_0123456789abcdef01234567') }),
  answers: {
    200: answer('It is one of this phone’s.', Type.Object({ status, data: Dispatch }), {
      delivered: { status: true, data: delivered },
    }),
  },
  refusals: [['not_found', 'There is no outbound SMS "dsp_0123456789abcdef01234567"']],
});
