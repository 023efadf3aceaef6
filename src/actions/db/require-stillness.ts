/** That no daemon is at work on a store: what it takes in while the store is copied would be lost. */
import { KashboxError } from '../../base/errors/errors.js';
import type { Clock } from '../../base/values/clock.js';
import { mayDaemonRun, SIGN_OF_LIFE_MS } from '../../domain/upkeep/jobs.js';
import type { Store } from '../../store/store.js';
import { jobRuns } from '../../store/tables/job-runs.js';

const LOOK_EVERY_MS = 1_000;

export interface Watching {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves after so many milliseconds. */
  pause(ms: number): Promise<unknown>;
  /** Told once, where it takes a while. */
  onWait(): void;
}

/**
 * A daemon writes down at least every half a minute how its jobs do. Where one did so just now, this looks
 * whether it does it again: it may have been stopped since.
 * @throws KashboxError `state_refused`
 */
export async function requireStillness(store: Store, watching: Watching): Promise<void> {
  const { clock, signal, pause, onWait } = watching;
  const first = await signsOf(store);
  if (!mayDaemonRun(first.lastAt, clock.now())) return;
  onWait();
  const endsAt = clock.now() + SIGN_OF_LIFE_MS;
  while (clock.now() < endsAt && mayDaemonRun(first.lastAt, clock.now())) {
    await pause(LOOK_EVERY_MS);
    signal.throwIfAborted();
    if ((await signsOf(store)).runs === first.runs) continue;
    throw new KashboxError('state_refused', {
      message: 'A daemon is at work on this store: what it takes in now would be missing in the copy',
      hint: 'Stop every daemon on it, for example with systemctl stop kashbox, and run the command again.',
    });
  }
}

async function signsOf(store: Store): Promise<{ readonly lastAt: number | null; readonly runs: number }> {
  const rows = await store.read(jobRuns);
  return {
    lastAt: rows.length === 0 ? null : Math.max(...rows.map(({ last_at }) => last_at)),
    runs: rows.reduce((sum, row) => sum + row.runs, 0),
  };
}
