/**
 * Group commit: writes that arrive in one turn of the event loop run one after the other in one database
 * transaction, and none of them resolves before COMMIT has returned, and with it SQLite's sync.
 *
 *   add() ──► waiting ──(end of this turn)──► BEGIN IMMEDIATE · work · work · work
 *                                             COMMIT ──► every promise settles
 *
 * Refusals are values, so a unit seldom throws. If one does, all are rolled back and run again with a
 * savepoint for each: savepoints for every group would take a tenth of a verification. A unit awaits only its
 * queries, which SQLite answers immediately, so a complete group runs without yielding to other work.
 */
import { isKashboxError } from '../base/errors/errors.js';
import { sleep, type Timers } from '../base/values/timers.js';
import { nameSqliteError } from './driver-errors.js';
import type { FileWatch, LockWatch, LogRepair } from './file-watch.js';
import type { Db } from './schema/index.js';
import type { SqliteConnection } from './sqlite-driver.js';
import type { WriteHealth } from './write-health.js';

interface WaitingUnit {
  readonly work: (db: Db) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum units per group. More would delay the first, with little gain: the fsync is well shared. */
const GROUP_SIZE = 256;
/** Maximum time that a unit waits for another process that has the write lock, ms. */
const LOCK_DEADLINE_MS = 10_000;
const LOCK_RETRY_MS = 3;

/** Changes by the connection's statements since the last check. */
export interface Changes {
  /** True if anything was changed, even if it was rolled back since. */
  happened: boolean;
}

interface GroupCommitParts {
  readonly changes: Changes;
  readonly repair: LogRepair;
  readonly watch: FileWatch;
  readonly locks: LockWatch;
  readonly health: WriteHealth;
  readonly timers: Timers;
  /** Called when a commit met an I/O error or damage. */
  onDamage(error: unknown): void;
}

export class GroupCommit {
  private waiting: WaitingUnit[] = [];
  private running: Promise<void> | null = null;
  private readonly statements;

  constructor(
    private readonly raw: SqliteConnection,
    private readonly db: Db,
    private readonly parts: GroupCommitParts,
  ) {
    this.statements = {
      begin: raw.prepare('BEGIN IMMEDIATE'),
      commit: raw.prepare('COMMIT'),
      rollback: raw.prepare('ROLLBACK'),
      savepoint: raw.prepare('SAVEPOINT unit'),
      release: raw.prepare('RELEASE unit'),
      undo: raw.prepare('ROLLBACK TO unit'),
    };
  }

  /** @returns what `work` returned, once that is durable. */
  add<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: (value) => resolve(value as T), reject });
      this.schedule();
    });
  }

  /** Resolves when everything that was added is settled. */
  async drain(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  private schedule(): void {
    if (this.running !== null) return;
    this.running = new Promise((done) => {
      this.parts.timers.afterTurn(async () => {
        await this.runGroup(this.waiting.splice(0, GROUP_SIZE));
        this.running = null;
        if (this.waiting.length > 0) this.schedule();
        done();
      });
    });
  }

  private async runGroup(units: readonly WaitingUnit[]): Promise<void> {
    try {
      for (const answer of await this.commitTogether(units)) answer();
    } catch (error) {
      this.failAll(units, error);
    }
  }

  /** @returns how to answer each unit, now that all is durable. Throws if nothing of the group counts. */
  private async commitTogether(units: readonly WaitingUnit[]): Promise<(() => void)[]> {
    await this.begin();
    this.parts.changes.happened = false;
    try {
      const answers = (await this.runPlain(units)) ?? (await this.runWithSavepoints(units));
      this.commit();
      return answers;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Commits; the data is on the disk when it returns. */
  private commit(): void {
    this.statements.commit.run();
    this.parts.watch.check();
    if (this.parts.changes.happened) this.parts.health.worked();
  }

  /** The engine may have done it already (disk full, I/O error). A connection that cannot is of no use. */
  private rollBack(): void {
    try {
      if (this.raw.isTransaction) this.statements.rollback.run();
    } catch (error) {
      this.parts.onDamage(error);
    }
  }

  /** @returns how to answer each unit; null if one of several failed: then nothing of them may count. */
  private async runPlain(units: readonly WaitingUnit[]): Promise<(() => void)[] | null> {
    const answers: (() => void)[] = [];
    try {
      for (const unit of units) {
        const value = await unit.work(this.db);
        answers.push(() => unit.resolve(value));
      }
      return answers;
    } catch (error) {
      if (units.length === 1) throw error;
      return null;
    }
  }

  /** Like `runPlain`, but rolls back only a failed unit. Throws only if the group is lost. */
  private async runWithSavepoints(units: readonly WaitingUnit[]): Promise<(() => void)[]> {
    this.rollBack();
    await this.begin();
    const answers: (() => void)[] = [];
    for (const unit of units) answers.push(await this.runUnit(unit));
    return answers;
  }

  /** @returns a function that settles the unit after the commit. Throws only if the group is lost. */
  private async runUnit(unit: WaitingUnit): Promise<() => void> {
    this.statements.savepoint.run();
    try {
      const value = await unit.work(this.db);
      this.statements.release.run();
      return () => unit.resolve(value);
    } catch (error) {
      if (!this.raw.isTransaction) throw error;
      this.statements.undo.run();
      this.statements.release.run();
      const known = nameSqliteError(error);
      this.parts.health.failed(known);
      return () => unit.reject(known);
    }
  }

  private async begin(): Promise<void> {
    const { timers, repair, health, locks } = this.parts;
    const started = timers.steadyMs();
    for (;;) {
      if (health.held !== null) throw health.held;
      try {
        locks.run(() => this.statements.begin.run());
        repair.require();
        return;
      } catch (error) {
        const known = nameSqliteError(error);
        this.rollBack();
        const busy = isKashboxError(known, 'store_busy');
        if (!busy || timers.steadyMs() - started > LOCK_DEADLINE_MS) throw known;
      }
      await sleep(timers, LOCK_RETRY_MS);
    }
  }

  private failAll(units: readonly WaitingUnit[], error: unknown): void {
    const { health, onDamage } = this.parts;
    const known = nameSqliteError(error);
    // Only a restart can tell what is on the disk. What is held already was told.
    const isDamage = isKashboxError(known, 'store_damaged') && health.held === null;
    if (isDamage) health.hold(known);
    health.failed(known);
    for (const unit of units) unit.reject(known);
    if (isDamage) onDamage(known);
  }
}
