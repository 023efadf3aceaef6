/** Migration 3: notifications of shops, their delivery attempts, and runs of jobs. */
export const notifications: readonly string[] = [
  `ALTER TABLE brands ADD COLUMN webhook_format TEXT NOT NULL DEFAULT 'json'
      CHECK (webhook_format IN ('json', 'form'))`,
  // The secret before the last rotation, which also signs notifications until it ends.
  'ALTER TABLE brands ADD COLUMN old_webhook_secret TEXT',
  'ALTER TABLE brands ADD COLUMN old_webhook_secret_dies_at BIGINT',
  `CREATE TABLE notifications (
      id TEXT PRIMARY KEY,
      brand_id TEXT NOT NULL REFERENCES brands (id),
      session_id TEXT REFERENCES sessions (id),
      event TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      url TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      lane TEXT NOT NULL,
      format TEXT NOT NULL,
      content TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('DUE', 'DELIVERED', 'DEAD')),
      tries INTEGER NOT NULL DEFAULT 0,
      next_at BIGINT NOT NULL,
      lease TEXT,
      created_at BIGINT NOT NULL,
      closed_at BIGINT,
      UNIQUE (session_id, sequence)
    )`,
  "CREATE INDEX due_notifications ON notifications (lane, next_at) WHERE state = 'DUE'",
  // Of payments only: a failed test needs no action.
  `CREATE INDEX dead_notifications ON notifications (closed_at)
      WHERE state = 'DEAD' AND event <> 'ping'`,
  'CREATE INDEX notifications_by_time ON notifications (created_at, id)',
  `CREATE TABLE attempts (
      id TEXT PRIMARY KEY,
      notification_id TEXT NOT NULL REFERENCES notifications (id),
      at BIGINT NOT NULL,
      ms INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      status INTEGER,
      detail TEXT NOT NULL,
      answer TEXT,
      asked_by TEXT NOT NULL
    )`,
  'CREATE INDEX attempts_of_notification ON attempts (notification_id, at, id)',
  `CREATE TABLE job_runs (
      name TEXT PRIMARY KEY,
      runs INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      last_at BIGINT NOT NULL,
      last_ms INTEGER NOT NULL,
      last_done INTEGER,
      last_error TEXT
    )`,
  // The state that was last noted of a phone, so that one of several daemons reports a change.
  "ALTER TABLE devices ADD COLUMN watched_state TEXT NOT NULL DEFAULT ''",
];
