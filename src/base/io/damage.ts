/** Distinguishes damage in a backup from disk failures and from Kashbox's own errors. */
import { isKashboxError, KashboxError } from '../errors/errors.js';

/** @throws KashboxError `backup_damaged` for what the reader `of` cannot read; all else as it is */
export async function* orDamaged<T>(of: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* of;
  } catch (cause) {
    const isOther = isKashboxError(cause) || (cause instanceof Error && 'syscall' in cause);
    throw isOther ? cause : new KashboxError('backup_damaged', { cause });
  }
}
