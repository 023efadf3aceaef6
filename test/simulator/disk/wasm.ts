/** SQLite in WebAssembly: its functions as they are exported, and its memory. Pointers are numbers. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type init from '@sqlite.org/sqlite-wasm';

export const sqlite = await load();
export const { capi, wasm } = sqlite;

/**
 * The last version for Node 20 lacks the file that its own entry for Node names. The one for browsers is the
 * same but for how it gets the module: by `fetch`, of an address that Node does not fetch.
 */
async function load(): ReturnType<typeof init> {
  const file = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm');
  const entry = new URL('sqlite3.mjs', pathToFileURL(file));
  // It starts once, and a process may hold copies of this program.
  entry.search = encodeURIComponent(import.meta.url);
  const headers = { 'content-type': 'application/wasm' };
  const { fetch } = globalThis;
  // It says otherwise that Node has no files of browsers.
  Object.assign(globalThis, { sqlite3ApiConfig: { warn: () => {} } });
  globalThis.fetch = async () => new Response(readFileSync(file), { headers });
  try {
    const { default: start } = (await import(entry.href)) as { default: typeof init };
    return await start();
  } finally {
    globalThis.fetch = fetch;
  }
}

/** The functions of SQLite that the driver calls. Text goes in and comes out as a pointer. */
interface Functions {
  sqlite3_open_v2(name: number, db: number, flags: number, vfs: number): number;
  sqlite3_close_v2(db: number): number;
  sqlite3_exec(db: number, sql: number, callback: number, argument: number, message: number): number;
  sqlite3_errmsg(db: number): number;
  sqlite3_get_autocommit(db: number): number;
  sqlite3_changes(db: number): number;
  sqlite3_total_changes(db: number): number;
  sqlite3_prepare_v3(
    db: number,
    sql: number,
    bytes: number,
    flags: number,
    statement: number,
    tail: number,
  ): number;
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_stmt_readonly(statement: number): number;
  sqlite3_stmt_status(statement: number, kind: number, isReset: number): number;
  sqlite3_bind_parameter_count(statement: number): number;
  sqlite3_bind_null(statement: number, at: number): number;
  sqlite3_bind_double(statement: number, at: number, value: number): number;
  sqlite3_bind_int64(statement: number, at: number, value: bigint): number;
  sqlite3_bind_text(statement: number, at: number, text: number, bytes: number, free: number): number;
  sqlite3_bind_blob(statement: number, at: number, data: number, bytes: number, free: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_name(statement: number, at: number): number;
  sqlite3_column_type(statement: number, at: number): number;
  sqlite3_column_double(statement: number, at: number): number;
  sqlite3_column_text(statement: number, at: number): number;
  sqlite3_column_blob(statement: number, at: number): number;
  sqlite3_column_bytes(statement: number, at: number): number;
  sqlite3_randomness(bytes: number, target: number): void;
  sqlite3_status(kind: number, current: number, highest: number, isReset: number): number;
}

export const functions: Functions = wasm.exports;

let bytes = wasm.heap8u();
let words = new Int32Array(bytes.buffer);
let buffer = Buffer.from(bytes.buffer);

/** The views of a memory that has grown are empty. */
function refresh(): void {
  bytes = wasm.heap8u();
  words = new Int32Array(bytes.buffer);
  buffer = Buffer.from(bytes.buffer);
}

/** @returns the whole memory. It is good until SQLite is called again. */
export function heap(): Uint8Array {
  if (bytes.length === 0) refresh();
  return bytes;
}

/** As `heap`, with what Buffer can do. */
export function heapBuffer(): Buffer {
  if (bytes.length === 0) refresh();
  return buffer;
}

/** Puts a whole number of up to 32 bits into memory. */
export function poke32(pointer: number, value: number): void {
  if (bytes.length === 0) refresh();
  words[pointer >> 2] = value;
}

export function peek32(pointer: number): number {
  if (bytes.length === 0) refresh();
  return words[pointer >> 2] ?? 0;
}

/** Room for results of SQLite that it writes to where a pointer points. */
export const OUT = wasm.alloc(16);

/** @returns the text at a pointer; empty for none. */
export function textAt(pointer: number): string {
  return wasm.cstrToJs(pointer) ?? '';
}

/** @returns what `work` returns, which gets `text` as SQLite wants it; it is freed afterwards. */
export function withText<T>(text: string, work: (pointer: number) => T): T {
  const pointer = wasm.allocCString(text, false);
  try {
    return work(pointer);
  } finally {
    wasm.dealloc(pointer);
  }
}

/** @returns how many bytes SQLite has in use, with the shared memory of open files. */
export function memoryInUse(): number {
  functions.sqlite3_status(capi.SQLITE_STATUS_MEMORY_USED, OUT, OUT + 8, 0);
  return peek32(OUT);
}
