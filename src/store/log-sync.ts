/**
 * Brings commits of SQLite onto the disk. SQLite's own fsync runs in the thread that commits: on a disk that
 * takes 10 ms for it, every request and page would wait. So a commit only writes its pages into the
 * write-ahead log (`synchronous=NORMAL`), and that log is synced here: at once on a quick disk, on a slow one
 * in a thread of the runtime, beside other work.
 *
 *   quick  COMMIT · fsync ──► answers
 *   slow   readers are held · COMMIT ──► fsync in a thread ──► readers go on · answers
 *
 * Until then nobody is answered, and readers of this process see the store as it was before. What another
 * process has committed can be read before it is synced: `confirm` waits for that. After a loss of power the
 * log ends with its last whole commit: https://www.sqlite.org/fileformat2.html#walformat
 */
import { KashboxError } from '../base/errors/errors.js';
import type { LogFile, SqliteDisk } from './sqlite-disk.js';
import type { SqliteConnection } from './sqlite-driver.js';

/** 32 MiB. SQLite's 1,000 pages copy the pages of hot indexes again and again: a tenth of a verification. */
const CHECKPOINT_PAGES = 8_000;
/**
 * A disk is quick that usually syncs in this time, in milliseconds. On such a one a thread costs more than it
 * gives: with a sync of 1 ms, a create took a fifth more of the processor.
 */
const QUICK_MS = 4;
/** How much a sync counts in what is usual. */
const WEIGHT = 1 / 8;
/** A slow disk may become quick. Only a sync that is waited for tells: one in so many commits is. */
const TRY_EVERY = 512;

interface LogState {
  /** Pages in the log. */
  readonly log: number;
  /** Of these, how many are in the database file too. */
  readonly checkpointed: number;
}

export class LogSync {
  private readonly file: LogFile;
  private isRenewalOwed = false;
  private readonly statements;
  /** What a sync takes that is waited for, in milliseconds. */
  private usual = 0;
  private inThread = 0;
  private isClosed = false;
  /** The `data_version` up to which commits of other processes are on the disk. */
  private confirmed = -1;
  private failure: KashboxError | null = null;

  /**
   * @param writer and `reader` are two connections to one file.
   * @param disk on which they are.
   * @param now milliseconds of a clock that only rises
   * @throws what the driver throws, KashboxError `store_unreachable`
   */
  constructor(
    writer: SqliteConnection,
    reader: SqliteConnection,
    disk: Pick<SqliteDisk, 'openLog'>,
    private readonly now = () => performance.now(),
  ) {
    const look = (connection: SqliteConnection) => connection.prepare('SELECT 1 FROM sqlite_master LIMIT 1');
    // From its first reading on a connection has the log, which stays the same file until the last is closed.
    look(writer).get();
    this.file = disk.openLog(writer);
    this.statements = {
      commit: writer.prepare('COMMIT'),
      begin: reader.prepare('BEGIN'),
      // A transaction sees the store as it is at its first reading.
      look: look(reader),
      end: reader.prepare('COMMIT'),
      // Changes with commits of other connections alone, and the reader never commits.
      version: writer.prepare('PRAGMA data_version').pluck(),
      state: writer.prepare('PRAGMA wal_checkpoint(NOOP)'),
      checkpoint: writer.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
      renew: writer.prepare('PRAGMA wal_checkpoint(RESTART)'),
    };
    // SQLite's own would meet a reader that is held after each commit, and never come to the end of the log.
    for (const connection of [writer, reader]) connection.pragma('wal_autocheckpoint = 0');
  }

  /**
   * Ends the writer's transaction. Resolves when it is on the disk with all before, and readers see it.
   * @throws KashboxError `store_damaged` where the sync fails: from then on nothing is committed or told.
   * What the driver throws where the commit fails: then the transaction may still be open.
   */
  async commit(): Promise<void> {
    if (this.failure !== null) throw this.failure;
    const version = this.version();
    if (this.usual <= QUICK_MS || this.inThread === TRY_EVERY) {
      this.statements.commit.run();
      this.syncAtOnce();
    } else {
      this.inThread += 1;
      this.hold();
      try {
        this.statements.commit.run();
      } catch (error) {
        this.release();
        throw error;
      }
      await this.syncInThread();
      this.release();
    }
    this.confirmed = Math.max(this.confirmed, version);
    this.checkpointIfLong();
  }

  /** As `commit`, of a transaction that has changed nothing but may have read what others have committed. */
  async commitNothing(): Promise<void> {
    this.statements.commit.run();
    await this.confirm();
  }

  /**
   * @returns null where all that can be read is on the disk; else a promise that resolves when it is.
   * It is rejected with KashboxError `store_damaged`.
   */
  confirm(): Promise<void> | null {
    if (this.failure !== null) return Promise.reject(this.failure);
    const version = this.version();
    if (version === this.confirmed) return null;
    return this.syncInThread().then(() => {
      this.confirmed = Math.max(this.confirmed, version);
    });
  }

  /**
   * Brings the whole log into the database file, so that the next commit begins the log from the front. Where
   * a sync has failed, a part of the log may be missing on the disk although it can be read: the system keeps
   * what it could not write, and calls it written. Whatever is committed behind such a gap is lost with the
   * power, also after a restart.
   * @returns false where another process reads or writes at the moment
   * @throws what the driver throws
   */
  renew(): boolean {
    const { busy } = this.statements.renew.get() as { readonly busy: number };
    this.isRenewalOwed = false;
    return busy === 0;
  }

  /** There was no space to renew the log: that is done before anything is committed. */
  oweRenewal(): void {
    this.isRenewalOwed = true;
  }

  /** Called before each transaction. @throws what the driver throws, such as for a disk that is still full */
  renewWhereOwed(): void {
    if (this.isRenewalOwed) this.renew();
  }

  /** May be called again, as connections may: by then the number may be that of another file. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.file.close();
  }

  private version(): number {
    return this.statements.version.get() as number;
  }

  /** From now on readers see the store as it is. */
  private hold(): void {
    this.statements.begin.run();
    try {
      this.statements.look.get();
    } catch (error) {
      this.release();
      throw error;
    }
  }

  private release(): void {
    this.statements.end.run();
  }

  private syncAtOnce(): void {
    const start = this.now();
    try {
      this.file.sync();
    } catch (cause) {
      this.fail(cause);
    }
    const took = this.now() - start;
    this.usual = this.inThread > 0 ? took : this.usual + WEIGHT * (took - this.usual);
    this.inThread = 0;
  }

  /** What it takes is not measured: the answer waits until this thread has time. */
  private async syncInThread(): Promise<void> {
    await this.file.syncInThread().catch((cause) => this.fail(cause));
    // Another one may have failed meanwhile, and the system tells of it only once.
    if (this.failure !== null) throw this.failure;
  }

  /** The system may have dropped what it could not write, and a second try would succeed. */
  private fail(cause: unknown): never {
    this.failure ??= new KashboxError('store_damaged', { cause });
    throw this.failure;
  }

  /** One that fails leaves all in the log, and the next commit tries again, as with SQLite's own. */
  private checkpointIfLong(): void {
    try {
      const { log, checkpointed } = this.statements.state.get() as LogState;
      if (log - checkpointed >= CHECKPOINT_PAGES) this.statements.checkpoint.get();
    } catch {}
  }
}
