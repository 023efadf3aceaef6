/** What forwarder apps call, as the reference tells it; the route reads its bodies by itself. */
import { Type } from '@sinclair/typebox';
import { FORWARD_FORMATS } from '../../../src/domain/sms/forward-formats.js';
import { OF_EVERY_BODY, OF_THE_STORE, type Operation } from './operation.js';

const Text = Type.Optional(Type.String());
const Time = Type.Optional(Type.Union([Type.String(), Type.Integer()]));

const Forwarded = Type.Object(
  {
    from: Text,
    sender: Text,
    address: Text,
    text: Text,
    message: Text,
    body: Text,
    receivedStamp: Time,
    sim: Type.Optional(Type.String({ description: '`sim1` is the first; a bare number is not read.' })),
  },
  { description: 'Sender and text under the names of the format; docs/forwarders.md has all that is read.' },
);

const forwarded = {
  from: 'bKash',
  text:
    'You have received Tk 500.00 from 01900000003. Fee Tk 0.00. Balance Tk 7,850.25. TrxID DKL7CD1EF3 at ' +
    '21/11/2026 11:45',
  receivedStamp: 1_795_239_910_000,
  sim: 'sim1',
};

export const FORWARD_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    route: '/api/v2/relay/forward/:format',
    path: '/api/v2/relay/forward/{format}',
    operationId: 'forwardSms',
    tag: 'relay',
    access: 'device',
    summary: 'Hand in an SMS from a forwarder app',
    description:
      'For Android apps that post each SMS in words of their own, as JSON or as a form. The key is also taken as ' +
      'a bearer token, or at last as `key` in the query.',
    parameters: [
      {
        name: 'format',
        in: 'path',
        required: true,
        description: 'Under which names sender and text stand.',
        schema: { type: 'string', enum: FORWARD_FORMATS },
        example: 'from-text',
      },
    ],
    body: {
      schema: Forwarded,
      examples: { 'application/json': forwarded, 'application/x-www-form-urlencoded': forwarded },
    },
    answers: {
      200: {
        description: 'It is on the disk, now or since before.',
        examples: {
          stored: { status: true, result: 'stored' },
          duplicate: { status: true, result: 'duplicate' },
        },
      },
    },
    refusals: [
      ['invalid_input', 'from and text must be a text'],
      ['route_not_found', `There is no such format; the formats are ${FORWARD_FORMATS.join(', ')}`],
      'device_key_missing',
      'device_key_invalid',
      'merchant_suspended',
      'too_many_requests',
      ...OF_EVERY_BODY,
      ...OF_THE_STORE,
      'store_full',
    ],
  },
];
