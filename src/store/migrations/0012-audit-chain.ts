/** Migration 12: the hash chain over credits and audit entries (domain/audit-chain). */
export const auditChain: readonly string[] = [
  // One row for each credit and each audit entry, written after it; a number more for each.
  `CREATE TABLE audit_chain (
      number INTEGER PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('credit', 'audit')),
      row_id TEXT NOT NULL,
      mark TEXT NOT NULL,
      hash TEXT NOT NULL,
      UNIQUE (kind, row_id)
    )`,
];
