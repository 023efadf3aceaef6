/** Device status as the reference tells it: what the route's schema leaves unsaid. */
import type { Operation } from './operation.js';
import { OF_THE_STORE } from './operation.js';

const online = {
  device: 'dev_0123456789abcdef01234567',
  name: 'counter-1',
  state: 'ONLINE',
  battery: 81,
  charging: true,
  network: 'wifi',
  last_active: 'now',
  last_seen_at: '2026-11-21T11:40:05+06:00',
  downtime: '',
  trouble: null,
  pending_sms: 0,
  pending_dispatches: 0,
};
const offline = {
  device: 'dev_76543210fedcba9876543210',
  name: 'counter-2',
  state: 'OFFLINE',
  battery: 4,
  charging: false,
  network: 'lte',
  last_active: '2h',
  last_seen_at: '2026-11-21T09:35:01+06:00',
  downtime: '2 hours 5 minutes',
  trouble: null,
  pending_sms: 3,
  pending_dispatches: 1,
};
const unknown = {
  device: null,
  name: null,
  state: 'UNKNOWN',
  battery: null,
  charging: null,
  network: null,
  last_active: '',
  last_seen_at: null,
  downtime: '',
  trouble: null,
  pending_sms: null,
  pending_dispatches: null,
};

const shared = {
  route: '/api/v2/device/status',
  tag: 'relay',
  access: 'devices',
  description:
    'The header `DEVICE-KEYS` holds up to 100 device keys with commas between them. There is one record a ' +
    'key, in their order. A phone is `ONLINE` if it was seen within 3 minutes, `LATE` within 15, then ' +
    '`OFFLINE`; `REVOKED` is shut out; a key that names no phone is `UNKNOWN`. A body is not looked at.',
  answers: {
    200: {
      description: 'At least one of the keys names a phone.',
      examples: {
        told: {
          status: true,
          devices: [online, offline, unknown],
          server_time: '2026-11-21T11:40:06+06:00',
        },
      },
    },
  },
  refusals: [
    ['invalid_input', 'At most 100 DEVICE-KEYS are accepted in one request'],
    'device_keys_missing',
    'device_keys_invalid',
    'merchant_suspended',
    'too_many_requests',
    ...OF_THE_STORE,
  ],
} as const satisfies Partial<Operation>;

export const DEVICE_OPERATIONS: readonly Operation[] = [
  {
    ...shared,
    method: 'get',
    operationId: 'readDeviceStatus',
    summary: 'How phones are doing',
  },
  {
    ...shared,
    method: 'post',
    operationId: 'readDeviceStatusByPost',
    summary: 'How phones are doing, for who cannot send GET',
  },
];
