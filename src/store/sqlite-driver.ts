/**
 * The SQLite driver of this version of Node. better-sqlite3 13 uses Node-API and ships built, but crashes on
 * Node 20. 12 is built for one version of Node. On Node 24.19 and later it ends the process when statements
 * are collected: https://github.com/WiseLibs/better-sqlite3/issues/1515. Both are optional dependencies.
 */
import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { KashboxError } from '../base/errors/errors.js';

/** A connection of better-sqlite3, with all that it can do. */
export type SqliteFile = Database.Database;

/** What the store uses of a prepared statement. */
export interface SqliteStatement {
  readonly readonly: boolean;
  readonly reader: boolean;
  run(...parameters: readonly unknown[]): { readonly changes: number };
  get(...parameters: readonly unknown[]): unknown;
  all(...parameters: readonly unknown[]): unknown[];
  columns(): readonly { readonly name: string }[];
  /** From now on rows are lists. */
  raw(): SqliteStatement;
  /** From now on rows are their first values. */
  pluck(): SqliteStatement;
}

/** What the store uses of a connection. */
export interface SqliteConnection {
  /** Path of the file. */
  readonly name: string;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  /** Runs statements whose rows nobody wants. */
  exec(sql: string): unknown;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  close(): void;
}

/** The name by which package.json knows it. bin/install.js has the same rule, to compile what is needed. */
const PACKAGE = Number.parseInt(process.versions.node, 10) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';

/**
 * @param file path of the database; made when absent, unless `readonly` or `fileMustExist`.
 * @throws KashboxError `store_unreachable` where the driver is not installed or does not load.
 */
export function openSqliteFile(file: string, options: Database.Options = {}): SqliteFile {
  return new (driver())(file, options);
}

let loaded: typeof Database | undefined;

function driver(): typeof Database {
  if (loaded !== undefined) return loaded;
  try {
    const found: typeof Database = createRequire(import.meta.url)(PACKAGE);
    // Its compiled part is loaded by the first connection, and is missing where npm ran no scripts.
    new found(':memory:').close();
    loaded = found;
    return found;
  } catch (cause) {
    throw new KashboxError('store_unreachable', {
      message: `The package ${PACKAGE}, which reads SQLite, does not load in Node ${process.versions.node}`,
      hint:
        `Install Kashbox again with this version of Node and let npm run the scripts of that package: ` +
        `npm install --global --allow-scripts=${PACKAGE} FILE; in a checkout: npm rebuild. ` +
        'It may need python3, make and a C++ compiler.',
      cause,
    });
  }
}
