/** Pagination of lists, each page continuing after the last row of the previous one; and counts. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** Position of a row in a list that is sorted by time and id. */
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

/** Condition for rows after a position, newest first; a row comparison, so that an index applies. */
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

/** Limits a query to one page, newest first. Pass it to `$call`. */
export const newestFirst = paged(olderThan, 'desc');

/** Limits a query to one page, oldest first. Pass it to `$call`. */
export const oldestFirst = paged(newerThan);

export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select(sql<number | string>`count(*)`.as('count'));
  const { count } = (await counted.executeTakeFirstOrThrow()) as { readonly count: number | string };
  return Number(count);
}

/** Condition that a text contains another one, ignoring the case of Latin letters. */
export function holds(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) LIKE ${pattern} ESCAPE '\\'`;
}
