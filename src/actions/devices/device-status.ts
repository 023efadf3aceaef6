/** Status of the phones of a list of device keys. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { hashKey } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import { type DeviceState, deviceState, downtimeOf, lastActive } from '../../domain/devices/device-state.js';
import { devicesByKeys } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import type { DeviceView } from './device-view.js';

const MAX_KEYS = 100;

interface StatusRecord extends Pick<DeviceView, 'battery' | 'charging' | 'network' | 'last_seen_at'> {
  /** Its identifier; null, as all that is not known, for a key that names no phone. */
  readonly device: string | null;
  readonly name: string | null;
  readonly state: DeviceState | 'UNKNOWN';
  /**
   * Such as `now`, `5m`, `2h` (spec, 2.6); of a phone that was never seen since it was enrolled. Absent for a
   * key that names no phone.
   */
  readonly last_active?: string;
  /** In words; empty while it is online. */
  readonly downtime: string;
  /** Its problem, as reported by the phone; null if there is none. */
  readonly problem: string | null;
  /** SMS that lie on the phone and have not come through yet. */
  readonly pending_sms: number | null;
  /** SMS that are to be sent through it and wait here. */
  readonly pending_dispatches: number | null;
}

/**
 * @param input.keys value of the header `DEVICE-KEYS`: keys with commas between them.
 * @returns one record a key, in their order. Beside keys of active merchants those of suspended ones name no
 *   phone.
 * @throws KashboxError `device_keys_missing`, `device_keys_invalid` (none names a phone),
 *   `merchant_suspended` (those that do are all of suspended merchants), `invalid_input` (too many)
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

type Row = Awaited<ReturnType<typeof devicesByKeys>>[number];

function recordOf(row: Row | undefined, now: number): StatusRecord {
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
        : downtimeOf(state, { lastSeenAt, enrolledAt: row.created_at }, now),
    problem: row?.problem ?? null,
    pending_sms: row?.queued ?? null,
    pending_dispatches: row === undefined ? null : Number(row.waiting_dispatches),
  };
}
