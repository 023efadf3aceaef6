/** Lists that never end, read in pages: an export of years fits any memory, and nobody has to cut it. */
import type { ListPosition, Page } from '../../store/tables/list-position.js';

/** Rows that are read at once. */
const PAGE_ROWS = 1_000;

/** What every list that never ends is asked. */
export interface PagedInput {
  /** Milliseconds since the epoch; undefined for all. */
  readonly sinceMs?: number | undefined;
  /** Only what is older than this; undefined for all. Of lists that have the newest first. */
  readonly untilMs?: number | undefined;
  /** May be infinite. */
  readonly limit: number;
}

/**
 * @param span how many rows of all pages together, and from where on: `sinceMs` is the query's own business.
 * @param read one page; each is a reading of its own, so what moves meanwhile is met as it is by then.
 * @returns pages of at least one row, each as it looks from outside.
 */
export async function* pagesOf<Row, View>(
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

/** @param column when each row came to be, by which the list is ordered. @returns the place of a row. */
export function by<Column extends string>(column: Column) {
  return (row: Readonly<Record<Column, number>> & { readonly id: string }): ListPosition => ({
    at: row[column],
    id: row.id,
  });
}

/** The same as one list, where few are asked for. */
export function whole<Core, Input, View>(
  pages: (core: Core, input: Input) => AsyncIterable<readonly View[]>,
) {
  return async (core: Core, input: Input): Promise<View[]> => {
    const all: View[] = [];
    for await (const page of pages(core, input)) all.push(...page);
    return all;
  };
}

/**
 * @param read the rows behind that identifier, in their order; each page is a reading of its own.
 * @returns pages of at least one row, until there is none.
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
