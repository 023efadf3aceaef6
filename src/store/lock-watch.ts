/**
 * Whether the system locks the files of an open store. Where it refuses (a network folder without its lock
 * service, a full table of locks), SQLite asks again and again for 10 s, in which the whole process waits. So
 * it waits once: from then on a checkpoint is asked first, whose own lock is given or refused at once.
 */
import { isLockFailure } from './driver-errors.js';
import type { SqliteConnection } from './sqlite-driver.js';

export class LockWatch {
  private failure: unknown = null;
  private readonly checkpoint;

  constructor(writer: SqliteConnection) {
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Runs what begins a transaction. @throws what it throws; what it threw while no locks are given */
  run<T>(begin: () => T): T {
    if (this.failure !== null && this.isRefused()) throw this.failure;
    this.failure = null;
    try {
      return begin();
    } catch (error) {
      if (isLockFailure(error)) this.failure = error;
      throw error;
    }
  }

  private isRefused(): boolean {
    return (this.checkpoint.get() as { readonly busy: number }).busy !== 0;
  }
}
