/** Health of writes to the store, by the last ones of this process. Knows nothing of engines. */
import { type ErrorCode, isKashboxError, type KashboxError } from '../base/errors/errors.js';
import { systemTimers, type Timers } from '../base/values/timers.js';

/** Error codes that indicate a failure of the store, not of the data or of a concurrent writer. */
const STORE_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'store_full',
  'store_read_only',
  'store_unreachable',
  'store_damaged',
]);

/** Reasons why a reachable PostgreSQL takes no writes. */
export const STANDBY = 'This PostgreSQL is a read-only standby';
export const READ_ONLY = 'This PostgreSQL takes no writes: its transactions are read-only';

/** Reasons for which a store was held, whatever their code. */
const holding = new WeakSet<KashboxError>();

export function isStoreFailure(error: unknown): error is KashboxError {
  return isKashboxError(error) && (STORE_FAILURES.has(error.code) || holding.has(error));
}

/** Guards code that acknowledges what it reads: a power cut could lose it. @throws `store_…` if held */
export function refuseWhileHeld({ writing }: { readonly writing: WriteHealth }): void {
  if (writing.held !== null) throw writing.held;
}

/** Null once writes work again. */
type OnWriteHealth = (failure: KashboxError | null) => void;

export class WriteHealth {
  /** Reason why nothing may be stored or sent, even if writes work; null if there is none. */
  held: KashboxError | null = null;
  /** Error of the last write, or of a read since; null while writes work, and before the first. */
  private last: KashboxError | null = null;
  /** Time of the last durable write, ms on the monotonic clock. */
  workedAt = Number.NEGATIVE_INFINITY;
  /** Called when writes begin to fail, and when they work again. */
  onChange: OnWriteHealth = () => {};

  constructor(private readonly timers: Pick<Timers, 'steadyMs'> = systemTimers) {}

  /** Reason why the store takes no writes; null while it does, and before the first write. */
  get failure(): KashboxError | null {
    return this.held ?? this.last;
  }

  /** Something was written and is durable; a commit of nothing proves nothing. */
  worked(): void {
    this.workedAt = this.timers.steadyMs();
    if (this.last === null) return;
    this.last = null;
    if (this.held === null) this.onChange(null);
  }

  /** Stops writes and notifications until `release`. Reports only a code that differs from the current. */
  hold(reason: KashboxError): void {
    holding.add(reason);
    const before = this.held;
    this.held = reason;
    if (before?.code !== reason.code) this.onChange(reason);
  }

  release(): void {
    this.held = null;
    this.last = null;
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

  /** @param error failure of a database transaction; errors that say nothing about the store are ignored. */
  failed(error: unknown): void {
    if (!isStoreFailure(error) || error === this.held) return;
    const before = this.last;
    this.last = error;
    if (this.held !== null) return;
    if (before === null || before.code !== error.code) this.onChange(error);
  }
}
