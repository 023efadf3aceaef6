/** Work on much data: a line says how far it is, and Ctrl-C or SIGTERM ends it with nothing half done. */
import { KashboxError } from '../../base/errors/errors.js';
import { progressOn } from '../text/progress.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface LongWork {
  /** Aborted when it is to end, with the error that says so. */
  readonly signal: AbortSignal;
  onBytes(done: number, total: number | null): void;
  onRows(done: number, total: number | null): void;
}

/**
 * @param what label of the progress line.
 * @param work must clean up when its signal aborts.
 * @throws KashboxError `state_refused` if it was stopped
 */
export async function longWork<T>(what: string, work: (means: LongWork) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort(stopped());
  for (const name of SIGNALS) process.on(name, stop);
  const { end, ...told } = progressOn(process.stderr, what, () => performance.now());
  try {
    return await work({ signal, ...told });
  } finally {
    end();
    for (const name of SIGNALS) process.off(name, stop);
  }
}

function stopped(): KashboxError {
  return new KashboxError('state_refused', {
    message: 'Stopped; nothing was changed',
    hint: 'Run the command again.',
  });
}
