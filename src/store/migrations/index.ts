/**
 * The changes of the tables in the order of their versions, which are 1, 2, 3 … without gaps. One that was
 * released is never edited; what changes is a row of its own at the end, in a file of its own if it is long.
 */
import { firstTables } from './0001-first-tables.js';

/** Plain SQL that SQLite and PostgreSQL both accept, or what only PostgreSQL needs. */
export type MigrationStatement = string | { readonly postgres: string };

export const MIGRATION_ROWS: readonly (readonly [name: string, statements: readonly MigrationStatement[]])[] =
  [['first-tables', firstTables]];
