/** Delays the answer of a sync that found nothing until there is something to lease. Knows no HTTP. */
import type { Socket } from 'node:net';
import { authenticateDevice, type DeviceContext } from '../../src/actions/access/authenticate-device.js';
import type { Core } from '../../src/actions/core/core.js';
import { type DispatchLeases, leaseToPhone } from '../../src/actions/relay/lease-dispatches.js';
import { NEXT_POLL_MS } from '../../src/domain/dispatches/dispatch-plan.js';
import { openWait, type Wait } from './long-poll.js';
import type { PhoneSubscribers } from './phone-subscribers.js';

export interface WaitForDispatches {
  readonly device: DeviceContext;
  readonly key: string | undefined;
  /** The phone's connection. */
  readonly socket: Socket;
  /** Name of the phone's own journal; null for a phone that keeps none. */
  readonly journal: string | null;
  /** How long the phone would wait. */
  readonly waitMs: number;
  /** Leases at the beginning of the request. */
  readonly leased: DispatchLeases;
}

export interface WaitedFor {
  readonly leased: DispatchLeases;
  /** As it stands at the end. */
  readonly device: DeviceContext;
}

/**
 * Waits until there is an SMS to send or the phone is asked for its SMS again.
 * @returns what the phone gets in the end, perhaps nothing: its time is over, it has gone, the daemon stops,
 *   or there is no room to wait.
 * @throws KashboxError `device_key_invalid`, `merchant_suspended`: the phone was revoked meanwhile
 */
export async function waitForDispatches(
  core: Core,
  room: PhoneSubscribers,
  input: WaitForDispatches,
): Promise<WaitedFor> {
  const { leased, waitMs, device, socket } = input;
  if (waitMs === 0 || leased.dispatches.length > 0 || !room.hasRoom()) {
    return { leased, device };
  }
  const wait = openWait(room, device, socket);
  try {
    return await exchange(core, wait, input);
  } finally {
    wait.close();
  }
}

async function exchange(core: Core, wait: Wait, input: WaitForDispatches): Promise<WaitedFor> {
  const { key, journal, waitMs } = input;
  const until = performance.now() + waitMs;
  let { leased, device } = input;
  for (;;) {
    const left = until - performance.now();
    // Shorter only while a dispatch waits for the phone's limit per minute.
    const isHeldUp = leased.nextPollMs < NEXT_POLL_MS;
    const end = left <= 0 ? 'over' : await wait.next(isHeldUp ? Math.min(left, leased.nextPollMs) : left);
    if (end === 'over') return { leased, device };
    device = await authenticateDevice(core, { key });
    // The phone's leases may have changed: another of its requests may have been answered meanwhile.
    const outbox = journal === null ? null : { journal, held: null };
    leased = await leaseToPhone(core, { deviceId: device.deviceId, outbox, reports: [] });
    const isAsked = device.resendSince !== input.device.resendSince;
    if (leased.dispatches.length > 0 || isAsked) return { leased, device };
  }
}
