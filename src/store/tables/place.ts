/** Lists that are read in pages, each going on behind the last row of the one before. */
import { type RawBuilder, sql } from 'kysely';

/** Where a row stands in a list that is ordered by a time and by id. */
export interface Place {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

export interface Page {
  /** Null for the first one. */
  readonly after: Place | null;
  readonly limit: number;
}

/** What comes behind a place in a list that has the newest first; compared as one, so an index serves. */
export function olderThan(time: string, id: string, { at, id: last }: Place): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${at}, ${last})`;
}

/** The same of a list that has the oldest first. */
export function newerThan(time: string, id: string, { at, id: last }: Place): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) > (${at}, ${last})`;
}
