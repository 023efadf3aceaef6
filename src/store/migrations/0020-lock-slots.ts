/**
 * Migration 20: rows that are locked for a name, so that nothing wider has to be. Of PostgreSQL alone: SQLite
 * has one writer anyway.
 */
import { SLOTS } from '../lock-slots.js';

export const lockSlots = [
  { postgres: 'CREATE TABLE lock_slots (slot INTEGER PRIMARY KEY)' },
  { postgres: `INSERT INTO lock_slots (slot) SELECT generate_series(0, ${SLOTS - 1})` },
];
