/** Long polling, for phones that keep no stream open. */
import type { Socket } from 'node:net';
import type { ListeningPhone, PhoneSubscribers } from './phone-subscribers.js';

/** `called`: there may be something; `time`: there was not; `over`: the phone has gone, or we stop. */
export type WaitEnd = 'called' | 'time' | 'over';

export type Wait = ReturnType<typeof openWait>;

/** Longer is cut by proxies and by mobile networks. */
const MAX_WAIT_MS = 25_000;

/** Contents of a request; a request with contents is answered at once. */
interface RequestContents {
  readonly messages: readonly unknown[];
  readonly reports: readonly unknown[];
}

/** @param value what stands in the request. @returns milliseconds; what is no number does not wait. */
export function readWait(value: unknown, { messages, reports }: RequestContents): number {
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
