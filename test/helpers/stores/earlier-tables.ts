/** Takes tables back to what they were in earlier versions, which no program can. */

/** As it was before money of an SMS could be closed. */
const WITHOUT_CLOSED: readonly string[] = ['closed_note', 'closed_settle'].map(
  (column) => `ALTER TABLE proofs DROP COLUMN ${column}`,
);

/** As it was before refusals of what a phone hands over were counted. */
const WITHOUT_REFUSALS: readonly string[] = [
  ...WITHOUT_CLOSED,
  ...['refused', 'refused_since', 'refused_at'].map((column) => `ALTER TABLE devices DROP COLUMN ${column}`),
];

/** As it was before shops could repeat a create. */
const WITHOUT_REPEATS: readonly string[] = [
  ...WITHOUT_REFUSALS,
  'DROP TABLE idempotency_keys',
  'ALTER TABLE brands DROP COLUMN status_as',
];

/** As it was before strangers had a budget. */
const WITHOUT_STRANGERS: readonly string[] = [
  ...WITHOUT_REPEATS,
  'DROP TABLE stranger_uses',
  'ALTER TABLE claims DROP COLUMN address_mark',
  'DROP INDEX due_alert_messages',
  "CREATE INDEX due_alert_messages ON alert_messages (target_id, next_at) WHERE state = 'DUE'",
  ...['urgent', 'held_for'].map((column) => `ALTER TABLE alert_messages DROP COLUMN ${column}`),
  'DROP INDEX alerts_by_kind',
  'ALTER TABLE alert_targets DROP COLUMN paused_until',
  'DROP INDEX link_payments_by_end',
  'ALTER TABLE link_payments DROP COLUMN expires_at',
];

/** As it was before clocks of phones were measured. */
const WITHOUT_CLOCKS: readonly string[] = [
  ...WITHOUT_STRANGERS,
  ...['clock_offset_ms', 'clock_since'].map((column) => `ALTER TABLE devices DROP COLUMN ${column}`),
];

/** As it was before GSM modems told anything. */
const WITHOUT_MODEMS: readonly string[] = [
  ...WITHOUT_CLOCKS,
  'DROP TABLE sms_centres',
  ...['smsc', 'sender_type'].map((column) => `ALTER TABLE sms DROP COLUMN ${column}`),
  'ALTER TABLE devices DROP COLUMN modems',
];

/** As it was before brands had a look of their own. */
const WITHOUT_LOOKS: readonly string[] = [
  ...WITHOUT_MODEMS,
  'DROP TABLE logos',
  ...['website', 'colour', 'logo'].map((column) => `ALTER TABLE brands DROP COLUMN ${column}`),
];

/** As it was before receipts were sent. */
const WITHOUT_RECEIPTS: readonly string[] = [...WITHOUT_LOOKS, 'ALTER TABLE brands DROP COLUMN receipt_sms'];

/** As it was before there were payment links. */
const WITHOUT_LINKS: readonly string[] = [
  ...WITHOUT_RECEIPTS,
  'DROP TABLE link_payments',
  'DROP TABLE payment_links',
];

/** As it was before brands could be for tests. */
const WITHOUT_TESTS: readonly string[] = [
  ...WITHOUT_LINKS,
  'DROP INDEX test_brands',
  'ALTER TABLE brands DROP COLUMN test_of',
];

/** As it was before customers wrote to sellers. */
const WITHOUT_NOTES: readonly string[] = [...WITHOUT_TESTS, 'ALTER TABLE reviews DROP COLUMN customer_note'];

/** As it was before payments had a reference of their own. */
const WITHOUT_REFERENCES: readonly string[] = [
  ...WITHOUT_NOTES,
  'DROP INDEX sessions_by_payment_reference',
  'ALTER TABLE sessions DROP COLUMN payment_reference',
  'ALTER TABLE proofs DROP COLUMN named',
];

/** As it was before targets of alerts chose what they want. */
export const WITHOUT_CHOICES: readonly string[] = [
  'DROP TABLE IF EXISTS rate_windows',
  'DROP TABLE IF EXISTS lock_slots',
  ...WITHOUT_REFERENCES,
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
