/**
 * The routes of relay phones: pairing once, then one request per round, and the event stream that wakes
 * them.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { pairDevice as pair } from '../../../src/actions/devices/enroll-device.js';
import { syncDevice as sync } from '../../../src/actions/relay/sync-device.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';
import type { WakeReason } from '../../../src/domain/devices/waking.js';
import { SENDER_TYPES } from '../../../src/domain/sms/incoming-sms.js';
import { answerSync } from '../../relay/answer-sync.js';
import type { PhoneListener } from '../../relay/phone-subscribers.js';
import { waitForDispatches } from '../../relay/wait-for-dispatches.js';
import { beginStream, type Stream } from '../../streams/event-stream.js';
import type { RouteContext } from '../context.js';
import { callerDevice, countFailure, deviceGate, findDeviceKey } from '../gates/auth.js';
import type { Parameters } from '../input/forms.js';
import { acceptOnlyJson, MAX_PHONE_KEYS } from '../input/json.js';
import { integer, Nullable, StringEnum, status, text } from '../schemas/fields.js';
import { answer, content, OF_THE_STORE, operation, type Refusal } from '../schemas/operation.js';

/** Messages that one relay request may carry. */
const MAX_BATCH = 200;

const server_time = text('Now, ISO 8601.', '2026-11-21T11:40:06+06:00');
/** Example key; docs/relay.md computes a receipt with it. */
const DEVICE_KEY = 'dk_0123456789abcdef0123456789abcdef01234567';

const PairAnswer = Type.Object({
  status,
  device: Type.Object(
    {
      id: text('Id of the phone.', 'dev_0123456789abcdef01234567'),
      name: text('Name of the phone.', 'counter-1'),
    },
    { description: 'The phone that the code was created for.' },
  ),
  device_key: text('Key of the relay API; send it in the header `DEVICE-KEY`.', 'dk_…'),
  gateway_key: text('Key to send SMS through this phone; send it in the header `GATEWAY-KEY`.', 'gk_…'),
  server_time,
});

const pairDevice = operation({
  operationId: 'pairDevice',
  tag: 'relay',
  access: 'open',
  summary: 'Get a phone’s keys for its pairing code',
  description:
    'A code can be used once, within 10 minutes; `kashbox devices enroll` prints one. Wrong, used and ' +
    'expired codes get the same answer.',
  body: Type.Object({ code: text('The pairing code, with or without its dash.', 'ABCD-EFGH') }),
  answers: {
    200: answer('The phone is paired. Keep the keys; they are not shown again.', PairAnswer, 'paired'),
  },
  refusals: [
    ['invalid_input', 'code is required'],
    'pairing_code_invalid',
    'too_many_requests',
    ...OF_THE_STORE,
  ],
});

const Sms = Type.Object({
  id: text('The phone’s own id for the message; returned in its result.', '1', {
    minLength: 1,
    maxLength: 200,
  }),
  sender: text('As the phone shows it.', 'bKash', { minLength: 1, maxLength: 100 }),
  body: text(
    'The complete text, unchanged.',
    'You have received Tk 500.00 from 01900000002. Fee Tk 0.00. Balance Tk 7,350.25. TrxID DKL7CD1EF2 at ' +
      '21/11/2026 11:40',
    { maxLength: 16_384 },
  ),
  received_at: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description:
        'ISO 8601 (without offset: Bangladesh time) or Unix milliseconds. If it is absent, the time of ' +
        'the request is used. The same applies if it is null, cannot be read, is before 2000 or more ' +
        'than 30 days ahead; then the money needs manual review.',
      examples: ['2026-11-21T11:40:05+06:00'],
    }),
  ),
  sim_slot: Type.Optional(
    Nullable(
      integer(
        '1 for the first SIM. A phone with two SIMs must say which, or the payment needs manual review.',
        1,
        {
          minimum: 1,
          maximum: 9,
        },
      ),
    ),
  ),
  smsc: Type.Optional(
    Nullable(
      text('Number of the SMS centre that delivered it, as reported by a GSM modem.', '+8801700000600'),
    ),
  ),
  sender_type: Type.Optional(
    Nullable(StringEnum(SENDER_TYPES, 'Type of the sender’s address, as reported by a GSM modem.')),
  ),
});
const messages = Type.Array(Sms, {
  maxItems: MAX_BATCH,
  description: 'Each message is checked separately: an invalid one does not affect the others.',
});

const said = (schema: TSchema) => Type.Optional(Nullable(schema));

const anything = (description: string, example?: unknown) =>
  Type.Optional(Type.Unknown({ description, ...(example === undefined ? {} : { examples: [example] }) }));

const Health = Type.Object(
  {
    battery: said(Type.Number({ minimum: 0, maximum: 100, description: 'Percent.', examples: [81] })),
    charging: said(Type.Boolean({ description: 'Whether it is being charged.', examples: [true] })),
    network: said(text('Such as `wifi` or `mobile`.', 'wifi', { maxLength: 60 })),
    queued: said(
      Type.Number({ minimum: 0, description: 'SMS on the phone that are not synced yet.', examples: [0] }),
    ),
    app_version: said(text('Version of the program on the phone.', '0.1.0', { maxLength: 60 })),
    sims: anything(
      'SIMs of a relay with GSM modems, and what the modems report: [{slot, signal (percent), ' +
        'registration: home|roaming|searching|denied|none|unknown, state: ' +
        'ready|absent|locked|failed|unknown, temperature (°C)}]',
      [{ slot: 1, signal: 74, registration: 'home', state: 'ready', temperature: null }],
    ),
    problem: said(
      text('Problem of the phone, for the operator; null when it is over.', null, {
        maxLength: 200,
      }),
    ),
  },
  {
    description:
      'Status of the phone. A field that is absent or wrong keeps its last value; null means that the ' +
      'phone does not know.',
  },
);

const SyncBody = Type.Object({
  messages: Type.Optional(messages),
  reports: anything(
    'Results of SMS that the phone was given to send, up to 200: [{id, state: ' +
      'SENT|DELIVERED|FAILED|EXPIRED|UNKNOWN, part?, error?}]; without `part` for all parts',
    [{ id: 'dsp_0123456789abcdef01234566', state: 'SENT' }],
  ),
  outbox: anything(
    '{journal, held: [ids]}: random name of the journal in which the phone keeps the SMS it was given ' +
      'to send, and the ids without a final report. An SMS that was leased to that journal and is ' +
      'neither held nor reported never arrived, and is leased again',
    { journal: 'b7f3c1d09a', held: [] },
  ),
  wait_ms: anything(
    'Up to 25000: if there is nothing to report and nothing to send, the answer is delayed up to this time',
  ),
  resent_since: anything(
    'ISO 8601 or milliseconds: the phone has sent its SMS since this time again, and all of them are ' +
      'stored',
  ),
  sent_at: anything(
    'Current time of the phone’s clock, ISO 8601 or milliseconds: a wrong clock is reported as a ' +
      'problem, and its times of SMS are corrected',
    '2026-11-21T11:40:06+06:00',
  ),
  health: Type.Optional(Health),
});

const results = Type.Array(
  Type.Object({
    id: Nullable(text('The phone’s own id for the message; null if it had none.', '1')),
    state: StringEnum(
      ['stored', 'duplicate', 'rejected'],
      '`stored`: on disk. `duplicate`: it was stored before. `rejected`: it is not a valid ' +
        'message; `reason` says why.',
    ),
    reason: Type.Optional(text('Only for `rejected`.')),
  }),
  { description: 'One result per message, in their order.' },
);
const stored = [{ id: '1', state: 'stored' }];
const receipt = text(
  'Lower-case hex of HMAC-SHA256 with the device key, over the text `kashbox-relay-receipt-v1`, a line ' +
    'feed, and the results as compact JSON `[[id,state],…]`, in their order. An answer is from Kashbox ' +
    'only if it has this code for exactly the messages that were sent; keep them until then, whatever ' +
    'the HTTP status is.',
  relayReceipt(DEVICE_KEY, stored),
);

const SyncAnswer = Type.Object({
  status,
  results,
  receipt,
  dispatches: Type.Array(
    Type.Object({
      id: text('Id of the SMS; send it in the reports.', 'dsp_0123456789abcdef01234567'),
      number: text('Recipient, with `+` and the country code.', '+8801712345678'),
      message: text('The text; send it unchanged.', 'Your order 17 is on its way.'),
      sim_slot: Nullable(integer('1 for the first SIM; null: the phone chooses.', null)),
      parts: integer('Number of SMS that the network will count.', 1),
      priority: integer('Higher is sent first.', 0),
      expires_at: text('Do not send it after this time; ISO 8601.', '2026-11-21T12:10:05+06:00'),
    }),
    { description: 'SMS that the phone must send. Each is returned once.' },
  ),
  next_poll_ms: integer('Milliseconds until the phone should sync again.', 10_000),
  resend_since: Type.Optional(
    text('Only while SMS are missing: the phone must send its SMS since this time again.'),
  ),
  server_time,
});

const OF_EVERY_BATCH: readonly Refusal[] = ['batch_too_large', 'store_full'];

const syncDevice = operation({
  operationId: 'syncDevice',
  tag: 'relay',
  access: 'device',
  summary: 'Sync a relay phone: its SMS, its status and the SMS to send',
  description:
    'A `stored` message is on disk. A message that is sent twice is stored once. A dispatch is returned ' +
    'once; a phone that names its journal in `outbox` gets the dispatches again that certainly never ' +
    'reached it.',
  body: SyncBody,
  answers: {
    200: answer(
      'One result per message, in their order, and the SMS that the phone must send.',
      SyncAnswer,
      'taken',
    ),
  },
  refusals: OF_EVERY_BATCH,
});

const one = [...stored, { id: null, state: 'rejected', reason: 'a message must be an object' }];

const takeSms = operation({
  operationId: 'ingestSms',
  tag: 'relay',
  access: 'device',
  summary: 'Submit SMS from a script',
  description: 'Only the `messages` part of sync. Up to 200 per request.',
  body: Type.Object({ messages }),
  answers: {
    200: answer('One result per message, in their order.', Type.Object({ status, results, receipt }), {
      taken: { status: true, results: one, receipt: relayReceipt(DEVICE_KEY, one) },
    }),
  },
  refusals: [['invalid_input', 'messages is required'], ...OF_EVERY_BATCH],
});

const streamRelayEvents = operation({
  operationId: 'streamRelayEvents',
  tag: 'relay',
  access: 'device',
  summary: 'Get notified when to sync',
  description:
    'Server-sent events. `event: wake` with `data: {"reason":"dispatch"}` (or `resend`) means: sync now; ' +
    'after `revoked` the stream ends. A comment is sent every 15 seconds: a stream that is silent for 45 ' +
    'seconds is broken.',
  answers: { 200: content('The stream.', 'text/event-stream') },
  refusals: ['phones_full', 'daemon_draining'],
});

/** @returns the body as an object. @throws KashboxError `invalid_json` if it is not one */
function phoneBody(body: unknown): Parameters {
  if (typeof body === 'object' && body !== null) return body as Parameters;
  throw new KashboxError('invalid_json', { message: 'The body must be a JSON object' });
}

/** @throws KashboxError `invalid_input`, `batch_too_large` */
export function validateMessages({ messages }: Parameters): unknown[] {
  if (messages === undefined) throw invalid('messages is required');
  if (!Array.isArray(messages)) throw invalid('messages must be a list');
  if (messages.length > MAX_BATCH) throw new KashboxError('batch_too_large');
  return messages;
}

/** @throws KashboxError `invalid_input` */
function validatePairingCode({ code }: Parameters): string {
  if (code === undefined) throw invalid('code is required');
  if (typeof code !== 'string') throw invalid('code must be a string');
  return code;
}

const invalid = (message: string) => new KashboxError('invalid_input', { message });

export function pairRoute(app: FastifyInstance, { core, limits }: RouteContext): void {
  app.post(
    '/api/v2/relay/pair',
    { ...pairDevice, onRequest: (request) => limits.refuseExhausted(request) },
    async (request) => {
      const code = validatePairingCode(phoneBody(request.body));
      const paired = await countFailure(limits, request, pair(core, { code, ip: request.ip }));
      return {
        status: true,
        device: paired.device,
        device_key: paired.deviceKey,
        gateway_key: paired.gatewayKey,
        server_time: dhakaIso(core.clock.now()),
      };
    },
  );
}

export function relayRoutes(app: FastifyInstance, { core, limits, phones }: RouteContext): void {
  acceptOnlyJson(app, MAX_PHONE_KEYS);
  app.addHook('onRequest', deviceGate(core, limits));

  app.post('/api/v2/relay/sync', syncDevice, async (request) => {
    const key = findDeviceKey(request) ?? '';
    const body = phoneBody(request.body);
    const messages = validateMessages({ messages: [], ...body });
    const asking = { caller: callerDevice(request), key, messages, body };
    return answerSync(core, asking, (found) =>
      waitForDispatches(core, phones, { ...found, key, socket: request.raw.socket }),
    );
  });

  app.post('/api/v2/relay/sms', takeSms, async (request) => {
    const messages = validateMessages(phoneBody(request.body));
    const { results } = await sync(core, { device: callerDevice(request), messages, health: null });
    return { status: true, results, receipt: relayReceipt((findDeviceKey(request) ?? '').trim(), results) };
  });
}

/** Sent first, so that the phone sees that it is connected. */
const HELLO = 'retry: 3000\n\n';
const HEARTBEAT = ':\n\n';

const wakeText = (reason: WakeReason) => `event: wake\ndata: ${JSON.stringify({ reason })}\n\n`;

export function relayEventsRoute(
  app: FastifyInstance,
  { core, limits, phones, draining }: RouteContext,
): void {
  app.addHook('onRequest', deviceGate(core, limits));
  app.get(
    '/api/v2/relay/events',
    { ...streamRelayEvents, exposeHeadRoute: false },
    async (request, reply) => {
      const device = callerDevice(request);
      if (draining.aborted) throw new KashboxError('daemon_draining');
      if (!phones.hasRoom()) throw new KashboxError('phones_full');
      const stream = beginStream(request, reply, HELLO);
      if (stream !== null) stream.onClose(phones.subscribe(device, listenerOver(stream)));
    },
  );
}

function listenerOver(stream: Stream): PhoneListener {
  return {
    wake(reason) {
      if (reason === 'revoked') stream.end(wakeText(reason));
      else stream.write(wakeText(reason));
    },
    heartbeat: () => stream.write(HEARTBEAT),
    end: () => stream.end(''),
  };
}
