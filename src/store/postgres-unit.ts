/**
 * One unit of work on one connection to PostgreSQL, with as few waits for the server as its statements allow:
 *
 *   send(…) ─► kept ─┐
 *   ask(…) ──────────┴─► BEGIN · what was kept · the questions of this turn ─► one wait for the answers
 *   commit() ─────────► what was kept · COMMIT                              ─► one wait
 *
 * What nobody reads the answer of goes out with the next question. An error of it fails the unit no later
 * than at its commit, and on PostgreSQL every error fails the whole transaction anyway.
 */
import type pg from 'pg';
import type { Executed } from './dialect.js';
import { type Answer, type Asked, Batch, type Statement } from './postgres-batch.js';
import type { StatementNames } from './postgres-statements.js';

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

export class PostgresUnit {
  /** Whether rows were changed. */
  hasChanged = false;
  protected kept: Asked[];
  protected hasAsked = false;
  private isDue = false;
  private failure: Error | null = null;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
    before: readonly string[] = ['BEGIN'],
  ) {
    this.kept = before.map((text) => this.unread(this.plain(text)));
  }

  /** @param isHot whether the statement is one of few, and is prepared. */
  async ask<Row>(text: string, values: readonly unknown[], isHot: boolean): Promise<Executed<Row>> {
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
    if (!this.hasAsked && this.kept.length === 1) return;
    const { command } = await this.answerTo(this.plain('COMMIT'));
    if (command === 'COMMIT') return;
    throw new Error(`PostgreSQL answered ${command} to COMMIT: an error of a statement was passed over`);
  }

  /** What was kept is forgotten. @throws where the connection is of no use any more. */
  async rollBack(): Promise<void> {
    this.kept = [];
    this.failure = null;
    if (this.hasAsked) await this.answerTo(this.plain('ROLLBACK'));
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
    this.isDue = false;
    const asked = this.kept;
    this.kept = [];
    const ended = (left: readonly Asked[], error: Error | null) => {
      if (error === null) return;
      this.failure ??= error;
      for (const { failed } of left) failed(error);
    };
    this.client.query(new Batch(this.client, asked, ended));
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
  constructor(client: pg.PoolClient, names: StatementNames) {
    super(client, names, []);
  }

  override send(text: string): never {
    throw new TypeError(`Whoever asks for one statement must read its answer: ${text}`);
  }

  override async commit(): Promise<void> {}

  /** Nothing is left of a statement that failed. */
  override async rollBack(): Promise<void> {}

  protected override answerTo(statement: Statement): Promise<Answer> {
    if (this.hasAsked)
      throw new TypeError(`A second statement, of which one was asked for: ${statement.text}`);
    return super.answerTo(statement);
  }
}
