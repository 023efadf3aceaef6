/** Turns what the database drivers throw into errors of the table; driver errors stop here. */
import { type ErrorCode, type ErrorDetails, isKashboxError, KashboxError } from '../base/errors/errors.js';

/** Thrown if the database transaction must be retried: the engine requires it, or its data changed. */
export class RetryableConflict extends Error {
  override readonly name = 'RetryableConflict';
}

function driverCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Keys are the last eight bits of a code of https://sqlite.org/rescode.html, or some complete codes. */
const SQLITE_CODES: Readonly<Record<number, ErrorCode>> = {
  3: 'store_unreachable', // SQLITE_PERM
  5: 'store_busy', // SQLITE_BUSY
  6: 'store_busy', // SQLITE_LOCKED
  8: 'store_read_only', // SQLITE_READONLY
  10: 'store_damaged', // SQLITE_IOERR
  11: 'store_damaged', // SQLITE_CORRUPT
  13: 'store_full', // SQLITE_FULL
  14: 'store_unreachable', // SQLITE_CANTOPEN
  23: 'store_unreachable', // SQLITE_AUTH
  26: 'store_damaged', // SQLITE_NOTADB
  1555: 'already_exists', // SQLITE_CONSTRAINT_PRIMARYKEY
  2067: 'already_exists', // SQLITE_CONSTRAINT_UNIQUE
  4874: 'store_full', // SQLITE_IOERR_SHMSIZE: no room for the index of the log
};

/**
 * Locks that the system refuses, as on a network folder without a lock service: SQLITE_PROTOCOL, _NOLFS,
 * _IOERR_UNLOCK, _RDLOCK, _BLOCKED, _CHECKRESERVEDLOCK, _LOCK and _SHMLOCK.
 */
const LOCKS_FAIL = new Set([15, 22, 2058, 2314, 2826, 3594, 3850, 5130]);

/** @returns the extended result code of an error of SQLite; 0 for any other. */
function sqliteCode(error: unknown): number {
  const isSqlite = error instanceof Error && driverCode(error) === 'ERR_SQLITE_ERROR' && 'errcode' in error;
  return isSqlite ? Number(error.errcode) : 0;
}

/** @param error of SQLite, before it has a name. */
export function isLockFailure(error: unknown): boolean {
  return LOCKS_FAIL.has(sqliteCode(error));
}

const DISK_CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(ENOSPC|EDQUOT)$/, 'store_full'],
  [/^(EACCES|EPERM|EROFS)$/, 'store_read_only'],
  [/^E/, 'store_damaged'],
];

const POSTGRES_CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^23505$/, 'already_exists'],
  [/^53100$/, 'store_full'],
  [/^(XX001|XX002|58030)$/, 'store_damaged'],
  // 57014: a statement that waited for a lock longer than our own limit.
  [/^(55P03|53300|57014)$/, 'store_busy'],
  [/^25006$/, 'store_read_only'],
  [/^(08...|57P0.|28...|3D000|3F000|42501)$/, 'store_unreachable'],
  [/^E(CONN|NOTFOUND|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN)/, 'store_unreachable'],
];

/** Messages of pg for a lost connection that has no code. */
const POSTGRES_GONE =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|read timeout/;

/** Remedies by error code, for a server that refused. A hint is shown to operators, never over HTTP. */
const POSTGRES_REMEDIES: readonly (readonly [RegExp, ErrorDetails])[] = [
  [
    /^(42501|3F000)$/,
    {
      message: 'The user of KASHBOX_DATABASE_URL has no permission for the Kashbox tables',
      hint: 'Make that user the owner of the tables, or grant the missing rights, such as: GRANT ALL ON SCHEMA public TO kashbox; GRANT ALL ON ALL TABLES IN SCHEMA public TO kashbox.',
    },
  ],
  [
    /^08P01$/,
    {
      message: 'The server of KASHBOX_DATABASE_URL refuses the connection parameters of Kashbox',
      hint: 'If it is a PgBouncer, set ignore_startup_parameters = statement_timeout in its configuration.',
    },
  ],
  [/^28|^3D000$/, { hint: 'Check user, password and database in KASHBOX_DATABASE_URL.' }],
  [/^53300$/, { hint: 'Raise the limit of connections: each daemon uses up to 11.' }],
];

/** @returns texts with the words of the server; nothing where no server spoke. They name no password. */
function postgresDetails(error: unknown): ErrorDetails {
  if (!(error instanceof Error) || !('severity' in error)) return {};
  const code = driverCode(error);
  const remedy = POSTGRES_REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
  return remedy === undefined ? {} : { ...remedy, hint: `PostgreSQL says: ${error.message}. ${remedy.hint}` };
}

function named(
  error: unknown,
  codes: readonly (readonly [RegExp, ErrorCode])[],
  details: ErrorDetails = {},
): unknown {
  if (isKashboxError(error) || error instanceof RetryableConflict) return error;
  const code = driverCode(error);
  const row = codes.find(([pattern]) => pattern.test(code));
  return row === undefined ? error : new KashboxError(row[1], { ...details, cause: error });
}

/**
 * @returns the KashboxError for an error of SQLite, or the error itself if it is not from the driver. With a
 * single writer nothing changes during a database transaction, so that a retry would fail again.
 */
export function nameSqliteError(error: unknown): unknown {
  if (error instanceof RetryableConflict) return new KashboxError('store_busy', { cause: error });
  const code = sqliteCode(error);
  if (isLockFailure(error)) {
    return new KashboxError('store_unreachable', {
      message: 'The operating system refuses to lock the files of the store',
      hint: 'Keep the store on a local disk, not on a network folder.',
      cause: error,
    });
  }
  const known = SQLITE_CODES[code] ?? SQLITE_CODES[code & 0xff];
  return known === undefined ? error : new KashboxError(known, { cause: error });
}

/** @returns the error of the table for one of the system, met at a file of the store */
export function nameDiskError(error: unknown): unknown {
  return named(error, DISK_CODES);
}

/** Names an error of pg, as `nameSqliteError` does for SQLite. 40001 and 40P01 become RetryableConflict. */
export function namePostgresError(error: unknown): unknown {
  const code = driverCode(error);
  if (code === '40001' || code === '40P01') return new RetryableConflict(code, { cause: error });
  if (code === '' && error instanceof Error && POSTGRES_GONE.test(error.message)) {
    return new KashboxError('store_unreachable', { cause: error });
  }
  return named(error, POSTGRES_CODES, postgresDetails(error));
}
