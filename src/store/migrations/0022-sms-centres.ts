/** Migration 22: what a GSM modem tells of an SMS and of itself, and over which centres wallets write. */
export const smsCentres: readonly string[] = [
  // Number of the SMS centre that delivered it, and the type of its sender's address; null where not told.
  'ALTER TABLE sms ADD COLUMN smsc TEXT',
  'ALTER TABLE sms ADD COLUMN sender_type TEXT',
  // JSON list of what the modems of a relay say of themselves; null where it has none.
  'ALTER TABLE devices ADD COLUMN modems TEXT',
  `CREATE TABLE sms_centres (
    merchant_id TEXT NOT NULL,
    sim TEXT NOT NULL,
    channel TEXT NOT NULL,
    route TEXT NOT NULL,
    seen INTEGER NOT NULL,
    first_at BIGINT NOT NULL,
    PRIMARY KEY (merchant_id, sim, channel, route)
  )`,
];
