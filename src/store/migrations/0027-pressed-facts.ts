/**
 * Migration 27: a button carries the version of the facts that its message showed, and may be pressed once
 * with each. Which buttons there are, the code says (domain/alerts/telegram).
 */
export const pressedFacts: readonly string[] = [
  // SQLite changes neither check nor key: the table is made again beside the old one.
  `CREATE TABLE pressed_buttons (
      message_id TEXT NOT NULL REFERENCES alert_messages (id),
      action TEXT NOT NULL,
      facts TEXT NOT NULL,
      at BIGINT NOT NULL,
      who TEXT NOT NULL,
      PRIMARY KEY (message_id, action, facts)
    )`,
  `INSERT INTO pressed_buttons (message_id, action, facts, at, who)
     SELECT message_id, action, '', at, who FROM button_presses`,
  'DROP TABLE button_presses',
  'ALTER TABLE pressed_buttons RENAME TO button_presses',
];
