/** Files of an open store: repaired before its first write, watched while it is in use. */
import { basename } from 'node:path';
import { isKashboxError, KashboxError } from '../base/errors/errors.js';
import { sleep, type Timers } from '../base/values/timers.js';
import { isLockFailure, nameSqliteError } from './driver-errors.js';
import type { SqliteConnection, SqliteDisk } from './sqlite-driver.js';
import type { WriteHealth } from './write-health.js';

interface FileMeans {
  readonly disk: SqliteDisk;
  readonly health: WriteHealth;
  readonly timers: Timers;
  /** Called when the disk has failed. */
  onDamage(error: unknown): void;
}

const SAVE_TRIES = 200;
const SAVE_PAUSE_MS = 50;

/**
 * Checks that the files are still where they were opened. Writes to a file that was moved, removed or
 * replaced are lost at the next start, and no read or write of this process shows it.
 */
export class FileWatch {
  private readonly own;
  private readonly checkpoint;
  private isLost = false;
  private isClosed = false;

  /** @param writer has read once, so that its log exists. */
  constructor(
    private readonly writer: SqliteConnection,
    private readonly means: FileMeans,
  ) {
    this.own = means.disk.identity(writer.file);
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Called after each commit, before anybody is notified of it. @throws KashboxError `store_damaged` */
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

  /** Checks the files for a daemon with nothing to write; reports a failure as store damage. */
  look(): void {
    if (this.isClosed || this.isLost) return;
    try {
      this.check();
    } catch {}
  }

  close(): void {
    this.isClosed = true;
  }

  /** Stops all writes and notifications, then merges the log into the open file before the end. */
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
 * Bounds the wait for file locks. If the system refuses to lock the files (a network folder without its lock
 * service, a full lock table), SQLite retries for 10 s, and the process blocks. So it waits only once: from
 * then on a checkpoint is tried first, whose lock is granted or refused immediately.
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

/** Several processes that start together are in each other's way for a moment. */
const FIRST_TRIES = 20;
const PAUSE_MS = 50;
const RETRY_MS = 250;

/** @param file path of the database, whose name alone callers over HTTP get. */
const readByAnother = (file: string) =>
  new KashboxError('store_busy', {
    message: `Another process is reading the store; waiting for it to end (to find it: lsof ${basename(file)})`,
    hint:
      'It may be kashbox backup, kashbox db copy or sqlite3. ' +
      `Find it with lsof ${file} or fuser ${file}, then let it finish or end it.`,
  });

/**
 * Runs before the first write of a process: rewrites the bytes of the write-ahead log and syncs them. A log
 * left by a crash may have gaps on the disk that no reader sees: after a failed sync the data stays in
 * memory, and Linux marks it as written. Commits after such a gap are lost in a power cut. A daemon then also
 * runs a checkpoint, which brings the log into the database file and empties it. A checkpoint alone is not
 * enough: it may be interrupted between file and log, and then the log on the disk overrides newer pages of
 * the file with older ones.
 */
export class LogRepair {
  private isDone = false;
  private isClosed = false;
  private readonly checkpoint;

  constructor(
    private readonly writer: SqliteConnection,
    private readonly means: FileMeans,
  ) {
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Called in each transaction before its work: nobody else writes into the log then. @throws as `fsync` */
  require(): void {
    if (this.isDone) return;
    this.means.disk.rewriteLog(this.writer.file);
    this.isDone = true;
  }

  /**
   * Repairs and empties the log for a daemon. Until then nothing is stored or sent. It retries in the
   * background without limit: a disk may be full, or another process may read, for a long time. Readers do
   * not delay it if the log is already empty.
   * @throws KashboxError `store_damaged`
   */
  async requireSoon(): Promise<void> {
    for (let left = FIRST_TRIES; ; left -= 1) {
      const failure = this.attempt();
      if (failure === null) return;
      if (failure.code === 'store_damaged') throw failure;
      if (left === 0 || failure.code !== 'store_busy') return void this.requireLater(failure);
      await sleep(this.means.timers, PAUSE_MS);
    }
  }

  close(): void {
    this.isClosed = true;
  }

  private async requireLater(first: KashboxError): Promise<void> {
    const { health, timers, onDamage } = this.means;
    for (let failure: KashboxError | null = first; failure !== null; ) {
      health.hold(failure);
      await new Promise<void>((resolve) => void timers.after(RETRY_MS, resolve, true));
      if (this.isClosed) return;
      failure = this.attempt();
      if (failure?.code === 'store_damaged') return onDamage(failure);
    }
    health.release();
  }

  /** @returns null on success, else the reason. @throws errors that are bugs of Kashbox */
  private attempt(): KashboxError | null {
    try {
      if (!this.isDone) this.rewrite();
      const { busy } = this.checkpoint.get() as { readonly busy: number };
      return busy === 0 ? null : readByAnother(this.writer.file);
    } catch (error) {
      const known = nameSqliteError(error);
      if (isKashboxError(known)) return known;
      throw known;
    }
  }

  private rewrite(): void {
    this.writer.exec('BEGIN IMMEDIATE');
    try {
      this.require();
    } finally {
      this.writer.exec('ROLLBACK');
    }
  }
}
