/** Status of the phones of a list of device keys. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { hashKey } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import {
  type DeviceState,
  deviceState,
  formatDowntime,
  lastActive,
} from '../../domain/devices/device-state.js';
import { devicesByKeys } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import type { DeviceView } from './device-view.js';

const MAX_KEYS = 100;

interface StatusRecord extends Pick<DeviceView, 'battery' | 'charging' | 'network' | 'last_seen_at'> {
  /** Id of the phone; null, like all unknown values, for a key that belongs to no phone. */
  readonly device: string | null;
  readonly name: string | null;
  readonly state: DeviceState | 'UNKNOWN';
  /**
   * Time since the last heartbeat, such as `now`, `5m`, `2h` (spec, 2.6); time since the enrollment for a
   * phone that was never seen. Absent for a key that belongs to no phone.
   */
  readonly last_active?: string;
  /** Duration in words; empty while the phone is online. */
  readonly downtime: string;
  /** Problem reported by the phone; null if there is none. */
  readonly problem: string | null;
  /** Number of SMS on the phone that have not been delivered yet. */
  readonly pending_sms: number | null;
  /** SMS that are to be sent through it and wait here. */
  readonly pending_dispatches: number | null;
}

/**
 * @param input.keys value of the header `DEVICE-KEYS`: keys separated by commas.
 * @returns one record per key, in their order. If some keys belong to active merchants, keys of suspended
 * merchants are treated as unknown.
 * @throws KashboxError `device_keys_missing`, `device_keys_invalid` (no key belongs to a phone),
 * `merchant_suspended` (all known keys belong to suspended merchants), `invalid_input` (too many)
 */
export async function getDeviceStatus(
  core: Core,
  input: { readonly keys: string | undefined },
): Promise<readonly StatusRecord[]> {
  const hashes = hashesOf(input.keys ?? '');
  const rows = await core.store.read((db) => devicesByKeys(db, {}, hashes));
  if (rows.length === 0) throw new KashboxError('device_keys_invalid');
  const active = rows.filter(({ merchant_status }) => merchant_status === 'ACTIVE');
  if (active.length === 0) throw new KashboxError('merchant_suspended');
  const now = core.clock.now();
  const rowOf = new Map(active.map((row) => [row.key_hash, row]));
  return hashes.map((hash) => recordOf(rowOf.get(hash), now));
}

function hashesOf(keys: string): string[] {
  const given = keys
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (given.length === 0) throw new KashboxError('device_keys_missing');
  if (given.length <= MAX_KEYS) return given.map(hashKey);
  refuse(
    `At most ${MAX_KEYS} DEVICE-KEYS are accepted in one request`,
    'Ask for the others in another request.',
  );
}

function recordOf(
  row: Awaited<ReturnType<typeof devicesByKeys>>[number] | undefined,
  now: number,
): StatusRecord {
  const lastSeenAt = row?.last_seen_at ?? null;
  const state = row === undefined ? 'UNKNOWN' : deviceState(row.revoked_at !== null, lastSeenAt, now);
  const isCharging = row?.charging ?? null;
  return {
    device: row?.id ?? null,
    name: row?.name ?? null,
    state,
    battery: row?.battery ?? null,
    charging: isCharging === null ? null : isCharging === 1,
    network: row?.network ?? null,
    ...(row === undefined ? {} : { last_active: lastActive(lastSeenAt ?? row.created_at, now) }),
    last_seen_at: lastSeenAt === null ? null : dhakaIso(lastSeenAt),
    downtime:
      row === undefined || state === 'UNKNOWN'
        ? ''
        : formatDowntime(state, { lastSeenAt, enrolledAt: row.created_at }, now),
    problem: row?.problem ?? null,
    pending_sms: row?.queued ?? null,
    pending_dispatches: row === undefined ? null : Number(row.waiting_dispatches),
  };
}
