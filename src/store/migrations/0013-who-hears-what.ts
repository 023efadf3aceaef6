/**
 * Migration 13: each target of alerts says what it wants and when; alerts can wait for the end of quiet
 * hours; a bot's presses are read by one daemon at a time; and since when a source has failed is known.
 */
export const whoHearsWhat: readonly string[] = [
  // SQLite changes no check, so the columns with one are made again beside the old ones.
  `ALTER TABLE alert_targets ADD COLUMN sort TEXT NOT NULL DEFAULT 'webhook'
     CHECK (sort IN ('webhook', 'command', 'telegram', 'email'))`,
  'UPDATE alert_targets SET sort = kind',
  'ALTER TABLE alert_targets DROP COLUMN kind',
  'ALTER TABLE alert_targets RENAME COLUMN sort TO kind',
  // Targets from before go on to be told what there was then, and nothing else.
  `ALTER TABLE alert_targets ADD COLUMN events TEXT NOT NULL DEFAULT
     'devices payment.guessing payment.disputed payment.other_merchant slips.full'`,
  // Follows from events; asked with every payment.
  'ALTER TABLE alert_targets ADD COLUMN tells_payments INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX payment_targets ON alert_targets (tells_payments) WHERE removed_at IS NULL',
  // Minutes since midnight in Bangladesh.
  'ALTER TABLE alert_targets ADD COLUMN quiet_from INTEGER',
  'ALTER TABLE alert_targets ADD COLUMN quiet_until INTEGER',
  'ALTER TABLE alert_targets ADD COLUMN quiet_all INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE alert_targets ADD COLUMN daily_at INTEGER',
  // Milliseconds since the epoch: when the next summary of a day is due.
  'ALTER TABLE alert_targets ADD COLUMN daily_due BIGINT',
  'ALTER TABLE alert_targets ADD COLUMN buttons INTEGER NOT NULL DEFAULT 0',
  // User ids with spaces between; empty for every member of the chat.
  "ALTER TABLE alert_targets ADD COLUMN approvers TEXT NOT NULL DEFAULT ''",
  'DROP INDEX due_alert_messages',
  `ALTER TABLE alert_messages ADD COLUMN stage TEXT NOT NULL DEFAULT 'DUE'
     CHECK (stage IN ('DUE', 'HELD', 'SUMMED', 'DELIVERED', 'DEAD'))`,
  'UPDATE alert_messages SET stage = state',
  'ALTER TABLE alert_messages DROP COLUMN state',
  'ALTER TABLE alert_messages RENAME COLUMN stage TO state',
  "CREATE INDEX due_alert_messages ON alert_messages (target_id, next_at) WHERE state = 'DUE'",
  "CREATE INDEX held_alert_messages ON alert_messages (target_id, next_at) WHERE state = 'HELD'",
  "CREATE INDEX dead_alert_messages ON alert_messages (target_id, alert_id) WHERE state = 'DEAD'",
  'CREATE INDEX open_alerts_by_time ON alerts (at, id) WHERE ended_at IS NULL',
  'CREATE INDEX open_alerts_by_kind ON alerts (kind) WHERE ended_at IS NULL',
  "CREATE INDEX payment_alerts ON alerts (at, id) WHERE kind = 'payment.completed'",
  // The dashboard shows the last of these, however many payments there are.
  "CREATE INDEX alerts_but_payments ON alerts (at, id) WHERE kind <> 'payment.completed'",
  'ALTER TABLE source_health ADD COLUMN failing_since BIGINT',
  `CREATE TABLE bot_polls (
      bot TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      until BIGINT NOT NULL,
      next_update BIGINT NOT NULL
    )`,
  `CREATE TABLE button_presses (
      message_id TEXT NOT NULL REFERENCES alert_messages (id),
      action TEXT NOT NULL CHECK (action IN ('approve', 'reject')),
      at BIGINT NOT NULL,
      who TEXT NOT NULL,
      PRIMARY KEY (message_id, action)
    )`,
];
