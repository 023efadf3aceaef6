/** A span of time for which rows are counted or added up. */

/** Milliseconds since the epoch; the end is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** PostgreSQL gives counts and sums as text. */
export type Count = number | string;
