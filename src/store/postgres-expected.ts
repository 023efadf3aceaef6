/**
 * Statements that fail where they answer another number of rows than was expected. So a unit of work need not
 * wait for the answer before it goes on.
 */

/** SQLSTATE of a division by zero: no statement of ours divides otherwise. */
const UNEXPECTED = '22012';

const texts = new Map<string, Map<number, string>>();

/** @returns a statement that does the same, and fails where it does not answer so many rows. */
export function expecting(rows: number, sql: string): string {
  const known = texts.get(sql) ?? new Map<number, string>();
  texts.set(sql, known);
  let text = known.get(rows);
  if (text === undefined) {
    text = `WITH expected AS (${sql})
      SELECT 1 / (CASE WHEN count(*) = ${rows} THEN 1 ELSE 0 END) AS one FROM expected`;
    known.set(rows, text);
  }
  return text;
}

/** Whether an error says that a statement did not answer as was expected. */
export function isUnexpected(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === UNEXPECTED;
}
