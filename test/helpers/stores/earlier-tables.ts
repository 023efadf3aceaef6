/** Takes tables back to what they were in earlier versions, which no program can. */

/** As it was before targets of alerts chose what they want. */
export const WITHOUT_CHOICES: readonly string[] = [
  'DROP TABLE button_presses',
  'DROP TABLE bot_polls',
  'ALTER TABLE source_health DROP COLUMN failing_since',
  'DROP INDEX payment_targets',
  'DROP INDEX payment_alerts',
  'DROP INDEX alerts_but_payments',
  'DROP INDEX open_alerts_by_kind',
  'DROP INDEX open_alerts_by_time',
  'DROP INDEX dead_alert_messages',
  'DROP INDEX held_alert_messages',
  ...['events', 'tells_payments', 'quiet_from', 'quiet_until', 'quiet_all', 'daily_at', 'daily_due'].map(
    (column) => `ALTER TABLE alert_targets DROP COLUMN ${column}`,
  ),
  'ALTER TABLE alert_targets DROP COLUMN buttons',
  'ALTER TABLE alert_targets DROP COLUMN approvers',
];
