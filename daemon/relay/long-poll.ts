/** A request of a phone that waits for something to answer with: for phones that keep no stream open. */
import type { Socket } from 'node:net';
import type { ListeningPhone, PhoneRoom } from './phone-room.js';

/** `called`: there may be something; `time`: there was not; `over`: the phone has gone, or we stop. */
export type WaitEnd = 'called' | 'time' | 'over';

export interface Wait {
  /** @returns `called` also for what came before this call and after the last. */
  next(ms: number): Promise<WaitEnd>;
  close(): void;
}

/** Longer is cut by proxies and by mobile networks. */
const MAX_WAIT_MS = 25_000;

/** What a request has brought; whoever brings something wants to hear at once that it is kept. */
interface Brought {
  readonly messages: readonly unknown[];
  readonly reports: readonly unknown[];
}

/** @param value what stands in the request. @returns milliseconds; what is no number does not wait. */
export function readWait(value: unknown, { messages, reports }: Brought): number {
  if (messages.length > 0 || reports.length > 0) return 0;
  return typeof value === 'number' && value > 0 ? Math.min(MAX_WAIT_MS, value) : 0;
}

/** @param socket the phone's connection; when it is closed, nothing may be handed out to it any more. */
export function openWait(room: PhoneRoom, phone: ListeningPhone, socket: Socket): Wait {
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
  const leave = room.enter(phone, { wake: call, breathe: () => {}, end });
  socket.once('close', end);
  return {
    async next(ms) {
      if (!isCalled && !isOver && !socket.destroyed) await patience(ms, (stop) => (proceed = stop));
      // The close event may arrive after this check.
      if (isOver || socket.destroyed) return 'over';
      if (!isCalled) return 'time';
      isCalled = false;
      return 'called';
    },
    close() {
      leave();
      socket.off('close', end);
    },
  };
}

function patience(ms: number, onStop: (stop: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    onStop(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
