/**
 * What comes before the first write of a process: the bytes of the write-ahead log are written once more and
 * synced. A log that an unclean end has left may have gaps on the disk that no reader sees: what a failed
 * sync did not bring there stays in memory, and Linux calls it written. What is committed behind such a gap
 * is lost with the power. A checkpoint would not do: it may be cut off between database file and log, or
 * stopped by a reader, and then the log as it is on the disk hides newer pages of the file behind older ones.
 */
import { isKashboxError, type KashboxError } from '../base/errors/errors.js';
import { sleep, type Timers } from '../base/values/timers.js';
import { nameSqliteError } from './driver-errors.js';
import type { SqliteDisk } from './sqlite-disk.js';
import type { SqliteConnection } from './sqlite-driver.js';
import type { WriteHealth } from './write-health.js';

/** Several processes that start together are in each other's way for a moment. */
const FIRST_TRIES = 20;
const PAUSE_MS = 50;
const RETRY_MS = 250;

export interface RepairMeans {
  readonly disk: SqliteDisk;
  readonly health: WriteHealth;
  readonly timers: Timers;
  /** Called when the disk failed meanwhile. */
  onDamage(error: unknown): void;
}

export class LogRepair {
  private isDone = false;
  private isClosed = false;

  constructor(
    private readonly writer: SqliteConnection,
    private readonly means: RepairMeans,
  ) {}

  /** Called in each transaction before its work: nobody else writes into the log then. @throws as `fsync` */
  require(): void {
    if (this.isDone) return;
    this.means.disk.rewriteLog(this.writer.file);
    this.isDone = true;
  }

  /**
   * For a daemon: until it is done nothing is stored or told, and it is tried without limit, because a disk
   * may be full for long.
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

  /** @returns why it is not done; null where it is. @throws what is nobody's fault but ours */
  private attempt(): KashboxError | null {
    try {
      this.writer.exec('BEGIN IMMEDIATE');
      try {
        this.require();
      } finally {
        this.writer.exec('ROLLBACK');
      }
      return null;
    } catch (error) {
      const known = nameSqliteError(error);
      if (isKashboxError(known)) return known;
      throw known;
    }
  }
}
