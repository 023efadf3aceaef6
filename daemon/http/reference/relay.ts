/** What relay phones and watchdogs call, as the reference tells it: what the routes' schemas leave unsaid. */
import { type TSchema, Type } from '@sinclair/typebox';
import { relayReceipt } from '../../../src/domain/devices/relay-receipt.js';
import { Nullable } from '../schemas/fields.js';
import { SmsBody, SyncBody } from '../schemas/relay.js';
import { OF_EVERY_BODY, OF_THE_STORE, type Operation, type Refusal } from './operation.js';

/** The route takes anything in the list, and answers for each message by itself. */
const Sms = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The phone’s own name for it; comes back.' }),
  sender: Type.String({ minLength: 1, maxLength: 100, description: 'As the phone shows it.' }),
  body: Type.String({ maxLength: 16_384, description: 'The whole text, word for word.' }),
  received_at: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description:
        'ISO 8601 (without offset: Bangladesh time) or Unix milliseconds; else the moment of the request.',
    }),
  ),
  sim_slot: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 9 }), Type.Null()], {
      description: '1 for the first SIM. A phone with two must say which, or the payment goes to review.',
    }),
  ),
});

const messages = {
  ...SmsBody.properties.messages,
  items: Sms,
  description: 'Each is checked by itself: one that is no message costs its neighbours nothing.',
};

const said = (schema: TSchema) => Type.Optional(Nullable(schema));

const Health = Type.Object(
  {
    battery: said(Type.Number({ minimum: 0, maximum: 100, description: 'Percent.' })),
    charging: said(Type.Boolean({ description: 'Whether it is being charged.' })),
    network: said(Type.String({ maxLength: 60, description: 'Such as `wifi` or `mobile`.' })),
    queued: said(Type.Number({ minimum: 0, description: 'SMS that lie on the phone and wait.' })),
    app_version: said(Type.String({ maxLength: 60, description: 'Version of the program on the phone.' })),
    trouble: said(
      Type.String({
        maxLength: 200,
        description: 'What keeps the phone from its work, for the operator; null when it is over.',
      }),
    ),
  },
  {
    description:
      'How the phone is doing. A field that is absent or wrong leaves what is known; null says that the phone ' +
      'does not know.',
  },
);

const sms = {
  id: '1',
  sender: 'bKash',
  body:
    'You have received Tk 500.00 from 01900000002. Fee Tk 0.00. Balance Tk 7,350.25. TrxID DKL7CD1EF2 at ' +
    '21/11/2026 11:40',
  received_at: '2026-11-21T11:40:05+06:00',
  sim_slot: 1,
};
const results = [{ id: '1', state: 'stored' }];
const resultsOfTwo = [...results, { id: null, state: 'rejected', reason: 'a message must be an object' }];
/** Of nobody: docs/relay.md computes a receipt with it. */
const DEVICE_KEY = 'dk_0123456789abcdef0123456789abcdef01234567';
const receipted = (list: typeof resultsOfTwo | typeof results) => ({
  status: true,
  results: list,
  receipt: relayReceipt(DEVICE_KEY, list),
});
const dispatches = [
  {
    id: 'dsp_0123456789abcdef01234567',
    number: '+8801712345678',
    message: 'Your order 17 is on its way.',
    sim_slot: null,
    parts: 1,
    priority: 0,
    expires_at: '2026-11-21T12:10:05+06:00',
  },
];
const server_time = '2026-11-21T11:40:06+06:00';

const refusals: readonly Refusal[] = [
  'batch_too_large',
  'device_key_missing',
  'device_key_invalid',
  'merchant_suspended',
  'too_many_requests',
  ...OF_EVERY_BODY,
  ...OF_THE_STORE,
  'store_full',
];

export const RELAY_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    route: '/api/v2/relay/pair',
    operationId: 'pairDevice',
    tag: 'relay',
    access: 'open',
    summary: 'Get a phone’s keys for its pairing code',
    description:
      'A code works once, for 10 minutes; `kashbox devices enroll` prints one. Wrong, used and late codes get ' +
      'the same answer.',
    body: { examples: { 'application/json': { code: 'ABCD-EFGH' } } },
    answers: {
      200: {
        description: 'The phone is paired. Keep the keys; they are not shown again.',
        examples: {
          paired: {
            status: true,
            device: { id: 'dev_0123456789abcdef01234567', name: 'counter-1' },
            device_key: 'dk_…',
            gateway_key: 'gk_…',
            server_time,
          },
        },
      },
    },
    refusals: [
      ['invalid_input', 'code is required'],
      'pairing_code_invalid',
      'too_many_requests',
      ...OF_EVERY_BODY,
      ...OF_THE_STORE,
    ],
  },
  {
    method: 'post',
    route: '/api/v2/relay/sync',
    operationId: 'syncDevice',
    tag: 'relay',
    access: 'device',
    summary: 'One round of a relay phone: its SMS, and how it is doing',
    description:
      'What is `stored` is on the disk. What is sent twice is stored once. A dispatch is handed out once; a phone ' +
      'that names its journal in `outbox` gets again what certainly never reached it.',
    body: {
      schema: { ...SyncBody, properties: { ...SyncBody.properties, messages, health: Health } },
      examples: {
        'application/json': {
          messages: [sms],
          reports: [{ id: 'dsp_0123456789abcdef01234566', state: 'SENT' }],
          outbox: { journal: 'b7f3c1d09a', held: [] },
          health: {
            battery: 81,
            charging: true,
            network: 'wifi',
            queued: 0,
            app_version: '0.1.0',
            trouble: null,
          },
        },
      },
    },
    answers: {
      200: {
        description: 'One result for each message, in their order, and the SMS that the phone is to send.',
        examples: {
          taken: { ...receipted(results), dispatches, next_poll_ms: 10_000, server_time },
        },
      },
    },
    refusals,
  },
  {
    method: 'post',
    route: '/api/v2/relay/sms',
    operationId: 'takeSms',
    tag: 'relay',
    access: 'device',
    summary: 'Hand in SMS from a script',
    description: 'The `messages` part of sync alone. Up to 200 in one request.',
    body: {
      schema: { ...SmsBody, properties: { messages } },
      examples: { 'application/json': { messages: [sms] } },
    },
    answers: {
      200: {
        description: 'One result for each message, in their order.',
        examples: { taken: receipted(resultsOfTwo) },
      },
    },
    refusals: [['invalid_input', 'messages is required'], ...refusals],
  },
  {
    method: 'get',
    route: '/api/v2/relay/events',
    operationId: 'wakePhone',
    tag: 'relay',
    access: 'device',
    summary: 'Be told when to sync',
    description:
      'Server-sent events. `event: wake` with `data: {"reason":"dispatch"}` (or `resend`) means: sync now; after ' +
      '`revoked` the stream ends. A comment comes every 15 seconds: a stream that is silent for 45 is dead.',
    answers: { 200: { description: 'The stream.', mediaType: 'text/event-stream' } },
    refusals: [
      'device_key_missing',
      'device_key_invalid',
      'merchant_suspended',
      'too_many_requests',
      'phones_full',
      'daemon_draining',
      ...OF_THE_STORE,
    ],
  },
];

const service = { method: 'get', tag: 'service', access: 'open' } as const;

export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    ...service,
    route: '/healthz',
    operationId: 'isUp',
    summary: 'Is the process up',
    description: 'Stands outside of any base path.',
    answers: { 200: { description: 'It is.', examples: { up: { status: true, message: 'up' } } } },
    refusals: [],
  },
  {
    ...service,
    route: '/readyz',
    operationId: 'isReady',
    summary: 'Can it serve',
    description:
      'Yes while the store takes writes; no while its disk is full, it is read-only or away, and while the daemon ends. ' +
      'Stands outside of any base path.',
    answers: { 200: { description: 'It can.', examples: { ready: { status: true, message: 'ready' } } } },
    refusals: [
      'daemon_draining',
      'store_unreachable',
      'store_busy',
      'store_read_only',
      'store_full',
      'store_damaged',
    ],
  },
  {
    ...service,
    route: '/openapi.json',
    operationId: 'readDocument',
    summary: 'This reference for programs',
    description: 'OpenAPI 3.1; client libraries can be generated from it.',
    answers: { 200: { description: 'The document.', schema: { type: 'object' } } },
    refusals: [],
  },
  {
    ...service,
    route: '/docs',
    operationId: 'readReference',
    summary: 'This reference for people',
    description: 'One page without scripts, made from the document.',
    answers: { 200: { description: 'The page.', mediaType: 'text/html' } },
    refusals: [],
  },
];
