/** One round trip of a relay phone: its SMS, how it is doing, and the SMS that it is to send. */
import { AFTER_ANSWER_MS } from '../../domain/balance-gaps/gap-steps.js';
import { numberAt } from '../../domain/devices/sim-change.js';
import { readIncomingSms } from '../../domain/sms/incoming-sms.js';
import { clockNews, measureClock } from '../../domain/sms/phone-clock.js';
import { simsOfDevice } from '../../store/tables/access.js';
import { noteCalls, type PhoneCall, type PhoneHealth } from '../../store/tables/devices.js';
import { endResend, noteAnswered } from '../../store/tables/gaps.js';
import { type DeviceContext, noteAgent } from '../access/authenticate-device.js';
import type { Core } from '../core/core.js';
import type { Prepared } from '../sms/prepare-sms.js';
import { takeSms } from '../sms/take-sms.js';
import { type DispatchLeases, type LeaseInput, leaseToPhone, NOTHING } from './lease-dispatches.js';

/** How a phone says that it is doing. */
export type DeviceHealth = Omit<PhoneHealth, 'charging'> & { readonly charging?: boolean | null | undefined };

interface SyncDevice {
  readonly device: DeviceContext;
  /** Messages as they came, each checked on its own. */
  readonly messages: readonly unknown[];
  /** Whether the ids of its messages are the same in all tries. */
  readonly hasLastingIds?: boolean;
  /** When it sent this by its own clock, milliseconds since the epoch; null or absent if it is not said. */
  readonly sentAtMs?: number | null;
  /** Null leaves what is known of the phone's health as it is. */
  readonly health: DeviceHealth | null;
  /** Absent for a phone that only brings SMS: nothing is leased to it. */
  readonly outbound?: Omit<LeaseInput, 'deviceId'>;
  /** From when on it has sent its SMS again, these messages included; milliseconds since the epoch. */
  readonly resentSince?: number | null;
}

interface SyncedDevice {
  /** One for each message, in their order. */
  readonly results: readonly SmsResult[];
  readonly leased: DispatchLeases;
  /** From when on the phone is to send its SMS again; null while nothing is missed. */
  readonly resendSince: number | null;
}

interface SmsResult {
  /** Null for a message that came without one. */
  readonly id: string | null;
  readonly state: 'stored' | 'duplicate' | 'rejected';
  readonly reason?: string;
}

/** When this returns, all that is `stored`, reported or leased is durable. */
export async function syncDevice(core: Core, input: SyncDevice): Promise<SyncedDevice> {
  const { device, outbound } = input;
  const { deviceId } = device;
  // A phone that can send SMS for us speaks the agent's language.
  if (outbound !== undefined) await noteAgent(core, device, 'relay');
  const now = core.clock.now();
  const read = input.messages.map((message) => readIncomingSms(message, now));
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
      alongside: (db, prepared) => noteCalls(db, [callOf(input, measuredMs ?? shownBy(prepared), now)]),
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

/** What SMS show of the clock of a phone that does not tell its time; the last one counts. */
const shownBy = (prepared: readonly Prepared[]): number | null =>
  prepared.findLast(({ clockAheadMs }) => clockAheadMs !== null)?.clockAheadMs ?? null;

/** @param aheadMs how far its clock is ahead of ours, by what is known now; null for nothing. */
function callOf({ device, health }: SyncDevice, aheadMs: number | null, seenAt: number): PhoneCall {
  const charging = typeof health?.charging === 'boolean' ? Number(health.charging) : health?.charging;
  const said = health === null ? null : { ...health, charging };
  const news = aheadMs === null ? null : clockNews(device.clock, aheadMs, seenAt, health?.problem);
  return { id: device.deviceId, seenAt, health: news === null ? said : { ...said, ...news } };
}

/**
 * What is still missing once a phone has sent its SMS again will not come.
 * @param since from when on all that the phone has is stored, milliseconds since the epoch; null if it says
 * nothing of it. @returns from when on it is asked to send again now, or null.
 */
async function endResending(core: Core, device: DeviceContext, since: number | null): Promise<number | null> {
  const asked = device.resendSince;
  if (since === null || asked === null || since > asked) return asked;
  const now = core.clock.now();
  await core.store.write(async (db) => {
    await endResend(db, device.deviceId, since);
    await noteAnswered(db, { device: device.deviceId, since, now, lookAt: now + AFTER_ANSWER_MS });
  });
  return null;
}
