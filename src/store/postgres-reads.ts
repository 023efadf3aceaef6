/**
 * Hot reads of many requests over few connections to PostgreSQL: those that arrive while others are under way
 * go out in one piece, and their answers come back so. Other reads may take long and would hold up what comes
 * behind them; each of these takes a connection of its own.
 */
import pg from 'pg';
import type { Executed } from './dialect.js';
import { type Asked, Batch } from './postgres-batch.js';
import type { StatementNames } from './postgres-statements.js';

/** Enough for the server to work on one while the other is written to. */
const LANES = 2;
/** More at once would only make the first of them wait. */
const BATCH = 64;

export class SharedReads {
  private readonly lanes: Lane[] = [];
  private most = LANES;

  constructor(
    private readonly connect: () => Promise<pg.PoolClient>,
    private readonly names: StatementNames,
  ) {}

  ask<Row>(text: string, values: readonly unknown[]): Promise<Executed<Row>> {
    const statement = { text, values, name: this.names.of(text) };
    return new Promise((resolve, reject) => {
      const answered: Asked['answered'] = ({ rows, changed }) => resolve({ rows: rows as Row[], changed });
      this.freest().add({ statement, answered, failed: reject });
    });
  }

  /** Where the server takes no more connections, reads use one, so that units of work get the others. */
  giveBackOne(): void {
    this.most = 1;
    if (this.lanes.length > 1) this.lanes.pop()?.closeWhenIdle();
  }

  /** Lets go of the connections. */
  async close(): Promise<void> {
    await Promise.all(this.lanes.splice(0).map((lane) => lane.close()));
  }

  private freest(): Lane {
    // What one request asks together is one wait.
    const gathering = this.lanes.find((lane) => lane.isGathering);
    if (gathering !== undefined) return gathering;
    const idle = this.lanes.find(({ open }) => open === 0);
    if (idle !== undefined) return idle;
    if (this.lanes.length < this.most) {
      const lane: Lane = new Lane(this.connect(), () => {
        const at = this.lanes.indexOf(lane);
        if (at >= 0) this.lanes.splice(at, 1);
      });
      this.lanes.push(lane);
      return lane;
    }
    return this.lanes.reduce((one, other) => (other.open < one.open ? other : one));
  }
}

/** One connection, for as long as it is good. */
class Lane {
  /** Questions without an answer. */
  open = 0;
  /** Whether what is asked now goes out with this turn of the event loop. */
  isGathering = false;
  private waiting: Asked[] = [];
  private isBusy = true;
  private isLeaving = false;
  private isOver = false;

  /** @param lost told once when the connection is of no use any more. */
  constructor(
    private readonly client: Promise<pg.PoolClient>,
    private readonly lost: () => void,
  ) {
    client.then(
      (connected) => {
        const lose = (error?: Error) => this.end(connected, error ?? new Error('Connection terminated'));
        connected.once('error', lose).once('end', () => lose());
        this.next(connected);
      },
      (error: Error) => {
        this.lost();
        this.failAll(error);
      },
    );
  }

  add(asked: Asked): void {
    this.open += 1;
    this.waiting.push(asked);
    if (this.isBusy) return;
    this.isBusy = true;
    this.isGathering = true;
    // What else this turn of the event loop brings goes along.
    setImmediate(async () => {
      this.isGathering = false;
      this.next(await this.client);
    });
  }

  /** To be called where nothing more is added. */
  closeWhenIdle(): void {
    this.isLeaving = true;
    if (!this.isBusy) void this.close();
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.client.then(
      (connected) => connected.release(),
      () => {},
    );
  }

  private next(client: pg.PoolClient): void {
    const asked = this.waiting.splice(0, BATCH);
    this.isBusy = asked.length > 0;
    if (!this.isBusy) {
      if (this.isLeaving) void this.close();
      return;
    }
    const ended = (left: readonly Asked[], error: Error | null) => {
      this.open -= asked.length - left.length;
      this.waiting.unshift(...left);
      if (error === null || (error instanceof pg.DatabaseError && error.severity === 'ERROR'))
        this.next(client);
      else this.end(client, error);
    };
    client.query(new Batch(client, asked, ended));
  }

  /** Told twice where pg tells the connection's end before that of the questions which were under way. */
  private end(client: pg.PoolClient, error: Error): void {
    this.failAll(error);
    if (this.isOver) return;
    this.isOver = true;
    this.lost();
    client.release(error);
  }

  private failAll(error: Error): void {
    for (const { failed } of this.waiting.splice(0)) failed(error);
  }
}
