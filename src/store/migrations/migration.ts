/** One numbered change of the tables. */

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Plain SQL that SQLite and PostgreSQL both accept. */
  readonly statements: readonly string[];
}
