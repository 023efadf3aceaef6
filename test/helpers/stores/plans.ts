/** What the engines would do to find the rows of statements that ran: by an index, or over a whole table. */
import type { ExecutionContext } from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { createDb } from '../../../src/store/dialect.js';
import type { Db } from '../../../src/store/schema/index.js';

/** The same core, with every statement and its parameters written down. */
export function recorded(core: Core, statements: Map<string, readonly unknown[]>): Core {
  const recording = (db: Db): Db =>
    createDb(db.engine, async <Row>(sql: string, parameters: readonly unknown[]) => {
      statements.set(sql, parameters);
      return { rows: await db.execute<Row>(sql, parameters), changed: 0 };
    });
  return {
    ...core,
    store: {
      ...core.store,
      read: (work) => core.store.read((db) => work(recording(db))),
      write: (work) => core.store.write((db) => work(recording(db))),
    },
  };
}

export async function planOf(db: Db, sql: string, parameters: readonly unknown[]): Promise<string> {
  if (db.engine === 'sqlite') {
    const rows = await db.execute<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
    return rows.map((row) => row.detail).join('\n');
  }
  const rows = await db.execute<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/**
 * An INSERT into sessions that returns something lists the tables that refer to them. They are looked through
 * only while a deferred foreign key is violated (SQLite's FkIfZero), and there is no deferred one.
 */
const OF_A_PARENT = /SCAN credited_names/;

export async function findByIndex(
  t: ExecutionContext<unknown>,
  core: Core,
  statements: ReadonlyMap<string, readonly unknown[]>,
): Promise<void> {
  await core.store.write(async (db) => {
    // With so few rows PostgreSQL would scan although it has an index; it may not where it can help it.
    if (db.engine === 'postgres') await db.execute('SET LOCAL enable_seqscan = off', []);
    for (const [sql, parameters] of statements) {
      const plan = (await planOf(db, sql, parameters)).replace(OF_A_PARENT, '');
      t.notRegex(plan, /\bSCAN (?!CONSTANT|\d|n\b)|Seq Scan/, sql);
    }
  });
}
