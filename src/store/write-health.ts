/** Whether the store takes writes, as the last ones of this process have shown. Knows nothing of engines. */

import { type ErrorCode, isKashboxError, type KashboxError } from '../base/errors/errors.js';
import { systemTimers, type Timers } from '../base/values/timers.js';

/** Errors that say something of the store, and not of what was to be written or of who else writes. */
const STORE_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'store_full',
  'store_read_only',
  'store_unreachable',
  'store_damaged',
]);

/** Why a PostgreSQL that is there takes no writes. */
export const STANDBY = 'This PostgreSQL is a read-only standby';
export const READ_ONLY = 'This PostgreSQL takes no writes: its transactions are read-only';

export function isStoreFailure(error: unknown): error is KashboxError {
  return isKashboxError(error) && STORE_FAILURES.has(error.code);
}

/** Null once writes work again. */
export type OnWriteHealth = (failure: KashboxError | null) => void;

export class WriteHealth {
  /** What the last write, or a read since, failed of; null while writes work, and before the first. */
  failure: KashboxError | null = null;
  /** When something was last durably written, on the monotonic clock. */
  workedAt = Number.NEGATIVE_INFINITY;
  /** Told when writes begin to fail, and when they work again. */
  onChange: OnWriteHealth = () => {};

  constructor(private readonly timers: Pick<Timers, 'steadyMs'> = systemTimers) {}

  /** Something was written and is durable; a commit of nothing proves nothing. */
  worked(): void {
    this.workedAt = this.timers.steadyMs();
    if (this.failure === null) return;
    this.failure = null;
    this.onChange(null);
  }

  /** @param nameOf gives an error of a driver its name. @returns a handler that notes it and throws it. */
  rethrow(nameOf: (error: unknown) => unknown): (error: unknown) => never {
    return (error) => {
      const known = nameOf(error);
      this.failed(known);
      throw known;
    };
  }

  /** @param error whatever a unit of work ended with; what says nothing of the store does not count. */
  failed(error: unknown): void {
    if (!isStoreFailure(error)) return;
    const before = this.failure;
    this.failure = error;
    if (before === null || before.code !== error.code) this.onChange(error);
  }
}
