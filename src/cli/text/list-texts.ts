/** Lists as CSV and JSON, piece by piece, so that no list has to fit the memory. Pure: rows in, text out. */
import { extname } from 'node:path';
import { type NewFile, writeNewFile } from '../../base/io/new-file.js';
import { escapedControls } from '../../base/values/cells.js';
import { jsonText } from '../../base/values/json-text.js';

export const LIST_FORMATS = ['csv', 'ndjson', 'json'] as const;
type ListFormat = (typeof LIST_FORMATS)[number];

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

/**
 * Text that a spreadsheet would run as a formula, also in full-width characters. It gets an apostrophe
 * prefix, because customers choose names.
 */
const FORMULA = /^[=@\t\r＝＋－＠]|^[+-](?![\d.]+$)/;

function field(value: unknown): string {
  const text = escapedControls(plain(value));
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type FieldNames<Row> = readonly (keyof Row & string)[];

const record = (values: readonly unknown[]) => `${values.map(field).join(',')}\r\n`;

/** @returns head and one record a row, each ended by CR LF. */
export function csv<Row extends object>(columns: FieldNames<Row>, rows: readonly Row[]): string {
  return csvHead(columns) + csvRecords(columns, rows);
}

function csvHead<Row extends object>(columns: FieldNames<Row>): string {
  return record(columns);
}

function csvRecords<Row extends object>(columns: FieldNames<Row>, rows: readonly Row[]): string {
  return rows.map((row) => record(columns.map((column) => row[column]))).join('');
}

/** @param asked format from the flag; default: the file extension, else CSV. */
export function chooseFormat(file: string, asked: ListFormat | undefined): ListFormat {
  const ending = extname(file).slice(1).toLowerCase();
  return asked ?? LIST_FORMATS.find((format) => format === ending) ?? 'csv';
}

/** Writes texts one by one, waiting for each write, until the reader closes the output. */
async function pipeTexts(texts: AsyncIterable<string>, output: NodeJS.WriteStream): Promise<void> {
  for await (const text of texts) {
    const isTaken = await new Promise<boolean>((resolve) => {
      output.write(text, (fault) => resolve(fault === null || fault === undefined));
    });
    if (!isTaken) return;
  }
}

/**
 * @param place `-` is stdout.
 * @returns the file size in bytes; null for stdout.
 * @throws KashboxError as `writeNewFile`, and errors of `texts`
 */
export async function saveTexts(place: NewFile, texts: AsyncIterable<string>): Promise<number | null> {
  if (place.file !== '-') return writeNewFile(place, texts);
  await pipeTexts(texts, process.stdout);
  return null;
}
