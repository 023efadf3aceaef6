/** Routes to send SMS through a relay phone. The text of an SMS is never returned. */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  authenticateGateway,
  type GatewayContext,
} from '../../../src/actions/access/authenticate-gateway.js';
import { findDispatch } from '../../../src/actions/dispatches/dispatches.js';
import { type SentDispatch, sendDispatch } from '../../../src/actions/dispatches/send-dispatch.js';
import { MAX_IDEMPOTENCY_KEY } from '../../../src/actions/input/fields.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { DISPATCH_STATES } from '../../../src/domain/dispatches/dispatch.js';
import type { RouteContext } from '../context.js';
import { authenticate, findHeader, requireCaller } from '../gates/auth.js';
import { acceptForms, getParameters } from '../input/forms.js';
import { buildExample, integer, Nullable, StringEnum, status, text, withAliases } from '../schemas/fields.js';
import {
  ALL_CONTENT_TYPES,
  answer,
  operation,
  resolveIdempotencyKey,
  TWO_KEYS,
} from '../schemas/operation.js';

const NUMBER_FIELDS = ['number', 'to', 'mobile', 'phone'];
const MESSAGE_FIELDS = ['message', 'text', 'body'];

const wholeOrText = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum, maximum }), Type.String(), Type.Null()], { description }),
  );

const Send = Type.Object({
  number: Type.Union([Type.String(), Type.Integer()], {
    description: '01XXXXXXXXX, or + and the country code; Bangla digits, spaces and dashes are accepted.',
    examples: ['01712345678'],
  }),
  message: text(
    'Sent unchanged; at most 10 parts: 1530 characters, or 670 with Bangla.',
    'Your order 17 is on its way.',
  ),
  sim_slot: wholeOrText(1, 9, '1 for the first SIM; without it the phone chooses.'),
  idempotency_key: Type.Optional(
    Nullable(
      text(
        'Your own key for this SMS: a repeated request with this key does not send a second SMS.',
        'order-17',
        { maxLength: MAX_IDEMPOTENCY_KEY },
      ),
    ),
  ),
  ttl_seconds: wholeOrText(60, 259_200, 'Seconds that it may wait for the phone; default 1800.'),
  priority: wholeOrText(-128, 127, 'Higher is sent first; default 0.'),
});

/** Body after validation. */
interface ValidSend {
  readonly number: string;
  readonly message: string;
  readonly sim_slot?: number;
  readonly idempotency_key?: string;
  readonly ttl_seconds?: number;
  readonly priority?: number;
}

const moment = (description: string) => Nullable(text(description, null));

const Dispatch = Type.Object(
  {
    id: text('Id of this SMS.', 'dsp_0123456789abcdef01234567'),
    number: text('Recipient, with `+` and the country code.', '+8801712345678'),
    state: StringEnum(DISPATCH_STATES, 'State of the SMS.'),
    encoding: StringEnum(['GSM-7', 'UCS-2'], 'Encoding in the mobile network.'),
    parts: integer('Number of SMS that the network counts.', 1),
    parts_sent: integer('Number of parts that the phone has sent.', 0),
    parts_delivered: integer('Number of parts that were delivered.', 0),
    device: text('Name of the phone.', 'counter-1'),
    sim_slot: Nullable(integer('1 for the first SIM; null: the phone chooses.', null)),
    priority: integer('Higher is sent first.', 0),
    error: Nullable(text('Why it was not sent, as the phone reports it.', null)),
    queued_at: text('Time of the request, ISO 8601.', '2026-11-21T11:40:05+06:00'),
    leased_at: moment('When the phone fetched it, or null.'),
    sent_at: moment('When the phone reported that all parts were sent, or null.'),
    delivered_at: moment('When the phone reported that all parts were delivered, or null.'),
    ended_at: moment('When it reached its final state; null before that.'),
    expires_at: text('It is never sent after this time.', '2026-11-21T12:10:05+06:00'),
  },
  { description: 'The SMS in its current state.' },
);
const DispatchAnswer = Type.Object({
  status,
  message: text('Says that it is queued, and whether the phone is offline.', 'Queued'),
  data: Dispatch,
});

const sendSms = operation({
  operationId: 'sendSms',
  tag: 'sms',
  access: 'gateway',
  summary: 'Send an SMS',
  description:
    'It is queued for the phone of the key, which sends at most 24 parts per minute. An SMS is never ' +
    'sent twice: if the phone cannot say whether it was sent, it becomes `UNKNOWN`. If an answer was ' +
    'lost, send the same `idempotency_key` again, here or in the header `Idempotency-Key`; it is refused ' +
    'for another SMS.',
  body: withAliases(withAliases(Send, NUMBER_FIELDS), MESSAGE_FIELDS),
  shape: {
    missing: (field) => new KashboxError('field_required', { message: `${field} is required` }),
    wrong: (message) => new KashboxError('field_invalid', { message }),
  },
  takes: ALL_CONTENT_TYPES,
  answers: {
    200: answer('The SMS is queued, by this request or an earlier one.', DispatchAnswer, 'queued'),
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
  ...buildExample(Dispatch),
  state: 'DELIVERED',
  parts_sent: 1,
  parts_delivered: 1,
  leased_at: '2026-11-21T11:40:06+06:00',
  sent_at: '2026-11-21T11:40:08+06:00',
  delivered_at: '2026-11-21T11:40:11+06:00',
  ended_at: '2026-11-21T11:40:11+06:00',
};

const findSms = operation({
  operationId: 'getMessage',
  tag: 'sms',
  access: 'gateway',
  summary: 'Get the state of an SMS',
  description:
    '`QUEUED`: waits. `LEASED`: the phone has it. `SENT`: the phone has sent it. `DELIVERED`: it has ' +
    'arrived, if phone and network report that. `FAILED`, `EXPIRED` and `CANCELLED`: not sent. ' +
    '`UNKNOWN`: nobody knows whether it was sent.',
  params: Type.Object({ id: text('The `id` that send returned.', 'dsp_0123456789abcdef01234567') }),
  answers: {
    200: answer('The SMS belongs to this phone.', Type.Object({ status, data: Dispatch }), {
      delivered: { status: true, data: delivered },
    }),
  },
  refusals: [['not_found', 'There is no outbound SMS "dsp_0123456789abcdef01234567"']],
});

declare module 'fastify' {
  interface FastifyRequest {
    gateway: GatewayContext | null;
  }
}

export function gatewayRoutes(app: FastifyInstance, { core, limits }: RouteContext): void {
  acceptForms(app);
  app.decorateRequest('gateway', null);
  app.addHook('onRequest', async (request) => {
    const asked = authenticateGateway(core, { keys: gatewayKeys(request), ip: request.ip });
    // Counted separately from the phone's own calls: a shop that calls too often must not block the phone.
    request.gateway = await authenticate(limits, request, asked, ({ deviceId }) => `gateway ${deviceId}`);
  });

  app.post('/api/v2/gateway/send', sendSms, async (request) => {
    const gateway = requireCaller(request.gateway);
    const given = getParameters<ValidSend>(request);
    const sent = await sendDispatch(core, {
      number: given.number,
      message: given.message,
      simSlot: given.sim_slot,
      idempotencyKey: resolveIdempotencyKey(given.idempotency_key, findHeader(request, 'idempotency-key')),
      ttlSeconds: given.ttl_seconds,
      priority: given.priority,
      gateway,
      who: null,
    });
    return { status: true, message: messageOf(sent), data: sent.dispatch };
  });

  app.get<{ Params: { readonly id: string } }>('/api/v2/gateway/send/:id', findSms, async (request) => {
    const { deviceId } = requireCaller(request.gateway);
    return { status: true, data: await findDispatch(core, { id: request.params.id, deviceId }) };
  });
}

/** Lists the keys in the order in which they are tried; a repeated header arrives as one text with commas. */
function gatewayKeys(request: FastifyRequest): string[] {
  return ['gateway-key', 'key']
    .flatMap((name) => (findHeader(request, name) ?? '').split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function messageOf({ outcome, dispatch, isPhoneOffline }: SentDispatch): string {
  switch (outcome) {
    case 'queued':
      return isPhoneOffline
        ? `Queued, but the phone is offline: it is sent if the phone is back by ${dispatch.expires_at}`
        : 'Queued';
    case 'repeated':
      return `Already queued with this idempotency_key; its state is ${dispatch.state}`;
    default:
      return outcome satisfies never;
  }
}
