/**
 * The ledger as a backup holds it, whatever engine it comes from or goes to: tables in an order in which each
 * refers only to those before it, and each row as the JSON object that PostgreSQL makes of it. Both engines
 * hold whole numbers and texts only, so nothing is lost on the way.
 */
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

/** An empty store that takes a ledger: all of it, or nothing. */
export interface LedgerWriter {
  /** @param rows JSON objects, as `LedgerReader` returns them. */
  add(table: string, rows: readonly string[]): Promise<void>;
  /** Keeps what was added, once it is as much as the backup says. @throws KashboxError `backup_damaged` */
  keep(facts: LedgerFacts): Promise<void>;
  /** Leaves nothing behind, unless it was kept. */
  close(): Promise<void>;
}

/** Records which migrations ran; made before the first of them. */
const VERSIONS = 'schema_versions';

/** @returns the tables of that version, each behind those that it refers to. */
export function ledgerTables(schemaVersion: number): readonly string[] {
  const statements = MIGRATIONS.slice(0, schemaVersion).flatMap((migration) => migration.statements);
  const made = statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []);
  return [VERSIONS, ...made];
}

/** Asked of either engine. */
export const FACTS = `SELECT
  (SELECT max(version) FROM schema_versions) AS "schemaVersion",
  (SELECT count(*) FROM sessions) AS payments,
  (SELECT count(*) FROM merchants) AS merchants,
  (SELECT count(*) FROM devices) AS phones`;

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
