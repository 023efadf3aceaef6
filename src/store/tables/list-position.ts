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
export function olderThan(time: string, id: string, { at, id: last }: ListPosition): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) < (${at}, ${last})`;
}

/** For `$call`: one page of a list that has the newest first. */
export function newestFirst(time: string, id: string, { after, limit }: Page) {
  return <DB, Tables extends keyof DB, Row>(query: SelectQueryBuilder<DB, Tables, Row>) => {
    const rest = after === null ? query : query.where(olderThan(time, id, after));
    return rest.orderBy(sql.ref(time), 'desc').orderBy(sql.ref(id), 'desc').limit(limit);
  };
}

/** For `$call`: one page of a list that has the oldest first. */
export function oldestFirst(time: string, id: string, { after, limit }: Page) {
  return <DB, Tables extends keyof DB, Row>(query: SelectQueryBuilder<DB, Tables, Row>) => {
    const behind = (last: ListPosition) =>
      sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) > (${last.at}, ${last.id})`;
    const rest = after === null ? query : query.where(behind(after));
    return rest.orderBy(sql.ref(time)).orderBy(sql.ref(id)).limit(limit);
  };
}

/** How many rows a query finds. */
export async function countOf<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select(sql<number | string>`count(*)`.as('count'));
  const { count } = (await counted.executeTakeFirstOrThrow()) as { readonly count: number | string };
  return Number(count);
}
