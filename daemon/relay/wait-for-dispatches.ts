/** The end of a sync that found nothing: its answer waits for something to hand out. Knows no HTTP. */
import type { Socket } from 'node:net';
import { authenticateDevice, type DeviceContext } from '../../src/actions/access/authenticate-device.js';
import type { Core } from '../../src/actions/core/core.js';
import { type HandedOut, handOut } from '../../src/actions/relay/lease-dispatches.js';
import { NEXT_POLL_MS } from '../../src/domain/dispatches/dispatch-plan.js';
import { openWait, type Wait } from './long-poll.js';
import type { PhoneRoom } from './phone-room.js';

export interface WaitForDispatches {
  readonly device: DeviceContext;
  readonly key: string | undefined;
  /** The phone's connection. */
  readonly socket: Socket;
  /** Name of the phone's own journal; null for a phone that keeps none. */
  readonly journal: string | null;
  /** How long the phone would wait. */
  readonly waitMs: number;
  /** What it was handed when it asked. */
  readonly handedOut: HandedOut;
}

export interface WaitedFor {
  readonly handedOut: HandedOut;
  /** As it stands at the end. */
  readonly device: DeviceContext;
}

/**
 * Waits until there is an SMS to send or the phone is asked for its SMS again.
 * @returns what the phone gets in the end, perhaps nothing: its time is over, it has gone, the daemon stops,
 *   or there is no room to wait.
 * @throws KashboxError `device_key_invalid`, `merchant_suspended`: the phone was shut out meanwhile
 */
export async function waitForDispatches(
  core: Core,
  room: PhoneRoom,
  input: WaitForDispatches,
): Promise<WaitedFor> {
  const { handedOut, waitMs, device, socket } = input;
  if (waitMs === 0 || handedOut.dispatches.length > 0 || !room.hasRoom()) {
    return { handedOut, device };
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
  let { handedOut, device } = input;
  for (;;) {
    const left = until - performance.now();
    // Sooner than that only where something waits for the minute to pass in which its phone may send no more.
    const isHeldUp = handedOut.nextPollMs < NEXT_POLL_MS;
    const end = left <= 0 ? 'over' : await wait.next(isHeldUp ? Math.min(left, handedOut.nextPollMs) : left);
    if (end === 'over') return { handedOut, device };
    device = await authenticateDevice(core, { key });
    // What the phone holds by now is not known: another of its requests may have been answered meanwhile.
    const outbox = journal === null ? null : { journal, held: null };
    handedOut = await handOut(core, { deviceId: device.deviceId, outbox, reports: [] });
    const isAsked = device.resendSince !== input.device.resendSince;
    if (handedOut.dispatches.length > 0 || isAsked) return { handedOut, device };
  }
}
