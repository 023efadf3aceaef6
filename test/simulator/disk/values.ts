/** Values on their way between JavaScript and SQLite. */
import type { SqliteValue } from '../../../src/store/sqlite-driver.js';
import { capi, functions, heap, heapBuffer, wasm } from './wasm.js';

/** Shorter texts are written letter by letter, which takes less than a call of Buffer. */
const SHORT_TEXT = 16;
/** What one UTF-16 unit takes in UTF-8 at most, in bytes. */
const UTF8_BYTES = 3;
/** SQLite reads text and bytes where they stand and frees nothing. */
const STATIC = 0;

const { SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_NULL } = capi;

/** Texts and bytes of the statement that runs. Every run binds its values anew, so one room is enough. */
let scratchBytes = 65_536;
let scratch = wasm.alloc(scratchBytes);

function reserve(parameters: readonly unknown[]): void {
  let wanted = 0;
  for (const value of parameters) {
    if (typeof value === 'string') wanted += value.length * UTF8_BYTES;
    else if (value instanceof Uint8Array) wanted += value.length;
  }
  // At least one byte stays free: SQLite takes the address of empty bytes for none.
  if (wanted < scratchBytes) return;
  wasm.dealloc(scratch);
  scratchBytes = wanted * 2;
  scratch = wasm.alloc(scratchBytes);
}

/** @returns how many bytes of UTF-8 it has written at `at`. */
function writeText(text: string, at: number): number {
  if (text.length < SHORT_TEXT) {
    const bytes = heap();
    let index = 0;
    for (; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 127) break;
      bytes[at + index] = unit;
    }
    if (index === text.length) return index;
  }
  return heapBuffer().write(text, at, text.length * UTF8_BYTES, 'utf8');
}

/**
 * Binds values to a statement's parameters in their order: numbers as REAL, as Node does, bigints as
 * INTEGER; columns turn a whole REAL into INTEGER. Parameters without a value are NULL.
 * @param count of parameters of the statement. @returns the code of SQLite
 */
export function bindAll(statement: number, parameters: readonly SqliteValue[], count: number): number {
  reserve(parameters);
  let at = scratch;
  let code = 0;
  for (let index = 0; index < count && code === 0; index += 1) {
    const value = parameters[index] ?? null;
    const place = index + 1;
    if (typeof value === 'string') {
      const bytes = writeText(value, at);
      code = functions.sqlite3_bind_text(statement, place, at, bytes, STATIC);
      at += bytes;
    } else if (typeof value === 'number') code = functions.sqlite3_bind_double(statement, place, value);
    else if (value === null) code = functions.sqlite3_bind_null(statement, place);
    else if (typeof value === 'bigint') code = functions.sqlite3_bind_int64(statement, place, value);
    else if (value instanceof Uint8Array) {
      heap().set(value, at);
      code = functions.sqlite3_bind_blob(statement, place, at, value.length, STATIC);
      at += value.length;
    } else {
      throw new TypeError(`Provided value cannot be bound to SQLite parameter ${place}.`);
    }
  }
  return code;
}

function safe(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The whole number ${value} of a column is not exact in JavaScript`);
}

/** @returns the value of a column of the row at which the statement stands. */
export function columnValue(statement: number, column: number): SqliteValue {
  const type = functions.sqlite3_column_type(statement, column);
  if (type === SQLITE_TEXT) {
    const text = functions.sqlite3_column_text(statement, column);
    const bytes = functions.sqlite3_column_bytes(statement, column);
    return bytes === 0 ? '' : heapBuffer().toString('utf8', text, text + bytes);
  }
  if (type === SQLITE_INTEGER) return safe(functions.sqlite3_column_double(statement, column));
  if (type === SQLITE_NULL) return null;
  if (type === SQLITE_FLOAT) return functions.sqlite3_column_double(statement, column);
  const data = functions.sqlite3_column_blob(statement, column);
  const bytes = functions.sqlite3_column_bytes(statement, column);
  return heap().slice(data, data + bytes);
}
