/** Migration 9: what the store knows of the installation that it belongs to. */
import type { Migration } from './migration.js';

export const installation: Migration = {
  version: 9,
  name: 'installation',
  statements: [
    // One row a fact: which key its secrets are sealed under, when somebody tried whether it can be written.
    'CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  ],
};
