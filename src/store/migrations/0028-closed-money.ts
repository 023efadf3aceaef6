/**
 * Migration 28: money of an SMS that pays for nothing, such as one that was given back: why, and how it
 * counted before, for the case that it is opened again. Both are null while it is not closed.
 */
export const closedMoney: readonly string[] = [
  'ALTER TABLE proofs ADD COLUMN closed_note TEXT',
  "ALTER TABLE proofs ADD COLUMN closed_settle TEXT CHECK (closed_settle IN ('auto', 'review'))",
];
