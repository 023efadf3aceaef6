import { capi, functions, textAt } from './wasm.js';

/** @returns the name of an extended result code, or of its first part where it has none. */
function nameOf(code: number): string {
  return (
    capi.sqlite3_js_rc_str(code) ?? capi.sqlite3_js_rc_str(code & 0xff) ?? `UNKNOWN_SQLITE_ERROR_${code}`
  );
}

/** What SQLite refuses, as better-sqlite3 throws it: `code` is the name of the extended result code. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  /**
   * @param db pointer of the connection that tells more; 0 for none
   * @param code extended result code of SQLite
   */
  constructor(db: number, code: number) {
    super(db === 0 ? nameOf(code) : textAt(functions.sqlite3_errmsg(db)));
    this.code = nameOf(code);
  }
}
