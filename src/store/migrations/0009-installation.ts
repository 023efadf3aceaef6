/** Migration 9: what the store knows of the installation that it belongs to. */
export const installation: readonly string[] = [
  // One row a fact: which key its secrets are sealed under, when somebody tried whether it can be written.
  'CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
];
