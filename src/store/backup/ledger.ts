/**
 * Ledger format for copies between stores, independent of the engine: tables in an order in which each refers
 * only to earlier ones, and each row as the JSON object that PostgreSQL creates of it. Both engines contain
 * only integers and text, so nothing is lost. Every row is compared.
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
  /** Facts of the inserted rows, as in `LedgerReader`. */
  facts(): Promise<LedgerFacts>;
  rows(table: string): AsyncIterable<readonly string[]>;
  /** @throws KashboxError `backup_damaged` for a row that refers to none */
  commit(): Promise<void>;
  /** Discards everything unless it was committed. */
  close(): Promise<void>;
}

/** An empty store that takes a ledger: all of it, or nothing. */
export interface LedgerWriter {
  /** @param rows JSON objects, as `LedgerReader` returns them. */
  add(table: string, rows: readonly string[]): Promise<void>;
  /**
   * Reads the added rows back and commits if they are the same.
   * @param facts expected facts.
   * @throws KashboxError `backup_damaged`, in which `cause` names the table
   */
  keep(facts: LedgerFacts, looked?: (rows: number) => void): Promise<void>;
  /** Discards everything unless it was kept. */
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

/** Copies every row into another store. @param looked called with the rows done since its last call. */
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

/** Order-independent checksum of rows: the order of rows and of their columns does not matter. */
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

/** @returns the version's tables, each after those that it refers to, without those of one engine. */
export function ledgerTables(schemaVersion: number): readonly string[] {
  const statements = MIGRATIONS.slice(0, schemaVersion).flatMap((migration) => migration.statements);
  const made = statements.flatMap((statement) =>
    typeof statement === 'string' ? (/^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []) : [],
  );
  // One that a later migration makes again is the same.
  return [VERSIONS, ...new Set(made)];
}

/** Query that both engines run. */
export const FACTS_WITHOUT_PAYMENTS = `SELECT
  (SELECT max(version) FROM schema_versions) AS "schemaVersion",
  (SELECT count(*) FROM merchants) AS merchants,
  (SELECT count(*) FROM devices) AS phones`;
export const FACTS = `${FACTS_WITHOUT_PAYMENTS}, (SELECT count(*) FROM sessions) AS payments`;

/** @param row of `FACTS`; PostgreSQL counts in texts. */
export function toLedgerFacts(row: Readonly<Record<keyof LedgerFacts, number | string>>): LedgerFacts {
  const { schemaVersion, payments, merchants, phones } = row;
  return {
    schemaVersion: Number(schemaVersion),
    payments: Number(payments),
    merchants: Number(merchants),
    phones: Number(phones),
  };
}

/** @param error of adding rows, named. @returns the same where the store is to blame, and not the rows. */
export function wrapRowError(error: unknown): unknown {
  if (isKashboxError(error) && error.code !== 'already_exists') return error;
  return new KashboxError('backup_damaged', { cause: error });
}

/** True if the copy is complete. */
export function sameFacts(one: LedgerFacts, other: LedgerFacts): boolean {
  return (Object.keys(one) as (keyof LedgerFacts)[]).every((name) => one[name] === other[name]);
}
