/**
 * Group commit on PostgreSQL: units of work of which every statement is known go out in one piece, as one
 * transaction with one commit, for as many of them as have come while the last such piece was under way.
 *
 *   run(script) ──► waiting ──► locks of all · statements of one script after the other ──► one commit
 *
 * Where a statement fails, nothing of the group stands. Its script then goes out by itself, on a connection
 * of its own, and meets its own error there; the others go out together once more. So nobody is held up by
 * the lock that another one waits for.
 */
import pg from 'pg';
import { type Answer, type Asked, Batch, type Statement } from './postgres-batch.js';
import type { StatementNames } from './postgres-statements.js';
import type { NameLock } from './schema/index.js';

/** What a unit of work does, once it is known. */
export interface Script {
  /** Locks of names, which the whole group takes first. */
  readonly locks: readonly NameLock[];
  readonly asked: readonly Asked[];
}

/** More at once would only make the first of them wait. */
const GROUP_SIZE = 64;
/** So that the server works on one while the other is made and read. */
const GROUPS = 2;
/** So many units go out beside a first group; fewer wait for more. */
const WORTH_A_GROUP = 12;
/** A script whose groups have failed so often goes out by itself, whoever made them fail. */
const GROUP_TRIES = 3;
/** A group waits no longer for a lock that somebody else holds, in milliseconds. */
const PATIENCE = "SELECT set_config('lock_timeout', '300', true)";

interface Waiting extends Script {
  readonly done: () => void;
  readonly failed: (error: Error) => void;
  tries: number;
}

interface Failure {
  readonly error: Error;
  /** Whose statement it was; undefined for a lock, the commit, or the connection. */
  readonly script: Waiting | undefined;
}

export class GroupedWrites {
  private waiting: Waiting[] = [];
  private running = 0;
  private isDue = false;

  constructor(
    private readonly connect: () => Promise<pg.PoolClient>,
    private readonly names: StatementNames,
  ) {}

  /** Resolves when the script is durable, behind the answers to its statements. */
  run(script: Script): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ ...script, done, failed, tries: 0 });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isDue || this.running >= GROUPS) return;
    this.isDue = true;
    // What else this turn of the event loop brings goes along.
    setImmediate(() => {
      this.isDue = false;
      if (this.running > 0 && this.waiting.length < WORTH_A_GROUP) return;
      const group = this.waiting.splice(0, GROUP_SIZE);
      if (group.length > 0) void this.runGroup(group);
    });
  }

  private async runGroup(group: readonly Waiting[]): Promise<void> {
    this.running += 1;
    const failure = await this.commit(group, [this.statement(PATIENCE, [])]);
    this.running -= 1;
    if (failure !== null) this.goOnAfter(failure, group);
    if (this.waiting.length > 0) this.schedule();
  }

  private goOnAfter({ error, script: own }: Failure, group: readonly Waiting[]): void {
    if (!isOfStatement(error)) {
      // Whether a commit has arrived is not known.
      for (const { failed } of group) failed(error);
      return;
    }
    const again: Waiting[] = [];
    for (const script of group) {
      script.tries += 1;
      if (own === undefined || script === own || script.tries >= GROUP_TRIES) void this.runAlone(script);
      else again.push(script);
    }
    this.waiting.unshift(...again);
  }

  private async runAlone(script: Waiting): Promise<void> {
    const failure = await this.commit([script], []);
    if (failure !== null) script.failed(failure.error);
  }

  /** @returns why nothing of it stands, and nothing was told; null where all is durable and told. */
  private async commit(group: readonly Waiting[], before: readonly Statement[]): Promise<Failure | null> {
    const answers: (() => void)[] = [];
    const owners: (Waiting | undefined)[] = [];
    const asked: Asked[] = [];
    const ask = (statement: Statement, answered: Asked['answered'], owner?: Waiting) => {
      asked.push({ statement, answered, failed: () => {} });
      owners.push(owner);
    };
    const locks = lockStatements(group.flatMap((script) => script.locks));
    for (const statement of before) ask(statement, () => {});
    for (const { text, values } of locks) ask(this.statement(text, values), () => {});
    for (const script of group) {
      for (const { statement, answered } of script.asked) {
        ask(statement, (answer: Answer) => answers.push(() => answered(answer)), script);
      }
      answers.push(script.done);
    }
    const failure = await this.send(asked, owners);
    if (failure === null) for (const answer of answers) answer();
    return failure;
  }

  private async send(
    asked: readonly Asked[],
    owners: readonly (Waiting | undefined)[],
  ): Promise<Failure | null> {
    let client: pg.PoolClient;
    try {
      client = await this.connect();
    } catch (error) {
      return { error: error as Error, script: undefined };
    }
    const failure = await new Promise<Failure | null>((resolve) => {
      const ended = (left: readonly Asked[], error: Error | null) =>
        resolve(error && { error, script: owners[asked.length - left.length - 1] });
      client.query(new Batch(client, asked, ended));
    });
    client.release(failure === null || isOfStatement(failure.error) ? undefined : failure.error);
    return failure;
  }

  private statement(text: string, values: readonly unknown[]): Statement {
    return { text, values, name: this.names.of(text) };
  }
}

/** Of a statement, not of the connection: the server has undone all. */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

const LOCK_MERCHANT = 'SELECT id FROM merchants WHERE id = $1 FOR KEY SHARE';
const LOCK_MERCHANTS = 'SELECT id FROM merchants WHERE id = ANY ($1::text[]) ORDER BY id FOR KEY SHARE';
const LOCK_SLOT = 'SELECT slot FROM lock_slots WHERE slot = $1 FOR NO KEY UPDATE';
const LOCK_SLOTS = 'SELECT slot FROM lock_slots WHERE slot = ANY ($1::int[]) ORDER BY slot FOR NO KEY UPDATE';

/** @returns what takes these locks in the order that all keep (tables/locks). */
export function lockStatements(locks: readonly NameLock[]): Pick<Statement, 'text' | 'values'>[] {
  if (locks.length === 0) return [];
  const merchants = [...new Set(locks.map(({ merchant }) => merchant))];
  const slots = [...new Set(locks.flatMap((lock) => lock.slots))];
  return [
    // Of one row the plan is kept; of several it is made again each time.
    merchants.length === 1
      ? { text: LOCK_MERCHANT, values: merchants }
      : { text: LOCK_MERCHANTS, values: [merchants] },
    slots.length === 1 ? { text: LOCK_SLOT, values: slots } : { text: LOCK_SLOTS, values: [slots] },
  ];
}
