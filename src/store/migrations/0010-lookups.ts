/** Migration 10: what operators ask for by name, whatever became of it. */
export const lookups: readonly string[] = [
  // Only waiting claims had one. A claim keeps its reference, so the index costs its writing once.
  'CREATE INDEX claims_by_reference ON claims (reference)',
];
