/**
 * Whether the files of an open store still lie where they were opened, and can be locked. What is written
 * into a file that was moved, removed or replaced is not what the next start finds, and no read or write of
 * ours would show it.
 */
import { KashboxError } from '../base/errors/errors.js';
import { sleep } from '../base/values/timers.js';
import { isLockFailure } from './driver-errors.js';
import type { RepairMeans } from './log-repair.js';
import type { SqliteConnection } from './sqlite-driver.js';

const SAVE_TRIES = 200;
const SAVE_PAUSE_MS = 50;

export class FileWatch {
  private readonly own;
  private readonly checkpoint;
  private isLost = false;
  private isClosed = false;

  /** @param writer has read, so that its log is there. */
  constructor(
    private readonly writer: SqliteConnection,
    private readonly means: RepairMeans,
  ) {
    this.own = means.disk.identity(writer.file);
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Called after each commit, before anybody is told of it. @throws KashboxError `store_damaged` */
  check(): void {
    const { disk } = this.means;
    const now = disk.identity(this.writer.file);
    if (now.file === this.own.file && now.log === this.own.log) return;
    const what = now.file === this.own.file ? `${this.writer.file}-wal` : this.writer.file;
    const gone = now.file === null ? 'moved or removed' : 'replaced or removed';
    const error = new KashboxError('store_damaged', {
      message: `${what} was ${gone} while it was in use`,
      hint: 'Put it back where it was, or restore a backup (kashbox restore FILE), then start the daemon again.',
    });
    if (!this.isLost) void this.lose(error);
    throw error;
  }

  /** The same for a daemon that has nothing to write; what is found is told as the store's damage. */
  look(): void {
    if (this.isClosed || this.isLost) return;
    try {
      this.check();
    } catch {}
  }

  close(): void {
    this.isClosed = true;
  }

  /** Nothing is stored or told any more. What is in the open files is brought together before the end. */
  private async lose(error: KashboxError): Promise<void> {
    const { health, timers, onDamage } = this.means;
    this.isLost = true;
    health.hold(error);
    // A log without a name is only ours, so that no reader can make us give up on it.
    const isOnlyLog = this.means.disk.identity(this.writer.file).file === this.own.file;
    for (let left = SAVE_TRIES; left > 0 || isOnlyLog; left -= 1) {
      if (this.isClosed || this.isSaved()) break;
      await sleep(timers, SAVE_PAUSE_MS);
    }
    onDamage(error);
  }

  private isSaved(): boolean {
    try {
      return (this.checkpoint.get() as { readonly busy: number }).busy === 0;
    } catch {
      return false;
    }
  }
}

/**
 * Where the system refuses to lock the files (a network folder without its lock service, a full table of
 * locks), SQLite asks again and again for 10 s, in which the whole process waits. So it waits once: from then
 * on a checkpoint is asked first, whose own lock is given or refused at once.
 */
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
