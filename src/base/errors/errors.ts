/**
 * Error for every failure that a caller may get: a row of the table (error-table.ts), with a more precise
 * message where that helps. The CLI and the HTTP API take their output from it.
 */
import { ERRORS, type ErrorCategory, type ErrorCode, type ErrorEntry } from './error-table.js';

export { ERRORS, type ErrorCategory, type ErrorCode };

export interface ErrorDetails {
  /** Replaces the table's message. It must name no other person's data and no secret. */
  readonly message?: string;
  /** Replaces the table's hint. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Seconds after which trying again makes sense; becomes Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** An error of the table. `code` decides everything else; texts may be made more precise by the thrower. */
export class KashboxError extends Error {
  override readonly name = 'KashboxError';
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  readonly status: number;
  readonly exit: number;
  readonly hint: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const row: ErrorEntry = ERRORS[code];
    const frames = Error.stackTraceLimit;
    // No stack trace: refusals are frequent, and a trace costs as much as a query.
    if (row.status < 500) Error.stackTraceLimit = 0;
    super(details.message ?? row.message, details.cause === undefined ? {} : { cause: details.cause });
    Error.stackTraceLimit = frames;
    this.code = code;
    this.category = row.category;
    this.status = row.status;
    this.exit = row.exit;
    this.hint = details.hint ?? row.hint;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** True for an error of the table, and if `code` is given only for that one. */
export function isKashboxError(value: unknown, code?: ErrorCode): value is KashboxError {
  return value instanceof KashboxError && (code === undefined || value.code === code);
}
