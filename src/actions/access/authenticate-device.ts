/**
 * Authenticates a phone by its device key; the app "SMS Gateway for Android" also by the signature of a
 * webhook.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { storableText } from '../../base/values/text.js';
import { judgeSignature } from '../../domain/dispatches/app-reports.js';
import { clockNews, type PhoneClock } from '../../domain/sms/phone-clock.js';
import type { DeviceTable } from '../../store/schema/index.js';
import { deviceByKey } from '../../store/tables/access.js';
import { activeDevice, markAgent } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';

export interface DeviceContext {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly name: string;
  /** Hash of the device key of this request. */
  readonly keyHash: string;
  /** Kind of client that made the last call: agent, app, forwarder or script. */
  readonly agent: DeviceTable['agent'];
  /** Start of the period whose SMS must be sent again, ms since the epoch; null if none is missing. */
  readonly resendSince: number | null;
  /** Measured offset of the phone's clock; null if unknown. */
  readonly clock: PhoneClock | null;
  /** True if dispatches are queued for the phone, or leased without a result. */
  readonly hasDispatches: boolean;
  /** Time at which the last delivery was refused, ms since the epoch; absent or null if none was. */
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
function clockOf({
  clock_offset_ms: offsetMs,
  clock_since: sinceMs,
}: Pick<DeviceTable, 'clock_offset_ms' | 'clock_since'>): PhoneClock | null {
  return offsetMs === null || sinceMs === null ? null : { offsetMs, sinceMs };
}

export interface AppPhone {
  readonly device: DeviceContext;
  /**
   * Id of the registration. Another registration is another app, or one that lost its data, and must not see
   * the dispatches of this one.
   */
  readonly registration: string;
  /** Key that signs webhooks; derived from the device key, so it expires together with it. */
  readonly signingKey: string;
  /** Time of sending by the phone's clock, ms since the epoch; null if the call is not a webhook. */
  readonly sentAtMs: number | null;
}

const REGISTRATION_DIGITS = 16;

/**
 * Every call counts as a heartbeat.
 * @param input.key the device key, which the app calls its token.
 * @throws KashboxError `device_key_missing`, `device_key_invalid`, `merchant_suspended`
 */
export async function authenticateApp(
  core: Core,
  input: { readonly key: string | undefined },
): Promise<AppPhone> {
  const device = await authenticateDevice(core, input);
  await recordAgent(core, device, 'app');
  await core.heartbeats.note({ id: device.deviceId, seenAt: core.clock.now(), health: null });
  return phoneOf(core, device, null);
}

/**
 * An unknown phone gets the same answer as a wrong signature.
 * @param call.deviceId from the address of the webhook.
 * @throws KashboxError `app_signature_invalid`, `merchant_suspended`
 */
export async function authenticateWebhook(
  core: Core,
  call: {
    readonly deviceId: string;
    readonly body: Buffer;
    readonly signature: string | undefined;
    readonly timestamp: string | undefined;
  },
): Promise<AppPhone> {
  const row = await core.store.read((db) => activeDevice.first(db, { id: storableText(call.deviceId) }));
  if (row === undefined) throw new KashboxError('app_signature_invalid');
  const signingKey = signingKeyOf(core, row.id, row.key_hash);
  const sentAtMs = Number(call.timestamp) * 1000;
  const verdict = judgeSignature(signingKey, call, core.clock.now());
  switch (verdict) {
    case 'right':
      break;
    case 'missing':
    case 'wrong':
      throw new KashboxError('app_signature_invalid');
    case 'out_of_time':
      await noteClock(core, row.id, clockOf(row), sentAtMs);
      throw new KashboxError('app_signature_invalid', {
        message: 'X-Timestamp is more than 15 minutes away: set the clock of the phone',
      });
    default:
      verdict satisfies never;
  }
  if (row.merchant_status === 'SUSPENDED') throw new KashboxError('merchant_suspended');
  const device: DeviceContext = {
    deviceId: row.id,
    merchantId: row.merchant_id,
    name: row.name,
    keyHash: row.key_hash,
    agent: row.agent,
    resendSince: row.resend_since,
    clock: clockOf(row),
    hasDispatches: true,
  };
  await recordAgent(core, device, 'app');
  return phoneOf(core, device, sentAtMs);
}

/** Records the clock offset: if it is large, SMS are refused, and only an operator can correct it. */
async function noteClock(core: Core, id: string, known: PhoneClock | null, sentAtMs: number): Promise<void> {
  const now = core.clock.now();
  await core.heartbeats.note({ id, seenAt: now, health: clockNews(known, sentAtMs - now, now, undefined) });
}

function phoneOf(core: Core, device: DeviceContext, sentAtMs: number | null): AppPhone {
  const { deviceId, keyHash } = device;
  return {
    device,
    registration: `app-${keyHash.slice(0, REGISTRATION_DIGITS)}`,
    signingKey: signingKeyOf(core, deviceId, keyHash),
    sentAtMs,
  };
}

/** Returns hex: the app stores the key as loose JSON, in which some other characters end the text. */
function signingKeyOf(core: Core, deviceId: string, keyHash: string): string {
  return Buffer.from(core.secrets.deriveKey(`app-webhooks:${deviceId}:${keyHash}`)).toString('hex');
}

export async function recordAgent(
  core: Core,
  device: DeviceContext,
  agent: DeviceTable['agent'],
): Promise<void> {
  if (device.agent === agent) return;
  await core.store.write((db) => markAgent.all(db, { id: device.deviceId, agent }));
}
