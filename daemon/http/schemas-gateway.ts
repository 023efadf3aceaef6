/** What shops that send SMS through a phone are answered, as schemas. The text itself is not told again. */
import { type TSchema, Type } from '@sinclair/typebox';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Moment = (description: string) => Nullable(Type.String({ description }));

const Dispatch = Type.Object({
  id: Type.String(),
  number: Type.String({ description: 'E.164' }),
  state: Type.String({
    description: 'QUEUED, LEASED, SENT, DELIVERED, FAILED, EXPIRED, UNKNOWN or CANCELLED',
  }),
  encoding: Type.String({ description: 'GSM-7 or UCS-2' }),
  parts: Type.Integer({ description: 'SMS that the network counts' }),
  parts_sent: Type.Integer(),
  parts_delivered: Type.Integer(),
  device: Type.String({ description: 'Name of the phone' }),
  sim_slot: Nullable(Type.Integer()),
  priority: Type.Integer(),
  error: Nullable(Type.String({ description: 'Why it was not sent, in the words of the phone' })),
  queued_at: Type.String(),
  leased_at: Moment('When the phone took it'),
  sent_at: Moment('When all parts had left the phone'),
  delivered_at: Moment('When all parts had arrived'),
  ended_at: Moment('When nothing more was to be done'),
  expires_at: Type.String({ description: 'Is not sent from then on' }),
});

export const DispatchAnswer = Type.Object({
  status: Type.Boolean(),
  message: Type.String(),
  data: Dispatch,
});

export const FoundDispatchAnswer = Type.Object({ status: Type.Boolean(), data: Dispatch });
