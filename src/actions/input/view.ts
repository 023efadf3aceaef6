/**
 * Public representation of a resource: its fields in order, each with a function that computes it from the
 * row. The type, the JSON, the CSV columns and the sheet are derived from it. Scripts rely on the names.
 */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';

type Readers<Row, Given> = Readonly<Record<string, (row: Row, given: Given) => unknown>>;
type ViewFields<R> = { readonly [K in keyof R]: R[K] extends (...args: never[]) => infer V ? V : never };
/** Text type of a column: nullable only if the column is. */
type TextOf<Value> = null extends Value ? string | null : string;
/** The columns that hold a number or nothing. */
type Numbers<Row> = { [K in keyof Row]: Row[K] extends number | null ? K : never }[keyof Row] & string;

/** A word and its value; null leaves the line out. */
export type SheetEntry = readonly [word: string, value: string | null];

/**
 * Line of a field on a sheet: its label; a label and a function that formats the text; a function that
 * returns several lines; or null for no line.
 */
type FieldLine<Fields, Value> =
  | ([Value] extends [string | null] ? string : never)
  | readonly [label: string, text: (view: Fields) => string | null]
  | ((view: Fields) => readonly SheetEntry[])
  | null;

type FieldLines<Fields> = { readonly [K in keyof Fields]?: FieldLine<Fields, Fields[K]> };

interface ResourceView<Row, Given, Fields> {
  (row: Row, given: Given): Fields;
  /** Their names in order, without those that are given. */
  csv(...without: readonly (keyof Fields & string)[]): readonly (keyof Fields & string)[];
  /**
   * Formats one row for people, in the order of the lines. A field without a line comes last, with its name
   * as the label: `Payer note` for `payer_note`.
   */
  sheet(lines: FieldLines<Fields>): (view: Fields) => SheetEntry[];
}

/** Functions that build the fields of a view. */
export interface Makers<Row> {
  /** Columns with unchanged values. */
  same<K extends keyof Row & string>(...columns: readonly K[]): { readonly [P in K]: (row: Row) => Row[P] };
  /** Columns of milliseconds, as ISO 8601 in Bangladesh time. */
  times<K extends Numbers<Row>>(
    ...columns: readonly K[]
  ): { readonly [P in K]: (row: Row) => TextOf<Row[P]> };
  /** A column of milliseconds under another name. */
  time<K extends Numbers<Row>>(column: K): (row: Row) => TextOf<Row[K]>;
  /** A column of paisa, as BDT with two decimals. */
  taka<K extends Numbers<Row>>(column: K): (row: Row) => TextOf<Row[K]>;
}

/** `dhakaIso` of what may be null. */
export const isoOrNull = (ms: number | null) => (ms === null ? null : dhakaIso(ms));
const takaOrNull = (paisa: number | null) => (paisa === null ? null : formatTaka(paisa));

function makers<Row>(): Makers<Row> {
  const by = (text: (value: number | null) => string | null) => (column: keyof Row) => (row: Row) =>
    text(row[column] as number | null);
  const all = (columns: readonly string[], reader: (column: keyof Row) => (row: Row) => unknown) =>
    Object.fromEntries(columns.map((column) => [column, reader(column as keyof Row)]));
  return {
    same: (...columns: readonly string[]) => all(columns, (column) => (row) => row[column]),
    times: (...columns: readonly string[]) => all(columns, by(isoOrNull)),
    time: by(isoOrNull),
    taka: by(takaOrNull),
  } as Makers<Row>;
}

/** Called in two steps, because the row is named and the fields are inferred. */
export function defineView<Row, Given = void>() {
  return <R extends Readers<Row, Given>>(
    describe: (make: Makers<Row>) => R,
  ): ResourceView<Row, Given, ViewFields<R>> => {
    const readers = Object.entries(describe(makers<Row>()));
    const view = (row: Row, given: Given) =>
      Object.fromEntries(readers.map(([name, read]) => [name, read(row, given)])) as ViewFields<R>;
    const csv = (...without: readonly string[]) =>
      readers.map(([name]) => name).filter((name) => !without.includes(name)) as (keyof R & string)[];
    const sheet = (lines: FieldLines<ViewFields<R>>) => {
      const others = csv(...(Object.keys(lines) as (keyof R & string)[]));
      return (shown: ViewFields<R>) => [
        ...Object.entries(lines).flatMap(([name, line]) => entriesOf(shown, name, line as AnyLine)),
        ...others.flatMap((name) => entriesOf(shown, name, humanName(name))),
      ];
    };
    return Object.assign(view, { csv, sheet });
  };
}

type AnyLine = FieldLine<object, string>;

function entriesOf(view: object, name: string, line: AnyLine): readonly SheetEntry[] {
  if (line === null) return [];
  if (typeof line === 'string') return [[line, textOf((view as Readonly<Record<string, unknown>>)[name])]];
  if (typeof line === 'function') return line(view);
  const [label, text] = line;
  return [[label, text(view)]];
}

function textOf(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `Payer note` of `payer_note` */
function humanName(field: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;
}
