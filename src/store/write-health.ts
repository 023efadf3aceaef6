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

/** Reasons for which a store was held, whatever their code. */
const holding = new WeakSet<KashboxError>();

export function isStoreFailure(error: unknown): error is KashboxError {
  return isKashboxError(error) && (STORE_FAILURES.has(error.code) || holding.has(error));
}

/** For what acknowledges what it reads: a loss of power could take it. @throws KashboxError `store_…` */
export function refuseWhileHeld({ writing }: { readonly writing: WriteHealth }): void {
  if (writing.held !== null) throw writing.held;
}

/** Null once writes work again. */
type OnWriteHealth = (failure: KashboxError | null) => void;

export class WriteHealth {
  /** Why nothing may be stored or told, whatever a write would show; null where it may. */
  held: KashboxError | null = null;
  /** What the last write, or a read since, failed of; null while writes work, and before the first. */
  private last: KashboxError | null = null;
  /** When something was last durably written, on the monotonic clock. */
  workedAt = Number.NEGATIVE_INFINITY;
  /** Told when writes begin to fail, and when they work again. */
  onChange: OnWriteHealth = () => {};

  constructor(private readonly timers: Pick<Timers, 'steadyMs'> = systemTimers) {}

  /** Why it takes no writes; null while it does, and before the first. */
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

  /** From now on nothing may be stored or told, until `release`. The first reason of a code is told. */
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

  /** @param error whatever a unit of work ended with; what says nothing of the store does not count. */
  failed(error: unknown): void {
    if (!isStoreFailure(error) || error === this.held) return;
    const before = this.last;
    this.last = error;
    if (this.held !== null) return;
    if (before === null || before.code !== error.code) this.onChange(error);
  }
}
