/**
 * Checks if the store accepts writes. The outcome of the last real write is remembered; only if that is too
 * old or was a failure, a row is written as a test. A dashboard only reads the outcome and writes nothing.
 */

import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ERRORS, KashboxError } from '../../base/errors/errors.js';
import type { Timers } from '../../base/values/timers.js';
import { MIGRATIONS, tablesVersion } from '../../store/migrate.js';
import { setFact } from '../../store/tables/installation.js';
import { READ_ONLY, refuseWhileHeld, STANDBY } from '../../store/write-health.js';
import type { Core } from '../core/core.js';

/** A store that takes longer to answer is not one to send payments to. */
const DEADLINE_MS = 2_000;
/** Duration for which a successful write counts as proof that writes work, ms. */
const FRESH_MS = 10_000;
/** Interval of test writes while writes fail, ms. */
const RETRY_MS = 3_000;
/** Size of a test row after a failure, bytes: a full disk may fit a short row but not a payment. */
const PAYMENT_BYTES = 65_536;

type Provable = Pick<Core, 'store' | 'clock' | 'timers'>;

/**
 * Writes something and waits until it is durable.
 * @throws KashboxError `store_full`, `store_read_only`, `store_unreachable`, `store_busy`, `store_damaged`
 */
export async function tryToWrite({ store, clock, timers }: Provable): Promise<void> {
  const filler = store.writing.failure === null ? '' : ' '.repeat(PAYMENT_BYTES);
  await inTime(
    timers,
    store.write((db) => setFact(db, 'write_tried', `${clock.now()}${filler}`)),
  );
}

interface WriteProof {
  /**
   * Resolves if the store can be read and written, and no newer Kashbox has migrated it in the meantime.
   * @throws as `tryToWrite`, and KashboxError `store_newer`
   */
  check(): Promise<void>;
}

export function createWriteProof(core: Provable): WriteProof {
  const { store, timers } = core;
  let triedAt = Number.NEGATIVE_INFINITY;
  let trying: Promise<void> | null = null;
  return {
    async check() {
      refuseWhileHeld(store);
      if ((await inTime(timers, store.read(tablesVersion))) > MIGRATIONS.length)
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

function inTime<T>(timers: Timers, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new KashboxError('store_unreachable', { message: 'The store does not answer in time' }));
    const stop = timers.after(DEADLINE_MS, late, true);
    work.then(resolve, reject).finally(stop);
  });
}

/** Less than one page is nothing. */
const PAGE_BYTES = 4_096;

interface NoWritesOf extends Pick<Core, 'store'> {
  readonly home: Pick<Core['home'], 'storeFile'>;
}

/** @returns in words; null where nothing is to be seen. @throws KashboxError `store_unreachable` */
export async function whyNoWrites({ store, home }: NoWritesOf): Promise<string | null> {
  if (store.engine === 'sqlite') return fileProblem(home.storeFile);
  const [row] = await store.read((db) =>
    db.execute<{ readonly standby: boolean; readonly read_only: string }>(
      "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only",
      [],
    ),
  );
  if (row?.standby === true) return STANDBY;
  return row?.read_only === 'on' ? READ_ONLY : null;
}

function fileProblem(file: string): string | null {
  try {
    accessSync(file, constants.W_OK);
  } catch {
    return ERRORS.store_read_only.message;
  }
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < PAGE_BYTES ? ERRORS.store_full.message : null;
}
