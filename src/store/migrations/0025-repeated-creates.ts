/** Migration 25: keys under which a shop may repeat a create, and small letters for the status in v1. */
export const repeatedCreates: readonly string[] = [
  `ALTER TABLE brands ADD COLUMN status_as TEXT NOT NULL DEFAULT 'upper'
      CHECK (status_as IN ('upper', 'lower'))`,
  // `key_hash` is of brand and key; `answer` is JSON of what create has answered.
  `CREATE TABLE idempotency_keys (
    key_hash TEXT PRIMARY KEY,
    request_hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  'CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at)',
];
