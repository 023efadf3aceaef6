/**
 * Migration 1: all tables. From 0.1.0 on it is never edited; what changes gets a number of its own.
 *
 * A table refers only to tables before it. Two are of PostgreSQL alone: rows that are locked for a name
 * (SQLite has one writer anyway), and windows that the daemons on one store keep together.
 */
import { money } from './0001-money.js';
import { notices } from './0001-notices.js';
import { phones } from './0001-phones.js';
import { refunds } from './0001-refunds.js';
import { shops } from './0001-shops.js';

export const firstTables = [
  ...shops,
  ...phones,
  ...money,
  ...refunds,
  ...notices,
  { postgres: 'CREATE TABLE lock_slots (slot INTEGER PRIMARY KEY)' },
  { postgres: 'INSERT INTO lock_slots (slot) SELECT generate_series(0, 32767)' },
  // Nothing of it matters after a minute, so a commit does not wait for the disk.
  {
    postgres: `CREATE UNLOGGED TABLE rate_windows (
    caller TEXT PRIMARY KEY,
    used BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  )`,
  },
  { postgres: 'CREATE INDEX rate_windows_by_end ON rate_windows (ends_at)' },
];
