/** Lists as CSV and JSON, piece by piece, so that no list has to fit the memory. Pure: rows in, text out. */
import { jsonText } from '../../base/values/json-text.js';
import { csvHead, csvRecords } from './csv.js';

export const LIST_FORMATS = ['csv', 'ndjson', 'json'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** @param columns of CSV. The head comes with the first page, so that no failure is preceded by it. */
export async function* listTexts<Row extends object>(
  format: ListFormat,
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly (keyof Row & string)[],
): AsyncGenerator<string> {
  let before = format === 'csv' ? csvHead(columns) : format === 'json' ? '[' : '';
  for await (const rows of pages) {
    if (format === 'csv') yield before + csvRecords(columns, rows);
    else if (format === 'json') yield before + jsonText(rows).slice(1, -1);
    else yield rows.map((row) => `${jsonText(row)}\n`).join('');
    before = format === 'json' ? ',' : '';
  }
  if (format === 'json') yield before === '[' ? '[]\n' : ']\n';
  else if (before !== '') yield before;
}
