/** One round trip of a relay phone: its SMS, how it is doing, and the SMS that it is to send. */
import { AFTER_ANSWER_MS } from '../../domain/balance-gaps/gap-steps.js';
import { numberAt } from '../../domain/devices/sim-change.js';
import { parseIncomingSms } from '../../domain/sms/incoming-sms.js';
import { clockNews, measureClock } from '../../domain/sms/phone-clock.js';
import { simsOfDevice } from '../../store/tables/access.js';
import { type PhoneCall, type PhoneHealth, recordPhoneCalls } from '../../store/tables/devices.js';
import { endResend, recordResendCompleted } from '../../store/tables/gaps.js';
import { type DeviceContext, recordAgent } from '../access/authenticate-device.js';
import type { Core } from '../core/core.js';
import type { PreparedSms } from '../sms/prepare-sms.js';
import { takeSms } from '../sms/take-sms.js';
import { type DispatchLeases, type LeaseInput, leaseToPhone, NOTHING } from './lease-dispatches.js';

export type DeviceHealth = Omit<PhoneHealth, 'charging'> & { readonly charging?: boolean | null | undefined };

interface SyncDevice {
  readonly device: DeviceContext;
  /** Messages as they came, each checked on its own. */
  readonly messages: readonly unknown[];
  /** True if a message has the same id in every attempt. */
  readonly hasLastingIds?: boolean;
  /** Time by the phone's own clock, milliseconds since the epoch; null or absent if not reported. */
  readonly sentAtMs?: number | null;
  /** Health of the phone; null leaves the known health unchanged. */
  readonly health: DeviceHealth | null;
  /** Absent for a phone that only brings SMS: nothing is leased to it. */
  readonly outbound?: Omit<LeaseInput, 'deviceId'>;
  /** Time since which the phone has sent its SMS again, these included, milliseconds since the epoch. */
  readonly resentSince?: number | null;
}

interface SyncedDevice {
  /** One for each message, in their order. */
  readonly results: readonly SmsResult[];
  readonly leased: DispatchLeases;
  /** Time since which the phone must send its SMS again; null if no SMS is missing. */
  readonly resendSince: number | null;
}

interface SmsResult {
  /** Null for a message that came without one. */
  readonly id: string | null;
  readonly state: 'stored' | 'duplicate' | 'rejected';
  readonly reason?: string;
}

/** Stores messages, exchanges dispatches; what is `stored`, reported or leased is durable on return. */
export async function syncDevice(core: Core, input: SyncDevice): Promise<SyncedDevice> {
  const { device, outbound } = input;
  const { deviceId } = device;
  // A phone that can send SMS for us speaks the agent's language.
  if (outbound !== undefined) await recordAgent(core, device, 'relay');
  const now = core.clock.now();
  const read = input.messages.map((message) => parseIncomingSms(message, now));
  const messages = read.flatMap((item) => (item.ok ? [item.sms] : []));
  const sims =
    messages.length === 0 ? [] : await core.store.read((db) => simsOfDevice.all(db, { device: deviceId }));
  const measuredMs = typeof input.sentAtMs === 'number' ? input.sentAtMs - now : null;
  const [taken, leased] = await Promise.all([
    takeSms(core, {
      merchantId: device.merchantId,
      source: { kind: 'relay', deviceId },
      messages,
      hasLastingIds: input.hasLastingIds ?? false,
      clock: measuredMs === null ? null : measureClock(device.clock, measuredMs, now),
      recipientOf: (sms) => numberAt(sims, sms),
      alongside: (db, prepared) =>
        recordPhoneCalls(db, [callOf(input, measuredMs ?? shownBy(prepared), now)]),
    }),
    hasNothing(device, outbound) ? NOTHING : leaseToPhone(core, { deviceId, ...outbound }),
    messages.length > 0 ? undefined : core.heartbeats.note(callOf(input, measuredMs, now)),
  ]);
  const states = taken.states.values();
  const results = read.map((item): SmsResult => {
    if (!item.ok) return { id: item.id, state: 'rejected', reason: item.reason };
    return { id: item.sms.id, state: states.next().value ?? 'duplicate' };
  });
  const resendSince = await endResending(core, device, input.resentSince ?? null);
  return { results, leased, resendSince };
}

/** Nearly every call: what comes in between wakes the phone, and it calls again. */
function hasNothing(device: DeviceContext, outbound: SyncDevice['outbound']): outbound is undefined {
  return outbound === undefined || (!device.hasDispatches && outbound.reports.length === 0);
}

/** Clock offset, ms, shown by the last SMS that shows one, for a phone that does not report its time. */
const shownBy = (prepared: readonly PreparedSms[]): number | null =>
  prepared.findLast(({ clockAheadMs }) => clockAheadMs !== null)?.clockAheadMs ?? null;

/** @param aheadMs offset of the phone's clock from ours, ms, positive if it is ahead; null if unknown. */
function callOf({ device, health }: SyncDevice, aheadMs: number | null, seenAt: number): PhoneCall {
  const charging = typeof health?.charging === 'boolean' ? Number(health.charging) : health?.charging;
  const said = health === null ? null : { ...health, charging };
  const news = aheadMs === null ? null : clockNews(device.clock, aheadMs, seenAt, health?.problem);
  return { id: device.deviceId, seenAt, health: news === null ? said : { ...said, ...news } };
}

/**
 * Closes a resend request once the phone has sent its SMS again: those still missing will not come.
 * @param since all SMS of the phone since then are stored; milliseconds since the epoch, null if unreported.
 * @returns time since which the phone must still send again, or null.
 */
async function endResending(core: Core, device: DeviceContext, since: number | null): Promise<number | null> {
  const asked = device.resendSince;
  if (since === null || asked === null || since > asked) return asked;
  const now = core.clock.now();
  await core.store.write(async (db) => {
    await endResend(db, device.deviceId, since);
    await recordResendCompleted(db, { device: device.deviceId, since, now, lookAt: now + AFTER_ANSWER_MS });
  });
  return null;
}
