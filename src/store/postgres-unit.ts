/**
 * One unit of work on PostgreSQL, with as few waits for the server as its statements allow:
 *
 *   ask(…) of rows ─────► with the reads of other requests, until something is sent or changed
 *   send(…) ─► kept ─┐
 *   ask(…) ──────────┴─► BEGIN · what was kept · the questions of this turn ─► one wait for the answers
 *   commit() ─────────► what was kept · COMMIT                              ─► one wait
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
import type { Connections } from './postgres-hosts.js';
import { isPlainRead, type StatementNames } from './postgres-statements.js';

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

export class PostgresUnit {
  /** Whether rows were changed. */
  hasChanged = false;
  protected kept: Asked[];
  protected hasAsked = false;
  private isDue = false;
  private failure: Error | null = null;
  private client: pg.PoolClient | null = null;
  private connecting: Promise<pg.PoolClient | null> | null = null;

  constructor(
    private readonly connections: Pick<Connections, 'pool' | 'shared'>,
    private readonly names: StatementNames,
    private readonly before: readonly string[] = ['BEGIN'],
  ) {
    this.kept = before.map((text) => this.unread(this.plain(text)));
  }

  /** @param isHot whether the statement is one of few, and is prepared. */
  async ask<Row>(text: string, values: readonly unknown[], isHot: boolean): Promise<Executed<Row>> {
    if (isHot && this.mayShare() && isPlainRead(text)) return this.connections.shared.ask<Row>(text, values);
    const name = isHot ? this.names.of(text) : undefined;
    const { rows, changed } = await this.answerTo({ text, values, name });
    return { rows: rows as Row[], changed };
  }

  /** Keeps a statement until the next question, or the commit. */
  send(text: string, values: readonly unknown[]): void {
    this.kept.push(this.unread({ text, values, name: this.names.of(text) }));
  }

  /** Resolves when all is durable. @throws the first error of any statement. */
  async commit(): Promise<void> {
    if (this.isUntouched()) return;
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

  protected mayShare(): boolean {
    return this.isUntouched();
  }

  /** Whether nothing was sent or asked yet that needs a transaction. */
  private isUntouched(): boolean {
    return !this.hasAsked && this.kept.length === this.before.length;
  }

  protected answerTo(statement: Statement): Promise<Answer> {
    this.hasAsked = true;
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
    this.connecting = this.connections.pool.connect().then(
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

  private note({ changed, command }: Answer): void {
    if (changed > 0 && CHANGING.has(command)) this.hasChanged = true;
  }
}

/** A unit of work that is one question: the server commits it before it answers. */
export class LoneStatement extends PostgresUnit {
  constructor(connections: Pick<Connections, 'pool' | 'shared'>, names: StatementNames) {
    super(connections, names, []);
  }

  override send(text: string): never {
    throw new TypeError(`Whoever asks for one statement must read its answer: ${text}`);
  }

  override async commit(): Promise<void> {}

  /** Nothing is left of a statement that failed. */
  protected override async rollBack(): Promise<void> {}

  protected override mayShare(): boolean {
    return false;
  }

  protected override answerTo(statement: Statement): Promise<Answer> {
    if (this.hasAsked)
      throw new TypeError(`A second statement, of which one was asked for: ${statement.text}`);
    return super.answerTo(statement);
  }
}
