/**
 * The ledger as it goes from one place to another, whatever engine it comes from or goes to: tables in an
 * order in which each refers only to those before it, and each row as the JSON object that PostgreSQL makes
 * of it. Both engines hold whole numbers and texts only, so nothing is lost. Every row is compared.
 */
import { createHash } from 'node:crypto';
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { MIGRATIONS } from '../migrate.js';

export interface LedgerFacts {
  /** Newest migration that its tables have seen. */
  readonly schemaVersion: number;
  readonly payments: number;
  readonly merchants: number;
  readonly phones: number;
}

/** A ledger as it was at one moment, however long it is read. */
export interface LedgerReader {
  readonly facts: LedgerFacts;
  /** @returns every row of a table as JSON, some at a time. */
  rows(table: string): AsyncIterable<readonly string[]>;
  close(): Promise<void>;
}

/** An empty store of one engine that takes a ledger in one transaction. */
export interface LedgerTarget {
  /** Newest migration that its tables have seen. */
  readonly schemaVersion: number;
  insert(table: string, rows: readonly string[]): Promise<void>;
  /** As `LedgerReader` has them, of what was inserted. */
  facts(): Promise<LedgerFacts>;
  rows(table: string): AsyncIterable<readonly string[]>;
  /** @throws KashboxError `backup_damaged` for a row that refers to none */
  commit(): Promise<void>;
  /** Leaves nothing behind, unless it was committed. */
  close(): Promise<void>;
}

/** An empty store that takes a ledger: all of it, or nothing. */
export interface LedgerWriter {
  /** @param rows JSON objects, as `LedgerReader` returns them. */
  add(table: string, rows: readonly string[]): Promise<void>;
  /**
   * Reads back what was added, row by row, and keeps it if it is the same.
   * @param facts as much as there must be.
   * @throws KashboxError `backup_damaged`, in which `cause` names the table
   */
  keep(facts: LedgerFacts, looked?: (rows: number) => void): Promise<void>;
  /** Leaves nothing behind, unless it was kept. */
  close(): Promise<void>;
}

export function checkedWriter(target: LedgerTarget): LedgerWriter {
  const sums = new Map(ledgerTables(target.schemaVersion).map((table) => [table, new RowSum()]));
  return {
    async add(table, rows) {
      await target.insert(table, rows);
      sums.get(table)?.add(rows);
    },
    async keep(facts, looked = () => {}) {
      if (!sameFacts(await target.facts(), facts)) throw differing('sessions');
      for (const [table, sum] of sums) {
        const back = new RowSum();
        for await (const rows of target.rows(table)) {
          back.add(rows);
          looked(rows.length);
        }
        if (!back.isSame(sum)) throw differing(table);
      }
      await target.commit();
    },
    close: () => target.close(),
  };
}

/** Every row of one ledger into another store. @param looked told how many more rows are done. */
export async function copyRows(
  from: LedgerReader,
  to: LedgerWriter,
  looked: (rows: number) => void = () => {},
): Promise<void> {
  for (const table of ledgerTables(from.facts.schemaVersion)) {
    for await (const rows of from.rows(table)) {
      await to.add(table, rows);
      looked(rows.length);
    }
  }
}

const differing = (table: string) =>
  new KashboxError('backup_damaged', { cause: new Error(`table ${table}`) });

/** 128 bits of each row are added up: enough for what goes wrong by accident. */
const SUM_BITS = 128;

/** What rows are together, in whatever order they and their columns come. */
class RowSum {
  private rows = 0;
  private sum = 0n;

  add(rows: readonly string[]): void {
    for (const row of rows) {
      const columns = Object.entries(JSON.parse(row) as object).sort(([one], [next]) =>
        one < next ? -1 : 1,
      );
      const digest = createHash('sha256').update(JSON.stringify(columns)).digest('hex');
      this.sum = BigInt.asUintN(SUM_BITS, this.sum + BigInt(`0x${digest.slice(0, SUM_BITS / 4)}`));
      this.rows += 1;
    }
  }

  isSame(other: RowSum): boolean {
    return this.rows === other.rows && this.sum === other.sum;
  }
}

/** Records which migrations ran; made before the first of them. */
const VERSIONS = 'schema_versions';

/** @returns the tables of that version, each behind those that it refers to, without those of one engine. */
export function ledgerTables(schemaVersion: number): readonly string[] {
  const statements = MIGRATIONS.slice(0, schemaVersion).flatMap((migration) => migration.statements);
  const made = statements.flatMap((statement) =>
    typeof statement === 'string' ? (/^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []) : [],
  );
  // One that a later migration makes again is the same.
  return [VERSIONS, ...new Set(made)];
}

/** Asked of either engine. */
export const FACTS_BUT_PAYMENTS = `SELECT
  (SELECT max(version) FROM schema_versions) AS "schemaVersion",
  (SELECT count(*) FROM merchants) AS merchants,
  (SELECT count(*) FROM devices) AS phones`;
export const FACTS = `${FACTS_BUT_PAYMENTS}, (SELECT count(*) FROM sessions) AS payments`;

/** @param row of `FACTS`; PostgreSQL counts in texts. */
export function factsOf(row: Readonly<Record<keyof LedgerFacts, number | string>>): LedgerFacts {
  const { schemaVersion, payments, merchants, phones } = row;
  return {
    schemaVersion: Number(schemaVersion),
    payments: Number(payments),
    merchants: Number(merchants),
    phones: Number(phones),
  };
}

/** @param error of adding rows, named. @returns the same where the store is to blame, and not the rows. */
export function unfitRows(error: unknown): unknown {
  if (isKashboxError(error) && error.code !== 'already_exists') return error;
  return new KashboxError('backup_damaged', { cause: error });
}

/** Whether all has arrived. */
export function sameFacts(one: LedgerFacts, other: LedgerFacts): boolean {
  return (Object.keys(one) as (keyof LedgerFacts)[]).every((name) => one[name] === other[name]);
}
