/** The answer of device status as a schema: what writes it fast and documents it. No rule stands here. */
import { type TSchema, Type } from '@sinclair/typebox';

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const StatusRecord = Type.Object({
  device: Nullable(Type.String({ description: 'Identifier; null for a key that names no phone' })),
  name: Nullable(Type.String()),
  state: Type.String({ description: 'ONLINE, LATE, OFFLINE, REVOKED, or UNKNOWN for a key without phone' }),
  battery: Nullable(Type.Integer({ description: 'Percent, as the phone said last' })),
  charging: Nullable(Type.Boolean()),
  network: Nullable(Type.String()),
  last_active: Type.String({
    description: 'now, or Xm, Xh, Xd, Xw, Xmo, Xy since it was last seen; empty if never',
  }),
  last_seen_at: Nullable(Type.String({ description: 'ISO 8601' })),
  downtime: Type.String({ description: 'Words, such as 2 hours 5 minutes; empty while it is online' }),
  trouble: Nullable(Type.String({ description: 'What keeps the phone from its work, in its own words' })),
  pending_sms: Nullable(Type.Integer({ description: 'SMS on the phone that have not come through yet' })),
  pending_dispatches: Nullable(Type.Integer({ description: 'SMS to be sent that wait for the phone' })),
});

/** Spec 2.6, 4.7. */
export const StatusAnswer = Type.Object({
  status: Type.Boolean(),
  devices: Type.Array(StatusRecord, { description: 'In the order of the keys' }),
  server_time: Type.String(),
});
