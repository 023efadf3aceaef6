/** Migration 2: what a hosted payment needs beside a headless one, and slips of bank transfers. */
export const hostedCheckout: readonly string[] = [
  `ALTER TABLE brands ADD COLUMN dialect TEXT NOT NULL DEFAULT 'standard'
      CHECK (dialect IN ('standard', 'flat'))`,
  `ALTER TABLE brands ADD COLUMN metadata_as TEXT NOT NULL DEFAULT 'object'
      CHECK (metadata_as IN ('object', 'string'))`,
  `ALTER TABLE brands ADD COLUMN return_type TEXT NOT NULL DEFAULT 'GET'
      CHECK (return_type IN ('GET', 'POST'))`,
  "ALTER TABLE brands ADD COLUMN fees TEXT NOT NULL DEFAULT '{}'",
  // Another text with every change of the brand's accounts: a process may then remember what it has read.
  "ALTER TABLE brands ADD COLUMN accounts_stamp TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE accounts ADD COLUMN details TEXT NOT NULL DEFAULT '{}'",
  'ALTER TABLE sessions ADD COLUMN success_url TEXT',
  'ALTER TABLE sessions ADD COLUMN cancel_url TEXT',
  'ALTER TABLE sessions ADD COLUMN webhook_url TEXT',
  'ALTER TABLE sessions ADD COLUMN return_type TEXT',
  'ALTER TABLE sessions ADD COLUMN fees TEXT',
  'ALTER TABLE transactions ADD COLUMN fee_paisa BIGINT NOT NULL DEFAULT 0 CHECK (fee_paisa >= 0)',
  // Base64, so that both engines hold it alike; in the store, so that it is backed up and shared with it.
  `CREATE TABLE slips (
      review_id TEXT PRIMARY KEY REFERENCES reviews (id),
      media_type TEXT NOT NULL,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      sha256 TEXT NOT NULL,
      content TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
];
