/**
 * Whether the store takes writes now. The outcome of the last real write is remembered; only where that is
 * too long ago, or was a failure, a row of its own is written to see. Nothing is written while nobody asks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { KashboxError } from '../../base/errors/errors.js';
import { MIGRATIONS, tablesVersion } from '../../store/migrate.js';
import { setFact } from '../../store/tables/installation.js';
import { refuseWhileHeld } from '../../store/write-health.js';
import type { Core } from '../core/core.js';

/** A store that takes longer to answer is not one to send payments to. */
const DEADLINE_MS = 2_000;
/** So long a write that worked stands for the next one. */
const FRESH_MS = 10_000;
/** How often it is tried while writes fail. */
const RETRY_MS = 3_000;
/** What is left on a full disk may hold a short row and no payment. */
const PAYMENT_BYTES = 65_536;

type Means = Pick<Core, 'store' | 'clock'>;

/**
 * Writes something and waits until it is durable.
 * @throws KashboxError `store_full`, `store_read_only`, `store_unreachable`, `store_busy`, `store_damaged`
 */
export async function tryToWrite({ store, clock }: Means): Promise<void> {
  const filler = store.writing.failure === null ? '' : ' '.repeat(PAYMENT_BYTES);
  await inTime(store.write((db) => setFact(db, 'write_tried', `${clock.now()}${filler}`)));
}

interface WriteProof {
  /**
   * Resolves where the store can be read and written, and no newer Kashbox has changed its tables meanwhile.
   * @throws as `tryToWrite`, and KashboxError `store_newer`
   */
  check(): Promise<void>;
}

export function createWriteProof(core: Means & Pick<Core, 'timers'>): WriteProof {
  const { store, timers } = core;
  let triedAt = Number.NEGATIVE_INFINITY;
  let trying: Promise<void> | null = null;
  return {
    async check() {
      refuseWhileHeld(store);
      if ((await inTime(store.read(tablesVersion))) > MIGRATIONS.length)
        throw new KashboxError('store_newer');
      const { failure, workedAt } = store.writing;
      const now = timers.steadyMs();
      if (failure === null && now - workedAt < FRESH_MS) return;
      if (failure !== null && trying === null && now - triedAt < RETRY_MS) throw failure;
      if (trying === null) {
        triedAt = now;
        trying = tryToWrite(core).finally(() => {
          trying = null;
        });
      }
      await trying;
    },
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const late = sleep(DEADLINE_MS, undefined, { signal: deadline.signal, ref: false }).then(() => {
    throw new KashboxError('store_unreachable', { message: 'The store does not answer in time' });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    // Whichever comes later finds nobody who waits for it.
    work.catch(() => {});
    late.catch(() => {});
    deadline.abort();
  }
}
