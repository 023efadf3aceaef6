/**
 * Migration 24: what strangers have used of their budget on a day, from where a claim was made, which
 * payments of links nobody has touched; and alerts that come through where many wait.
 */
export const strangers: readonly string[] = [
  `CREATE TABLE stranger_uses (
    name TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    used INTEGER NOT NULL
  )`,
  'CREATE INDEX stranger_uses_by_day ON stranger_uses (day)',
  // A mark of the client's address, which tells nothing of it; null where a shop's server claimed.
  'ALTER TABLE claims ADD COLUMN address_mark TEXT',
  // 1: told before those that are 0.
  'ALTER TABLE alert_messages ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0',
  // Why a message is held: `quiet` hours, or `many` of its kind; null where it is not.
  'ALTER TABLE alert_messages ADD COLUMN held_for TEXT',
  "UPDATE alert_messages SET held_for = 'quiet' WHERE state = 'HELD'",
  'DROP INDEX due_alert_messages',
  "CREATE INDEX due_alert_messages ON alert_messages (target_id, urgent, next_at) WHERE state = 'DUE'",
  'CREATE INDEX alerts_by_kind ON alerts (kind, at)',
  // Until then it has asked to be left alone; null where it has not.
  'ALTER TABLE alert_targets ADD COLUMN paused_until BIGINT',
  // When the payment expires, so that old ones are found; null of those that are not to be forgotten.
  'ALTER TABLE link_payments ADD COLUMN expires_at BIGINT',
  `UPDATE link_payments SET expires_at =
    (SELECT s.expires_at FROM sessions s WHERE s.id = link_payments.session_id)`,
  'CREATE INDEX link_payments_by_end ON link_payments (expires_at) WHERE expires_at IS NOT NULL',
];
