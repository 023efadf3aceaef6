/** Migration 8: which program of other people a brand's shop runs, and how that wants to be answered. */
export const shopPrograms: readonly string[] = [
  // A third dialect. SQLite cannot change a column's check, so another column takes its place and name.
  `ALTER TABLE brands ADD COLUMN answers TEXT NOT NULL DEFAULT 'standard'
      CHECK (answers IN ('standard', 'strict', 'flat'))`,
  'UPDATE brands SET answers = dialect',
  'ALTER TABLE brands DROP COLUMN dialect',
  'ALTER TABLE brands RENAME COLUMN answers TO dialect',
  // A name of the table in src/domain/plugins/plugins.ts; null where none was given.
  'ALTER TABLE brands ADD COLUMN plugin TEXT',
  // By what the requests of such programs have been recognised; a word each, with spaces between them.
  "ALTER TABLE brands ADD COLUMN called_by TEXT NOT NULL DEFAULT ''",
];
