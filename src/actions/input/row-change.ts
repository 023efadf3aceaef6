/** The real changes of an update: given fields that differ from the row. */
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';

interface Change<Row> {
  readonly before: Partial<Row>;
  readonly after: Partial<Row>;
}

/**
 * @param wanted columns that were not given are undefined.
 * @returns the old and new values of the columns that differ, or null where none does.
 * @throws KashboxError `invalid_input` if nothing was given at all.
 */
export function diffRow<Row extends object>(row: Row, wanted: Partial<Row>): Change<Row> | null {
  const wants = Object.entries(definedColumns(wanted));
  if (wants.length === 0) {
    refuse('Nothing to change was given', 'Name at least one field, such as --name; --help shows them all.');
  }
  const differing = wants.filter(([column, value]) => row[column as keyof Row] !== value);
  if (differing.length === 0) return null;
  return {
    before: Object.fromEntries(
      differing.map(([column]) => [column, row[column as keyof Row]]),
    ) as Partial<Row>,
    after: Object.fromEntries(differing) as Partial<Row>,
  };
}

/** Removes the columns that are undefined, so that the result can be merged into a row. */
export function definedColumns<Columns extends object>(columns: Columns) {
  const all = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as { [K in keyof Columns]?: Exclude<Columns[K], undefined> };
}

/** @returns the parsed value of a field; undefined if the field was not given. */
export function ifGiven<T, V>(typed: T | undefined, read: (typed: T) => V): V | undefined {
  return typed === undefined ? undefined : read(typed);
}

/** @returns the error of a name that somebody else has. */
export function nameTaken(noun: string, name: string): KashboxError {
  return new KashboxError('already_exists', {
    message: `There is already a ${noun} named "${name}"`,
    hint: `Choose another name, or see it with \`kashbox ${noun}s show\`.`,
  });
}

/** Runs a change in which the name alone is unique: a unique key that is met means that it is taken. */
export async function renaming<T>(
  noun: string,
  name: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (name !== undefined && isKashboxError(error, 'already_exists')) throw nameTaken(noun, name);
    throw error;
  }
}
