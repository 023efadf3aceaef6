/**
 * Statements that go to PostgreSQL in one piece and are answered in one piece: one write of ours, one of the
 * server's, however many they are. pg runs it as one query of its own (`Submittable`). The columns of a
 * prepared statement are asked for once and not with every run.
 */
import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which it is prepared; none for a statement that is not hot. */
  readonly name?: string | undefined;
}

export interface Answer {
  /** `INSERT`, `COMMIT` … */
  readonly command: string;
  readonly rows: readonly unknown[];
  /** Rows that were inserted, changed or deleted. */
  readonly changed: number;
}

/** A statement, and who hears of its answer. */
export interface Asked {
  readonly statement: Statement;
  readonly answered: (answer: Answer) => void;
  readonly failed: (error: Error) => void;
}

type Row = (fields: readonly (string | null)[]) => unknown;

const INT8 = 20;
/** Every int8 of ours is paisa or milliseconds, both far below 2^53. */
const parserOf = (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, 'text'));

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Rows are objects of one form, made by a function that is written for their columns. */
function rowMaker(fields: readonly Field[]): Row {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const columns = fields.map(({ name }, at) => {
    const value = `values[${at}]`;
    return `${JSON.stringify(name)}: ${value} === null ? null : parsers[${at}](${value})`;
  });
  const make = new Function('parsers', 'values', `return { ${columns.join(', ')} };`);
  return (values) => make(parsers, values);
}

/** What a connection has prepared. */
interface Prepared {
  /** How the rows of each are made; null for one that has none. */
  readonly rows: Map<string, Row | null>;
  /** Those of which it is not known whether the server has taken them. */
  readonly doubtful: Set<string>;
}

const prepared = new WeakMap<pg.ClientBase, Prepared>();

function preparedOn(client: pg.ClientBase): Prepared {
  const known = prepared.get(client) ?? { rows: new Map(), doubtful: new Set() };
  prepared.set(client, known);
  return known;
}

const NO_ROWS: readonly unknown[] = [];

export class Batch implements pg.Submittable {
  /** Of pg, which times the query by it. */
  callback: (error?: Error) => void = () => {};
  private readonly own: Prepared;
  private at = 0;
  private row: Row | null = null;
  private rows: unknown[] = [];
  private isOver = false;
  private readonly answers: (() => void)[] = [];

  /** @param ended told when all is answered, with what is left unanswered behind an error. */
  constructor(
    client: pg.ClientBase,
    private readonly asked: readonly Asked[],
    private readonly ended: (left: readonly Asked[], error: Error | null) => void,
  ) {
    this.own = preparedOn(client);
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    const parsed = new Set<string>();
    for (const { statement } of this.asked) {
      const { text, values, name = '' } = statement;
      if (name === '' || !(this.own.rows.has(name) || parsed.has(name))) {
        if (this.own.doubtful.has(name)) connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
        connection.describe({ type: 'S', name }, true);
        parsed.add(name);
      }
      const bound = { portal: '', statement: name, values: [...values], valueMapper: written };
      connection.bind(bound as pg.BindConfig, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    this.begin();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.row = rowMaker(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(this.row === null ? {} : this.row(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const asked = this.asked[this.at];
    if (asked === undefined) return;
    const { name } = asked.statement;
    if (name !== undefined) {
      this.own.rows.set(name, this.row);
      this.own.doubtful.delete(name);
    }
    const [command = '', ...counts] = text.split(' ');
    const rows = this.rows.length === 0 ? NO_ROWS : this.rows;
    this.at += 1;
    this.begin();
    this.answers.push(() => asked.answered({ command, rows, changed: Number(counts.at(-1) ?? 0) }));
  }

  /** Only now is a statement that stands alone committed: its answer goes out before. */
  handleReadyForQuery(): void {
    this.callback();
    this.tell();
    this.end([], null);
  }

  /**
   * Of a statement, after which the server passes over the rest; or of the commit or the connection, after
   * which nothing of what was answered counts.
   */
  handleError(error: Error): void {
    const isOfOne =
      error instanceof pg.DatabaseError && error.severity === 'ERROR' && this.at < this.asked.length;
    const [failed, ...left] = isOfOne ? this.asked.slice(this.at) : this.asked;
    const name = failed?.statement.name;
    if (name !== undefined && !this.own.rows.has(name)) this.own.doubtful.add(name);
    this.at = this.asked.length;
    this.callback(error);
    if (this.isOver) return;
    if (isOfOne) this.tell();
    this.answers.length = 0;
    failed?.failed(error);
    this.end(left, error);
  }

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}

  private tell(): void {
    for (const answer of this.answers.splice(0)) answer();
  }

  private end(left: readonly Asked[], error: Error | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.ended(left, error);
  }

  private begin(): void {
    const name = this.asked[this.at]?.statement.name;
    this.row = (name === undefined ? undefined : this.own.rows.get(name)) ?? null;
    this.rows = [];
  }
}

/** A value as PostgreSQL reads it. */
function written(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(inArray).join(',')}}`;
  return String(value);
}

const inArray = (value: unknown) =>
  typeof value === 'number' ? String(value) : `"${String(value).replace(/[\\"]/g, '\\$&')}"`;
