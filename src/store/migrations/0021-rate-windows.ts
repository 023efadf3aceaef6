/**
 * Migration 21: what callers have used of a limit that several daemons keep together. Of PostgreSQL alone.
 * Nothing of it matters after a minute, so it is not written to the log: a commit does not wait for the disk.
 */
export const rateWindows = [
  {
    postgres: `CREATE UNLOGGED TABLE rate_windows (
      caller TEXT PRIMARY KEY,
      used BIGINT NOT NULL,
      ends_at BIGINT NOT NULL
    )`,
  },
  { postgres: 'CREATE INDEX rate_windows_by_end ON rate_windows (ends_at)' },
];
