/** Reports the connection state: one log line when it changes, and the state file for `status`. */
import { ERRORS, reasonOf } from '../core/errors.js';
import { compareHealth, type SimReading, UNKNOWN_HEALTH } from '../core/health.js';
import type { Clock, Log } from '../core/ports.js';
import type { Plan } from '../core/sync/after-answer.js';
import type { Verdict } from '../core/sync/server-answer.js';
import type { Home, RunState } from '../ports/node-home.js';

/** Not written at every poll, to spare the phone's flash. */
const WRITE_EVERY_MS = 5_000;
/** A server refuses or misjudges SMS of a phone whose clock is further off. */
const CLOCK_TOLERANCE_MS = 120_000;

export class StateKeeper {
  private state: RunState;
  private cancelWrite: (() => void) | null = null;
  /** `connected`, or the code of the last reported problem. */
  private standing: string | null = null;
  private clockTold = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly home: Home,
    state: RunState,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    // Problems of an earlier run do not count for this one.
    this.state = { ...state, trouble: null, sims: null };
  }

  /** Called after every exchange with what came of it. */
  note(verdict: Verdict, error: Plan['error'], line: { server: string; queued: number }): void {
    const now = this.clock.now();
    if (verdict.kind === 'accepted') this.noteAccepted(verdict.serverTime, now);
    if (error !== null) {
      const lastError = { code: error.code, message: describeError(error), at: now };
      this.state = { ...this.state, lastError };
    }
    const standing = error?.code ?? 'connected';
    const changed = standing !== this.standing;
    this.standing = standing;
    if (changed && error === null) this.log.info(`connected to ${line.server}`, { queued: line.queued });
    if (changed && error !== null) {
      this.log.warn(describeError(error), { code: error.code, queued: line.queued });
    }
    if (changed) this.write();
    else this.cancelWrite ??= this.clock.after(WRITE_EVERY_MS, () => this.write());
  }

  /** Called with what keeps the agent from its work, and with null when nothing does any more. */
  noteProblem(message: string | null): void {
    const trouble = message === null ? null : { message, at: this.clock.now() };
    this.state = { ...this.state, trouble };
    this.write();
  }

  /** Called often: written at once only when more has changed than signal and temperature. */
  noteSims(sims: readonly SimReading[]): void {
    const before = this.state.sims?.readings ?? [];
    this.state = { ...this.state, sims: { at: this.clock.now(), readings: sims } };
    const isSame = compareHealth({ ...UNKNOWN_HEALTH, sims: before }, { ...UNKNOWN_HEALTH, sims }) === 'none';
    if (!isSame) this.write();
  }

  async close(): Promise<void> {
    this.write();
    await this.writing;
  }

  private noteAccepted(serverTime: number | null, now: number): void {
    const clockOffsetMs = serverTime === null ? this.state.clockOffsetMs : serverTime - now;
    this.state = { ...this.state, lastSyncAt: now, clockOffsetMs };
    const isOff = Math.abs(clockOffsetMs ?? 0) > CLOCK_TOLERANCE_MS;
    if (isOff && !this.clockTold) {
      this.log.warn('the clock of this phone differs from that of the server; set it to automatic', {
        seconds: Math.round((clockOffsetMs ?? 0) / 1000),
      });
    }
    this.clockTold = isOff;
  }

  private write(): void {
    this.cancelWrite?.();
    this.cancelWrite = null;
    const state = this.state;
    this.writing = this.writing
      .then(() => this.home.writeState(state))
      .catch((error) => this.log.warn('the state file cannot be written', { reason: reasonOf(error) }));
  }
}

function describeError(error: NonNullable<Plan['error']>): string {
  return `${ERRORS[error.code].message} (${error.reason})`;
}
