/** What shops that send SMS through a phone are answered, as schemas. The text itself is not told again. */
import { Type } from '@sinclair/typebox';
import { DISPATCH_STATES } from '../../../src/domain/dispatches/dispatch.js';
import { Nullable, OneOf } from './fields.js';

const status = Type.Boolean({ description: 'Always true; a refusal has false.' });
const Moment = (description: string) => Nullable(Type.String({ description }));

const Dispatch = Type.Object(
  {
    id: Type.String({ description: 'Id of this SMS.' }),
    number: Type.String({ description: 'Who gets it, with `+` and the country code.' }),
    state: OneOf(DISPATCH_STATES, 'What became of it.'),
    encoding: OneOf(['GSM-7', 'UCS-2'], 'How the network carries it.'),
    parts: Type.Integer({ description: 'How many SMS the network counts.' }),
    parts_sent: Type.Integer({ description: 'How many of them have left the phone.' }),
    parts_delivered: Type.Integer({ description: 'How many of them have arrived.' }),
    device: Type.String({ description: 'Name of the phone.' }),
    sim_slot: Nullable(Type.Integer({ description: '1 for the first SIM; null leaves it to the phone.' })),
    priority: Type.Integer({ description: 'Higher goes first.' }),
    error: Nullable(Type.String({ description: 'Why it was not sent, in the words of the phone.' })),
    queued_at: Type.String({ description: 'When it was asked for, ISO 8601.' }),
    leased_at: Moment('When the phone took it, or null.'),
    sent_at: Moment('When we heard that all parts had left the phone, or null.'),
    delivered_at: Moment('When we heard that all parts had arrived, or null.'),
    ended_at: Moment('When it came to its present state, if it is over; else null.'),
    expires_at: Type.String({ description: 'It is never sent from then on.' }),
  },
  { description: 'The SMS as it is now.' },
);

export const DispatchAnswer = Type.Object({
  status,
  message: Type.String({ description: 'That it is queued, and whether the phone is offline.' }),
  data: Dispatch,
});

export const FoundDispatchAnswer = Type.Object({ status, data: Dispatch });
