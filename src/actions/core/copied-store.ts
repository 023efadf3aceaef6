/**
 * The mark of a store that `db copy` has copied: which store is the live one. Both would credit the same
 * money. The copy does not carry it, because it is of the moment before.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import type { Db } from '../../store/schema/index.js';
import { installationFact, removeFact, setFact } from '../../store/tables/installation.js';

interface Mark {
  /** The file, or the address without its password. */
  readonly where: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function markCopied(db: Db, mark: Mark): Promise<void> {
  return setFact(db, 'copied_to', JSON.stringify(mark));
}

/** Makes it the live one again. */
export function unmarkCopied(db: Db): Promise<void> {
  return removeFact(db, 'copied_to');
}

/** @returns why nothing may be stored here; null where this is the live store. */
export async function whyCopied(db: Db): Promise<KashboxError | null> {
  const text = await installationFact(db, 'copied_to');
  if (text === undefined) return null;
  const { where, at } = JSON.parse(text) as Mark;
  return new KashboxError('state_refused', {
    message: `This store was copied to ${where} at ${dhakaText(at)} Bangladesh time, and the copy is the live one`,
    hint:
      'Use the copy: KASHBOX_DATABASE_URL says where it is, and for a file in the home folder it is not set. Only ' +
      'where no daemon uses the copy any more, `kashbox daemon --force` makes this store the live one again.',
  });
}
