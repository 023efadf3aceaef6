/**
 * One unit of work on PostgreSQL, with as few waits for the server as its statements allow:
 *
 *   ask(…) of rows ─────► with the reads of other requests, until something is sent or changed
 *   lock(…), send(…), expect(…) ─► kept
 *   commit() of nothing but what is kept ─► one wait, together with other units (postgres-groups.ts)
 *
 * A question behind a change has to be waited for, on a connection of its own:
 *
 *   ask(…) ──► BEGIN · what was kept · the questions of this turn ─► one wait for the answers
 *   commit() ► what was kept · COMMIT                              ─► one wait
 *
 * PostgreSQL's transactions are READ COMMITTED, in which each statement sees its own moment. So reads before
 * the first change need no transaction, and the unit takes a connection only behind them.
 *
 * What nobody reads the answer of goes out with the next question. An error of it fails the unit no later
 * than at its commit, and on PostgreSQL every error fails the whole transaction anyway.
 */
import type pg from 'pg';
import { isKashboxError } from '../base/errors/errors.js';
import type { Executed } from './dialect.js';
import { namePostgresError } from './driver-errors.js';
import { type Answer, type Asked, Batch, type Statement } from './postgres-batch.js';
import { expecting } from './postgres-expected.js';
import { lockStatements } from './postgres-groups.js';
import type { Connections } from './postgres-hosts.js';
import { isPlainRead, type StatementNames } from './postgres-statements.js';
import type { NameLock } from './schema/index.js';

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

export type UnitConnections = Pick<Connections, 'connect' | 'shared' | 'groups'>;

export class PostgresUnit {
  /** Whether rows were changed. */
  hasChanged = false;
  private kept: Asked[] = [];
  /** Taken before all that is kept. */
  private locks: NameLock[] = [];
  protected hasAsked = false;
  private isDue = false;
  private failure: Error | null = null;
  private client: pg.PoolClient | null = null;
  private connecting: Promise<pg.PoolClient | null> | null = null;

  /** @param isAhead whether what is expected is not waited for. */
  constructor(
    protected readonly connections: UnitConnections,
    protected readonly names: StatementNames,
    readonly isAhead = true,
    private readonly before: readonly string[] = ['BEGIN'],
  ) {}

  /** @param isHot whether the statement is one of few, and is prepared. */
  async ask<Row>(text: string, values: readonly unknown[], isHot: boolean): Promise<Executed<Row>> {
    if (isHot && this.isUntouched() && isPlainRead(text))
      return this.connections.shared.ask<Row>(text, values);
    const name = isHot ? this.names.of(text) : undefined;
    const { rows, changed } = await this.answerTo({ text, values, name });
    return { rows: rows as Row[], changed };
  }

  /** Keeps a statement until the next question, or the commit. */
  send(text: string, values: readonly unknown[]): void {
    this.kept.push(this.unread({ text, values, name: this.names.of(text) }));
  }

  /** Keeps a statement that must answer so many rows, or the unit fails (postgres-expected.ts). */
  expect(sql: string, values: readonly unknown[], rows: number): void {
    const text = expecting(rows, sql);
    const answered = () => {
      if (rows > 0) this.hasChanged = true;
    };
    this.kept.push({ ...this.unread({ text, values, name: this.names.of(text) }), answered });
  }

  lock(names: NameLock): void {
    if (!this.hasAsked) this.locks.push(names);
    else for (const { text, values } of lockStatements([names])) this.send(text, values);
  }

  /** Resolves when all is durable. @throws the first error of any statement. */
  async commit(): Promise<void> {
    if (this.isUntouched()) return;
    if (!this.hasAsked) return this.connections.groups.run({ locks: this.locks, asked: this.kept });
    const { command } = await this.answerTo(this.plain('COMMIT'));
    if (command === 'COMMIT') return;
    throw new Error(`PostgreSQL answered ${command} to COMMIT: an error of a statement was passed over`);
  }

  /**
   * Gives the connection back, if one was taken.
   * @param error of the unit, of which nothing may stay.
   */
  async end(error: unknown = null): Promise<void> {
    const client = await this.connecting;
    if (client === null) return;
    let broken: Error | undefined;
    // A connection that is gone takes its transaction with it, and would only keep us waiting again.
    if (isKashboxError(namePostgresError(error), 'store_unreachable')) broken = error as Error;
    else if (error !== null) {
      await this.rollBack().catch((failure: Error) => {
        broken = failure;
      });
    }
    client.release(broken);
  }

  /** What was kept is forgotten. @throws where the connection is of no use any more. */
  protected async rollBack(): Promise<void> {
    this.kept = [];
    this.failure = null;
    await this.answerTo(this.plain('ROLLBACK'));
  }

  /** Whether nothing was sent or asked yet that needs a transaction. */
  private isUntouched(): boolean {
    return !this.hasAsked && this.kept.length === 0 && this.locks.length === 0;
  }

  protected answerTo(statement: Statement): Promise<Answer> {
    if (!this.hasAsked) this.begin();
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure);
      const answered = (answer: Answer) => {
        this.note(answer);
        resolve(answer);
      };
      this.kept.push({ statement, answered, failed: reject });
      if (this.isDue) return;
      this.isDue = true;
      process.nextTick(() => this.put());
    });
  }

  private begin(): void {
    this.hasAsked = true;
    const first = this.before.map((text) => this.plain(text));
    const locks = lockStatements(this.locks).map((lock) => ({ ...lock, name: this.names.of(lock.text) }));
    this.kept.unshift(...[...first, ...locks].map((statement) => this.unread(statement)));
  }

  private plain(text: string): Statement {
    return { text, values: [], name: this.names.of(text) };
  }

  private put(): void {
    const { client } = this;
    if (client === null) {
      this.connect();
      return;
    }
    this.isDue = false;
    const asked = this.kept;
    this.kept = [];
    const ended = (left: readonly Asked[], error: Error | null) => {
      if (error === null) return;
      this.failure ??= error;
      for (const { failed } of left) failed(error);
    };
    client.query(new Batch(client, asked, ended));
  }

  /** What is asked meanwhile waits with what is kept. */
  private connect(): void {
    this.connecting = this.connections.connect().then(
      (client) => {
        this.client = client;
        this.put();
        return client;
      },
      (error: Error) => {
        this.failure = error;
        for (const { failed } of this.kept.splice(0)) failed(error);
        return null;
      },
    );
  }

  private unread(statement: Statement): Asked {
    const failed = (error: Error) => {
      this.failure ??= error;
    };
    return { statement, answered: (answer) => this.note(answer), failed };
  }

  protected note({ changed, command }: Answer): void {
    if (changed > 0 && CHANGING.has(command)) this.hasChanged = true;
  }
}

/** A unit of work that is one statement, which is committed before it is answered. */
export class LoneStatement extends PostgresUnit {
  constructor(connections: UnitConnections, names: StatementNames) {
    super(connections, names, false, []);
  }

  /** One that is hot goes out together with other units of work. */
  override async ask<Row>(text: string, values: readonly unknown[], isHot: boolean): Promise<Executed<Row>> {
    this.requireFirst(text);
    if (!isHot) return super.ask<Row>(text, values, false);
    this.hasAsked = true;
    let result: Executed<Row> = { rows: [], changed: 0 };
    const answered = (answer: Answer) => {
      this.note(answer);
      result = { rows: answer.rows as Row[], changed: answer.changed };
    };
    const statement = { text, values, name: this.names.of(text) };
    await this.connections.groups.run({ locks: [], asked: [{ statement, answered, failed: () => {} }] });
    return result;
  }

  override send(text: string): never {
    throw new TypeError(`Whoever asks for one statement must read its answer: ${text}`);
  }

  override lock(): never {
    throw new TypeError('A lock, where one statement was asked for');
  }

  override async commit(): Promise<void> {}

  /** Nothing is left of a statement that failed. */
  protected override async rollBack(): Promise<void> {}

  private requireFirst(text: string): void {
    if (this.hasAsked) throw new TypeError(`A second statement, of which one was asked for: ${text}`);
  }
}
