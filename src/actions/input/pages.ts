/** Lists that never end, read in pages: an export of years fits any memory, and nobody has to cut it. */
import type { Page, Place } from '../../store/tables/place.js';

/** Rows that are read at once. */
const PAGE_ROWS = 1_000;

/**
 * @param limit rows of all pages together; may be infinite.
 * @param read one page; each is a reading of its own, so what moves meanwhile is met as it is by then.
 * @returns pages of at least one row.
 */
export async function* pagesOf<Row>(
  limit: number,
  read: (page: Page) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<readonly Row[]> {
  let after: Place | null = null;
  for (let left = limit; left > 0; ) {
    const page: Page = { after, limit: Math.min(left, PAGE_ROWS) };
    const rows = await read(page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < page.limit) return;
    after = placeOf(last);
    left -= rows.length;
  }
}

/** For whoever asks for few. */
export async function wholeList<View>(pages: AsyncIterable<readonly View[]>): Promise<View[]> {
  const all: View[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
