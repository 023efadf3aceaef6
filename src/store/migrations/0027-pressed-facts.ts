/**
 * Migration 27: a button carries the version of the facts that its message showed, and may be pressed once
 * with each. Which buttons there are, the code says (domain/alerts/telegram).
 */
export const pressedFacts: readonly string[] = [
  // SQLite changes neither check nor key: the table is made again. What was pressed carried no version.
  'DROP TABLE button_presses',
  `CREATE TABLE button_presses (
      message_id TEXT NOT NULL REFERENCES alert_messages (id),
      action TEXT NOT NULL,
      facts TEXT NOT NULL,
      at BIGINT NOT NULL,
      who TEXT NOT NULL,
      PRIMARY KEY (message_id, action, facts)
    )`,
];
