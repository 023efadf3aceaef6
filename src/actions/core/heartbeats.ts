/**
 * Batches heartbeats: phones call about every second. Calls within one moment share a statement and a commit;
 * each is answered after the commit.
 */
import { systemTimers, type Timers } from '../../base/values/timers.js';
import type { Store } from '../../store/store.js';
import { type PhoneCall, type PhoneHealth, recordPhoneCalls } from '../../store/tables/devices.js';

export interface HeartbeatBatch {
  /** Resolves once it is in the store. */
  note(call: PhoneCall): Promise<void>;
}

/** Time that a call waits to share a commit, ms: with 500 phones, about fifteen calls share one. */
const MOMENT_MS = 30;
/** Phones in one statement, whose text is kept for every number of them. */
const MAX_CALLS = 64;

export function createHeartbeatBatch(
  store: Pick<Store, 'write' | 'engine'>,
  timers: Timers = systemTimers,
): HeartbeatBatch {
  let calls = new Map<string, PhoneCall>();
  let written: Promise<void> | null = null;
  let write = () => {};
  let isWriting = false;
  let isDue = false;

  /** @returns a promise that resolves when the waiting calls, and those that join in time, are stored. */
  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timers.after(MOMENT_MS, () => write());
      write = () => {
        // Two that change the row of one phone would wait for each other, and keep two connections.
        if (isWriting && store.engine === 'postgres') {
          isDue = true;
          return;
        }
        cancel();
        isDue = false;
        // Makes it rare that two daemons which note the same phones lock each other out: PostgreSQL need not
        // keep to the order of a list in UPDATE … FROM, and where it does not, the store tries again.
        const sorted = [...calls.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
        calls = new Map();
        written = null;
        isWriting = true;
        resolve(store.write((db) => recordPhoneCalls(db, sorted)).finally(goOn));
      };
    });
  }

  function goOn(): void {
    isWriting = false;
    if (isDue) write();
  }

  return {
    note(call) {
      const health = joined(calls.get(call.id)?.health ?? null, call.health);
      calls.set(call.id, { ...call, health });
      written ??= gather();
      const own = written;
      if (calls.size >= MAX_CALLS) write();
      return own;
    },
  };
}

/** Merges two calls of one phone: the last value of each field is used. */
function joined(before: PhoneHealth | null, last: PhoneHealth | null): PhoneHealth | null {
  if (before === null || last === null) return last ?? before;
  return { ...before, ...Object.fromEntries(Object.entries(last).filter(([, said]) => said !== undefined)) };
}
