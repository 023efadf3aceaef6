/** Device status for holders of device keys: dashboards, watchdogs, shops. */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getDeviceStatus } from '../../../src/actions/devices/device-status.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { RouteContext } from '../context.js';
import { authenticate, findHeader } from '../gates/auth.js';
import { takeRawBodies } from '../input/forms.js';
import { buildExample, flag, integer, Nullable, StringEnum, status, text } from '../schemas/fields.js';
import { answer, type Operation, operation } from '../schemas/operation.js';

const StatusRecord = Type.Object({
  device: Nullable(text('Id of the phone; null for an unknown key.', 'dev_0123456789abcdef01234567')),
  name: Nullable(text('Name of the phone.', 'counter-1')),
  state: StringEnum(
    ['ONLINE', 'STALE', 'OFFLINE', 'REVOKED', 'UNKNOWN'],
    '`ONLINE`: seen within 3 minutes. `STALE`: within 15. `OFFLINE`: longer ago, or never. `REVOKED`: ' +
      'revoked. `UNKNOWN`: no phone has this key, and the other fields are null, empty or absent.',
  ),
  battery: Nullable(integer('Percent, as last reported by the phone; null if never reported.', 81)),
  charging: Nullable(flag('As last reported by the phone; null if never reported.')),
  network: Nullable(
    text('Such as `wifi` or `mobile`, as last reported by the phone; null if never reported.', 'wifi'),
  ),
  last_active: Type.Optional(
    text(
      '`now` under a minute, else the largest whole unit: `5m`, `2h`, `3d`, `1w`, `2mo` (30 days), ' +
        '`1y` (365 days). For a phone that was never seen: the time since its enrolment. Absent for an ' +
        'unknown key.',
      'now',
    ),
  ),
  last_seen_at: Nullable(text('Time of its last request, ISO 8601.', '2026-11-21T11:40:05+06:00')),
  downtime: text(
    'The same in words, with the next smaller unit: `2 hours 5 minutes`; empty while it is `ONLINE`. ' +
      'For a phone that was never seen: the time since its enrolment.',
    '',
  ),
  problem: Nullable(
    text(
      'Problem that the phone reports, in its own words, such as SMS that it cannot read; null if ' +
        'there is none.',
      null,
    ),
  ),
  pending_sms: Nullable(integer('SMS on the phone that are not synced yet.', 0)),
  pending_dispatches: Nullable(integer('Outbound SMS that wait in Kashbox for this phone.', 0)),
});

const StatusAnswer = Type.Object({
  status,
  devices: Type.Array(StatusRecord, { description: 'One record per key, in the order of the keys.' }),
  server_time: text('Now, ISO 8601.', '2026-11-21T11:40:06+06:00'),
});

const online = buildExample(StatusRecord);
const offline = {
  ...online,
  device: 'dev_76543210fedcba9876543210',
  name: 'counter-2',
  state: 'OFFLINE',
  battery: 4,
  charging: false,
  network: 'lte',
  last_active: '2h',
  last_seen_at: '2026-11-21T09:35:01+06:00',
  downtime: '2 hours 5 minutes',
  pending_sms: 3,
  pending_dispatches: 1,
};
const { last_active: _none, ...others } = online;
const nothing = Object.fromEntries(Object.keys(others).map((name) => [name, null]));
const unknown = { ...nothing, state: 'UNKNOWN', downtime: '' };

const shared = {
  tag: 'relay',
  access: 'devices',
  description:
    'The header `DEVICE-KEYS` contains up to 100 device keys, separated by commas. The answer has one ' +
    'record per key, in their order. A phone is `ONLINE` if it was seen within 3 minutes, `STALE` within ' +
    '15, then `OFFLINE`. A revoked phone is `REVOKED`, an unknown key is `UNKNOWN`. A body is ignored.',
  answers: {
    200: answer('At least one of the keys belongs to a phone.', StatusAnswer, {
      told: { ...buildExample(StatusAnswer), devices: [online, offline, unknown] },
    }),
  },
  refusals: [['invalid_input', 'At most 100 DEVICE-KEYS are accepted in one request']],
} as const satisfies Partial<Operation>;

const byGet = operation({
  ...shared,
  operationId: 'getDeviceStatus',
  summary: 'Get the status of phones',
});

const byPost = operation({
  ...shared,
  operationId: 'getDeviceStatusByPost',
  summary: 'Get the status of phones, for clients that cannot send GET',
});

/** @param scope one of its own: whatever body comes with a POST, only the header counts. */
export function deviceStatusRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  takeRawBodies(scope);

  const answer = async (request: FastifyRequest): Promise<Static<typeof StatusAnswer>> => {
    const told = getDeviceStatus(core, { keys: findHeader(request, 'device-keys') });
    const nameOf = (all: Awaited<typeof told>) => all.find(({ device }) => device !== null)?.device ?? '';
    const devices = await authenticate(limits, request, told, nameOf);
    return { status: true, devices: [...devices], server_time: dhakaIso(core.clock.now()) };
  };
  scope.get('/api/v2/device/status', byGet, answer);
  scope.post('/api/v2/device/status', byPost, answer);
}
