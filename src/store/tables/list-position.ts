/** Lists that are read in pages, each going on behind the last row of the one before; and counts. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** Where a row stands in a list that is ordered by a time and by id. */
export interface ListPosition {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

export interface Page {
  /** Null for the first one. */
  readonly after: ListPosition | null;
  readonly limit: number;
}

/** What comes behind a place in a list that has the newest first; compared as one, so an index serves. */
export function olderThan(time: string, id: string, last: ListPosition): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${last.at}, ${last.id})`;
}

function newerThan(time: string, id: string, last: ListPosition): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) > (${last.at}, ${last.id})`;
}

const paged =
  (behind: typeof olderThan, order?: 'desc') =>
  (time: string, id: string, { after, limit }: Page) =>
  <DB, Tables extends keyof DB, Row>(query: SelectQueryBuilder<DB, Tables, Row>) => {
    const rest = after === null ? query : query.where(behind(time, id, after));
    return rest.orderBy(sql.ref(time), order).orderBy(sql.ref(id), order).limit(limit);
  };

/** For `$call`: one page of a list that has the newest first. */
export const newestFirst = paged(olderThan, 'desc');

/** For `$call`: one page of a list that has the oldest first. */
export const oldestFirst = paged(newerThan);

/** How many rows a query finds. */
export async function countOf<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select(sql<number | string>`count(*)`.as('count'));
  const { count } = (await counted.executeTakeFirstOrThrow()) as { readonly count: number | string };
  return Number(count);
}

/** Whether a text holds another one somewhere, whatever the case of its Latin letters. */
export function holds(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '\\'`;
}
