import { capi, functions, textAt } from './wasm.js';

/** @returns the name of an extended result code, or of its first part where it has none. */
function nameOf(code: number): string {
  return (
    capi.sqlite3_js_rc_str(code) ?? capi.sqlite3_js_rc_str(code & 0xff) ?? `UNKNOWN_SQLITE_ERROR_${code}`
  );
}

/** What SQLite refuses, as Node throws it: `errcode` is the extended result code. */
export class SqliteError extends Error {
  readonly code = 'ERR_SQLITE_ERROR';
  readonly errcode: number;

  /**
   * @param db pointer of the connection that tells more; 0 for none
   * @param code extended result code of SQLite
   */
  constructor(db: number, code: number) {
    super(db === 0 ? nameOf(code) : textAt(functions.sqlite3_errmsg(db)));
    this.errcode = code;
  }
}
