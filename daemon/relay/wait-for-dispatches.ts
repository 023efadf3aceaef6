/** Delays the answer of a sync that found nothing until there is something to lease. Knows no HTTP. */
import type { Socket } from 'node:net';
import { authenticateDevice, type DeviceContext } from '../../src/actions/access/authenticate-device.js';
import type { Core } from '../../src/actions/core/core.js';
import { type DispatchLeases, leaseToPhone } from '../../src/actions/relay/lease-dispatches.js';
import { NEXT_POLL_MS } from '../../src/domain/dispatches/dispatch-plan.js';
import type { ListeningPhone, PhoneSubscribers } from './phone-subscribers.js';

export interface WaitForDispatches {
  readonly device: DeviceContext;
  readonly key: string | undefined;
  /** The phone's connection. */
  readonly socket: Socket;
  /** Name of the phone's own journal; null for a phone that keeps none. */
  readonly journal: string | null;
  /** Maximum time that the phone is willing to wait, in ms. */
  readonly waitMs: number;
  /** Leases at the beginning of the request. */
  readonly leased: DispatchLeases;
}

export interface WaitedFor {
  readonly leased: DispatchLeases;
  /** Phone as it is at the end of the wait. */
  readonly device: DeviceContext;
}

/**
 * Waits until there is an SMS to send, or the phone is requested to send its SMS again.
 * @returns what the phone gets; this may be nothing: its time is over, it has disconnected, the daemon stops,
 * or too many phones wait.
 * @throws KashboxError `device_key_invalid`, `merchant_suspended`: access was revoked in the meantime
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

async function exchange(
  core: Core,
  wait: ReturnType<typeof openWait>,
  input: WaitForDispatches,
): Promise<WaitedFor> {
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

/** `called`: there may be something; `time`: there was not; `over`: the phone has gone, or we stop. */
type WaitEnd = 'called' | 'time' | 'over';

/** Maximum wait in ms; proxies and mobile networks cut longer ones. */
const MAX_WAIT_MS = 25_000;

/** Contents of a request; a request with contents is answered at once. */
interface RequestContents {
  readonly messages: readonly unknown[];
  readonly reports: readonly unknown[];
}

/** @returns milliseconds; 0 if `value` is not a number, or if the request has contents. */
export function parseWaitMs(value: unknown, { messages, reports }: RequestContents): number {
  if (messages.length > 0 || reports.length > 0) return 0;
  return typeof value === 'number' && value > 0 ? Math.min(MAX_WAIT_MS, value) : 0;
}

/** @param socket the phone's connection; after it is closed, nothing may be leased to it. */
export function openWait(room: PhoneSubscribers, phone: ListeningPhone, socket: Socket) {
  let isCalled = false;
  let isOver = false;
  let proceed = () => {};
  const call = () => {
    isCalled = true;
    proceed();
  };
  const end = () => {
    isOver = true;
    proceed();
  };
  const leave = room.subscribe(phone, { wake: call, heartbeat: () => {}, end });
  socket.once('close', end);
  return {
    /** @returns `called` also for what came before this call and after the last. */
    async next(ms: number): Promise<WaitEnd> {
      if (!isCalled && !isOver && !socket.destroyed) await waitLimit(ms, (stop) => (proceed = stop));
      // The close event may arrive after this check.
      if (isOver || socket.destroyed) return 'over';
      if (!isCalled) return 'time';
      isCalled = false;
      return 'called';
    },
    close(): void {
      leave();
      socket.off('close', end);
    },
  };
}

function waitLimit(ms: number, onStop: (stop: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    onStop(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
