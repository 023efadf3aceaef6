/** The shape of a row of the error table (error-table.ts). Knows no error. */

/** Who must act: the caller mends the request, waits, or the operator mends the installation. */
export type ErrorCategory =
  | 'invalid'
  | 'unauthorised'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'unavailable'
  | 'internal';

export interface ErrorEntry {
  readonly category: ErrorCategory;
  /** HTTP status of the answer (spec section 7). */
  readonly status: number;
  /** Process exit code (design.md 7): 1 unexpected, 2 invalid, 3 not found, 4 refused, 5 unreachable. */
  readonly exit: 1 | 2 | 3 | 4 | 5;
  readonly message: string;
  /** What to do next, in one sentence. Shown by the CLI, never by the HTTP API. */
  readonly hint: string;
}

export const entry = (
  category: ErrorCategory,
  status: number,
  exit: ErrorEntry['exit'],
  message: string,
  hint: string,
): ErrorEntry => ({ category, status, exit, message, hint });
