/** Time and path of the last backup of this store, for the doctor. */
import { isKashboxError } from '../../base/errors/errors.js';
import { DAY_MS } from '../../base/values/clock.js';
import { installationFact, setFact } from '../../store/tables/installation.js';
import type { Core } from '../core/core.js';

/** Older than that, something keeps it from being made every night. */
export const OLD_BACKUP_MS = 2 * DAY_MS;

interface LastBackup {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Path of the file on the machine that made it. */
  readonly file: string;
}

/**
 * Records a backup. A failure is only reported: the backup is valid even if the store is not writable.
 * @returns notes for the operator; empty if it was recorded.
 */
export async function recordBackup(core: Core, last: LastBackup): Promise<string[]> {
  try {
    await core.store.write((db) => setFact(db, 'last_backup', JSON.stringify(last)));
    return [];
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    return [`The backup could not be recorded, so kashbox doctor does not know of it: ${error.message}.`];
  }
}

/** @returns null where none was ever made. */
export async function lastBackup(core: Core): Promise<LastBackup | null> {
  const text = await core.store.read((db) => installationFact(db, 'last_backup'));
  return text === undefined ? null : (JSON.parse(text) as LastBackup);
}
