/**
 * What relay phones, and shops that send through them, say and are answered, as schemas. What a phone says is
 * read leniently: one thing that is wrong must not cost the rest of the request.
 */
import { Type } from '@sinclair/typebox';
import { Nullable, OneOf } from './fields.js';

/** Messages that one relay request may carry (design.md section 6). */
const MAX_BATCH = 200;

const status = Type.Boolean({ description: 'Always true; a refusal has false.' });
const server_time = Type.String({ description: 'Now, ISO 8601.' });

export const PairBody = Type.Object({
  code: Type.String({ description: 'The pairing code, with or without its dash.' }),
});

export const PairAnswer = Type.Object({
  status,
  device: Type.Object(
    {
      id: Type.String({ description: 'Id of the phone.' }),
      name: Type.String({ description: 'Its name, as it was enrolled.' }),
    },
    { description: 'The phone that the code was made for.' },
  ),
  device_key: Type.String({ description: 'Opens the relay API; goes into the header `DEVICE-KEY`.' }),
  gateway_key: Type.String({
    description: 'Sends SMS through this phone; goes into the header `GATEWAY-KEY`.',
  }),
  server_time,
});

/** Each message is checked by itself later on: one that is no message must not cost its neighbours. */
const Messages = Type.Array(Type.Unknown(), { maxItems: MAX_BATCH });

export const SmsBody = Type.Object({ messages: Messages });

/** All but the messages is of any shape here: nothing that is wrong with it may cost a message. */
export const SyncBody = Type.Object({
  messages: Type.Optional(Messages),
  reports: Type.Optional(
    Type.Unknown({
      description:
        'What became of SMS that the phone was given to send, up to 200: ' +
        '[{id, state: SENT|DELIVERED|FAILED|EXPIRED|UNKNOWN, part?, error?}]; without `part` of all parts',
    }),
  ),
  outbox: Type.Optional(
    Type.Unknown({
      description:
        '{journal, held: [ids]}: random name of the journal in which the phone keeps what it was given to ' +
        'send, and what of it is not reported finally. What was handed out to that journal and is neither ' +
        'held nor reported never arrived, and is handed out again',
    }),
  ),
  wait_ms: Type.Optional(
    Type.Unknown({
      description:
        'Up to 25000: with nothing to say and nothing to hand out, the answer waits so long for something',
    }),
  ),
  resent_since: Type.Optional(
    Type.Unknown({
      description:
        'ISO 8601 or milliseconds: from then on the phone has sent its SMS again, all of them stored',
    }),
  ),
  health: Type.Optional(
    Type.Unknown({ description: 'battery, charging, network, queued, app_version, trouble' }),
  ),
});

const Results = Type.Array(
  Type.Object({
    id: Nullable(Type.String({ description: 'The phone’s own name for the message; null if it had none.' })),
    state: OneOf(
      ['stored', 'duplicate', 'rejected'],
      '`stored`: on the disk. `duplicate`: it was there before. `rejected`: it is no message; `reason` says why.',
    ),
    reason: Type.Optional(Type.String({ description: 'Only of `rejected`.' })),
  }),
  { description: 'One for each message, in their order.' },
);

const Receipt = Type.String({
  description:
    'Lower-case hex of HMAC-SHA256 under the device key, over the text `kashbox-relay-receipt-v1`, a line feed, and ' +
    'the results as compact JSON `[[id,state],…]`, in their order. Only an answer with this code for just the ' +
    'messages that were sent is Kashbox’s own; keep them until then, whatever the HTTP status is.',
});

export const SmsAnswer = Type.Object({ status, results: Results, receipt: Receipt });

export const SyncAnswer = Type.Object({
  status,
  results: Results,
  receipt: Receipt,
  dispatches: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the SMS; reports name it.' }),
      number: Type.String({ description: 'Who gets it, with `+` and the country code.' }),
      message: Type.String({ description: 'The text, to be sent as it is.' }),
      sim_slot: Nullable(Type.Integer({ description: '1 for the first SIM; null leaves it to the phone.' })),
      parts: Type.Integer({ description: 'How many SMS the network will count.' }),
      priority: Type.Integer({ description: 'Higher goes first.' }),
      expires_at: Type.String({ description: 'Never to be sent from then on; ISO 8601.' }),
    }),
    { description: 'SMS that the phone is to send. Each is handed out once.' },
  ),
  next_poll_ms: Type.Integer({ description: 'After how many milliseconds the phone should call again.' }),
  resend_since: Type.Optional(
    Type.String({
      description: 'Only while some are missing: the phone is to send its SMS from then on again.',
    }),
  ),
  server_time,
});
