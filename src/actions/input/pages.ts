/** Lists that never end, read in pages: an export of years fits any memory, and nobody has to cut it. */
import type { ListPosition, Page } from '../../store/tables/list-position.js';

/** Rows that are read at once. */
const PAGE_ROWS = 1_000;

export interface PagedInput {
  /** Milliseconds since the epoch; undefined for all. */
  readonly sinceMs?: number | undefined;
  /** Upper time limit for lists with the newest row first, ms since the epoch; undefined for all. */
  readonly untilMs?: number | undefined;
  /** Maximum number of rows; may be infinite. */
  readonly limit: number;
}

/**
 * @param span `limit` of all pages together, and `untilMs`; the query itself applies `sinceMs`.
 * @param read loads one page; rows that change between these reads appear in their current state.
 * @returns pages of at least one view.
 */
export async function* paginate<Row, View>(
  { limit, untilMs }: PagedInput,
  read: (page: Page) => Promise<readonly Row[]>,
  placeOf: (row: Row) => ListPosition,
  view: (row: Row) => View,
): AsyncGenerator<View[]> {
  // No identifier comes before the empty one, so the list begins behind every row of that moment.
  let after: ListPosition | null = untilMs === undefined ? null : { at: untilMs, id: '' };
  for (let left = limit; left > 0; ) {
    const page: Page = { after, limit: Math.min(left, PAGE_ROWS) };
    const rows = await read(page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(view);
    if (rows.length < page.limit) return;
    after = placeOf(last);
    left -= rows.length;
  }
}

/** @param column creation time, which orders the list. @returns a function that gives a row's position. */
export function cursorBy<Column extends string>(column: Column) {
  return (row: Readonly<Record<Column, number>> & { readonly id: string }): ListPosition => ({
    at: row[column],
    id: row.id,
  });
}

/** Converts a paginated list to a function that returns all rows at once, for short lists. */
export function collectAll<Core, Input, View>(
  pages: (core: Core, input: Input) => AsyncIterable<readonly View[]>,
) {
  return async (core: Core, input: Input): Promise<View[]> => {
    const all: View[] = [];
    for await (const page of pages(core, input)) all.push(...page);
    return all;
  };
}

/**
 * @param read loads the rows after that identifier, in their order; each page is a separate read.
 * @returns pages of at least one row.
 */
export async function* idPages<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const page = await read(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}
