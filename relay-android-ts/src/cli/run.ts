/** `kashbox-relay run`: builds the agent on Node's ports and keeps it going until a signal. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Agent } from '../core/agent.js';
import { ERRORS, errorMessage, RelayError } from '../core/errors.js';
import { compareHealth, type SimReading, UNKNOWN_HEALTH } from '../core/health.js';
import { DeadLetters } from '../core/inbox/dead-letters.js';
import { Queue } from '../core/inbox/queue.js';
import { Outbox } from '../core/outbox/outbox.js';
import type { Clock, Log } from '../core/ports.js';
import type { Stores } from '../core/stores.js';
import type { SyncPlan } from '../core/sync/after-answer.js';
import type { SyncVerdict } from '../core/sync/server-answer.js';
import type { SyncEnd } from '../core/sync/sync-pump.js';
import { nodeClock } from '../ports/node-clock.js';
import { NodeDurableFile } from '../ports/node-files.js';
import type { Home, RunState } from '../ports/node-home.js';
import { takeLock } from '../ports/node-lock.js';
import { createLog, logFile } from '../ports/node-log.js';
import { APP_VERSION } from '../version.js';
import { choosePlatform, type PlatformOptions } from './choose-platform.js';
import { openHome, type Terminal } from './context.js';
import { PairedServerClient } from './paired-server.js';

/** Delay of routine writes of the state file: a write at every poll would wear the phone's flash. */
const WRITE_EVERY_MS = 5_000;
/** A server refuses or misjudges SMS of a phone whose clock is further off. */
const CLOCK_TOLERANCE_MS = 120_000;

/** Reports the connection state: one log line when it changes, and the state file for `status`. */
class StateKeeper {
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
    this.state = { ...state, problem: null, sims: null };
  }

  /** Called after every exchange with what came of it. */
  note(verdict: SyncVerdict, error: SyncPlan['error'], line: { server: string; queued: number }): void {
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

  /** Called with the problem that prevents the agent from working, and with null when it is resolved. */
  noteProblem(message: string | null): void {
    const problem = message === null ? null : { message, at: this.clock.now() };
    this.state = { ...this.state, problem };
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
      .catch((error) => this.log.warn('the state file cannot be written', { reason: errorMessage(error) }));
  }
}

function describeError(error: NonNullable<SyncPlan['error']>): string {
  return `${ERRORS[error.code].message} (${error.reason})`;
}

export interface RunOptions extends PlatformOptions {
  readonly home?: string;
  readonly pollMs?: number;
  readonly logJson?: boolean;
  readonly logFile?: string;
}

export async function run(options: RunOptions, { stderr }: Terminal): Promise<void> {
  const write =
    options.logFile === undefined
      ? (line: string) => void stderr.write(line)
      : logFile(resolve(options.logFile));
  const log = createLog(options.logJson === true, nodeClock, write);
  const home = openHome(options.home);
  const line = await PairedServerClient.open(home, log);
  await home.prepare();
  const lock = await takeLock(home.lockPath);
  if (lock === null) throw new RelayError('already_running');
  try {
    const stores = await openStores(home, log);
    try {
      finish(await runAgent(options, { stores, home, line, log }));
    } finally {
      for (const store of Object.values(stores)) await store.close();
    }
  } finally {
    line.close();
    await lock.release();
  }
}

interface Opened {
  readonly stores: Stores;
  readonly home: Home;
  readonly line: PairedServerClient;
  readonly log: Log;
}

async function runAgent(options: RunOptions, { stores, home, line, log }: Opened): Promise<SyncEnd> {
  const state = new StateKeeper(home, await home.readState(), nodeClock, log);
  // Last, since it may start programs, which the agent ends.
  const { platform, pollMs } = await choosePlatform(options, home, log);
  const agent = new Agent({
    ...stores,
    platform,
    line,
    clock: nodeClock,
    random: Math.random,
    log,
    // So that the server's list of phones shows it.
    appVersion: platform.name === 'simulator' ? `${APP_VERSION} (simulator)` : APP_VERSION,
    pollMs: options.pollMs ?? pollMs,
    once: options.once === true,
    onExchange: (verdict, error) =>
      state.note(verdict, error, { server: line.describe(), queued: stores.queue.size }),
    takeRequests: () => home.takeRequests(),
    readDamage: async () => describeDamage(await home.damagedJournals(nodeClock.now())),
    onProblem: (problem) => state.noteProblem(problem),
    onHealth: ({ sims }) => state.noteSims(sims),
  });
  const stop = (signal: NodeJS.Signals): void => {
    log.info('stopping', { signal });
    agent.stop();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  try {
    return await agent.run();
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    await state.close();
  }
}

async function openStores(home: Home, log: Log): Promise<Stores> {
  const queue = await Queue.open(new NodeDurableFile(home.queuePath));
  const deadLetters = await DeadLetters.open(new NodeDurableFile(home.deadLettersPath));
  logRecovery('queue', queue, log);
  logRecovery('dead letters', deadLetters, log);
  // A copy of the home, on this phone or another, lies in another folder.
  const place = `${(await stat(home.path)).ino}-`;
  const outbox = await Outbox.open(new NodeDurableFile(home.outboxPath), `${place}${randomUUID()}`, place);
  logRecovery('outbox', outbox, log);
  return { queue, deadLetters, outbox };
}

function logRecovery(file: string, { recovery }: Stores[keyof Stores], log: Log): void {
  const { tornBytes, damaged, setAside } = recovery;
  if (tornBytes > 0) log.info('an unfinished last write was cut off', { file, bytes: tornBytes });
  if (damaged > 0)
    log.warn('lines that cannot be read were skipped; the file was kept', { file, damaged, setAside });
}

/** @returns a problem text while a damaged journal's copy exists: acknowledged records may be lost */
function describeDamage([first]: readonly string[]): string | null {
  return first === undefined
    ? null
    : `a journal was damaged, SMS may be lost: check the wallets, then delete ${first}`;
}

/** Converts the end of a run into the exit code: `stopped` and `drained` are successes. */
function finish(end: SyncEnd): void {
  switch (end.kind) {
    case 'stopped':
    case 'drained':
      return;
    case 'failed':
      throw new RelayError(
        end.code,
        `Not everything was delivered: ${ERRORS[end.code].message} (${end.reason})`,
      );
    default:
      end satisfies never;
  }
}
