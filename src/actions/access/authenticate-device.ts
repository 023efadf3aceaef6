/** Authenticates a phone by its device key. */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import type { PhoneClock } from '../../domain/sms/phone-clock.js';
import type { DeviceTable } from '../../store/schema/index.js';
import { deviceByKey } from '../../store/tables/access.js';
import type { Core } from '../core/core.js';

export interface DeviceContext {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly name: string;
  /** Of the key that it came with. */
  readonly keyHash: string;
  /** What made its last call: agent, app, forwarder or script. */
  readonly agent: DeviceTable['agent'];
  /** From when on it is to send its SMS again, milliseconds since the epoch; null while nothing is missed. */
  readonly resendSince: number | null;
  /** What is known of its clock; null while nothing is. */
  readonly clock: PhoneClock | null;
  /** Whether dispatches are queued for it, or leased without a result. */
  readonly hasDispatches: boolean;
  /** When a hand-over of it was refused last, milliseconds since the epoch; absent or null where none was. */
  readonly refusedAt?: number | null;
}

/** @throws KashboxError `device_key_missing`, `device_key_invalid`, `merchant_suspended` */
export async function authenticateDevice(
  core: Core,
  input: { readonly key: string | undefined },
): Promise<DeviceContext> {
  const key = input.key?.trim() ?? '';
  if (key === '') throw new KashboxError('device_key_missing');
  const keyHash = hashKey(key);
  const row = await core.store.read((db) => deviceByKey.first(db, { hash: keyHash }));
  if (row === undefined) throw new KashboxError('device_key_invalid');
  if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
  return {
    deviceId: row.id,
    merchantId: row.merchant_id,
    name: row.name,
    keyHash,
    agent: row.agent,
    resendSince: row.resend_since,
    clock: clockOf(row),
    hasDispatches: Boolean(row.has_dispatches),
    refusedAt: row.refused_at,
  };
}

/** @param row of a phone. */
export function clockOf({
  clock_offset_ms: offsetMs,
  clock_since: sinceMs,
}: Pick<DeviceTable, 'clock_offset_ms' | 'clock_since'>): PhoneClock | null {
  return offsetMs === null || sinceMs === null ? null : { offsetMs, sinceMs };
}
