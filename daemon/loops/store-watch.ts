/** Logs when the store stops accepting writes, and when it accepts them again. */
import type { Core } from '../../src/actions/core/core.js';
import { tryToWrite } from '../../src/actions/upkeep/prove-writes.js';
import { isKashboxError, type KashboxError } from '../../src/base/errors/errors.js';
import type { Log } from '../../src/base/io/log.js';
import { isStoreFailure } from '../../src/store/write-health.js';

/** A daemon may have nothing to write for long. */
const LOOK_MS = 1_000;
/** The store may be held until an operator ends another process. */
const REPEAT_MS = 60_000;

/**
 * Follows the store's health from now on, and tries it once. A disk that is full now may have room in a
 * minute; a file that was opened for reading stays so, and a standby is the wrong server.
 * @throws KashboxError `store_read_only`
 */
export async function watchStore(core: Core, log: Log): Promise<void> {
  let since: number | null = null;
  /** Error codes already logged: during a failover they alternate, and each is logged once. */
  const told = new Set<string>();
  let loggedAt = 0;
  const logFailed = (failure: KashboxError) => {
    loggedAt = core.timers.steadyMs();
    const fields = { err: failure, next: failure.hint };
    log.error(fields, 'the store is not writable: payments are refused until it is');
  };
  const { writing } = core.store;
  writing.onChange = (failure) => {
    since ??= core.timers.steadyMs();
    if (failure === null) {
      const seconds = Math.round((core.timers.steadyMs() - since) / 1_000);
      log.warn({ seconds, ...serverField(core) }, 'the store is writable again');
      since = null;
      told.clear();
    } else if (!told.has(failure.code)) {
      told.add(failure.code);
      logFailed(failure);
    }
  };
  if (writing.failure !== null) writing.onChange(writing.failure);
  setInterval(() => {
    core.store.look();
    if (writing.held !== null && core.timers.steadyMs() - loggedAt >= REPEAT_MS) logFailed(writing.held);
  }, LOOK_MS).unref();
  try {
    await tryToWrite(core);
  } catch (error) {
    if (!isKashboxError(error) || error.code === 'store_read_only') throw error;
  }
}

/** Names the PostgreSQL server in use, for the log: a connection string may contain several. */
export function serverField({ store }: Pick<Core, 'store'>): { readonly postgres?: string } {
  const server = store.server();
  return server === null ? {} : { postgres: server };
}

interface FailureFields {
  readonly err: unknown;
  /** Subject of the failure. */
  readonly [name: string]: unknown;
}

/** Logs a failure, unless it is the store's, which is logged already. */
export function logFailure(
  core: Pick<Core, 'store'>,
  log: Log,
  fields: FailureFields,
  message: string,
): void {
  const isTold = core.store.writing.failure !== null && isStoreFailure(fields.err);
  log[isTold ? 'debug' : 'error'](fields, message);
}
