/** The answer of device status as a schema: what writes it fast and documents it. No rule stands here. */
import { Type } from '@sinclair/typebox';
import { Nullable, OneOf } from './fields.js';

const StatusRecord = Type.Object({
  device: Nullable(Type.String({ description: 'Id of the phone; null for a key that names no phone.' })),
  name: Nullable(Type.String({ description: 'Its name, as it was enrolled.' })),
  state: OneOf(
    ['ONLINE', 'LATE', 'OFFLINE', 'REVOKED', 'UNKNOWN'],
    '`ONLINE`: seen within 3 minutes. `LATE`: within 15. `OFFLINE`: longer ago, or never. `REVOKED`: shut out. ' +
      '`UNKNOWN`: the key names no phone, and the other fields are null or empty.',
  ),
  battery: Nullable(Type.Integer({ description: 'Percent, as the phone said last; null if it did not.' })),
  charging: Nullable(Type.Boolean({ description: 'As the phone said last; null if it did not.' })),
  network: Nullable(
    Type.String({ description: 'Such as `wifi` or `mobile`, as the phone said last; null if it did not.' }),
  ),
  last_active: Type.String({
    description:
      '`now` under a minute, else the largest whole unit: `5m`, `2h`, `3d`, `1w`, `2mo` (30 days), `1y` (365 days); ' +
      'empty if it was never seen.',
  }),
  last_seen_at: Nullable(Type.String({ description: 'When it called last, ISO 8601.' })),
  downtime: Type.String({
    description:
      'The same in words, with the next smaller unit: `2 hours 5 minutes`; empty while it is `ONLINE`. Of a phone ' +
      'that was never seen it counts from its enrolment.',
  }),
  trouble: Nullable(
    Type.String({
      description:
        'What keeps the phone from its work, in its own words, such as SMS that it cannot read; null while nothing ' +
        'does.',
    }),
  ),
  pending_sms: Nullable(
    Type.Integer({ description: 'SMS that lie on the phone and have not come through yet.' }),
  ),
  pending_dispatches: Nullable(
    Type.Integer({ description: 'SMS that are to be sent through it and wait here.' }),
  ),
});

/** Spec 2.6, 4.7. */
export const StatusAnswer = Type.Object({
  status: Type.Boolean({ description: 'Always true; a refusal has false.' }),
  devices: Type.Array(StatusRecord, { description: 'One for each key, in the order of the keys.' }),
  server_time: Type.String({ description: 'Now, ISO 8601.' }),
});
