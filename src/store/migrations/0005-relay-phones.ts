/** Migration 5: relay phones do more than bring SMS: they send some, run down, fall silent and miss some. */
export const relayPhones: readonly string[] = [
  // What speaks for the phone: the agent, the app "SMS Gateway for Android", a forwarder app or a script.
  "ALTER TABLE devices ADD COLUMN agent TEXT NOT NULL DEFAULT ''",
  // From when on the phone is to send its SMS again; null while nothing is missed.
  'ALTER TABLE devices ADD COLUMN resend_since BIGINT',
  // The phone's problem, as it reported it; null if there is none.
  'ALTER TABLE devices ADD COLUMN trouble TEXT',
  `CREATE TABLE dispatches (
      id TEXT PRIMARY KEY,
      device_id TEXT NOT NULL REFERENCES devices (id),
      merchant_id TEXT NOT NULL REFERENCES merchants (id),
      idempotency_key TEXT,
      number TEXT NOT NULL,
      message TEXT NOT NULL,
      encoding TEXT NOT NULL CHECK (encoding IN ('GSM-7', 'UCS-2')),
      parts INTEGER NOT NULL CHECK (parts > 0),
      sim_slot INTEGER,
      priority INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('QUEUED', 'LEASED', 'SENT', 'DELIVERED', 'FAILED', 'EXPIRED', 'UNKNOWN', 'CANCELLED')),
      part_states TEXT NOT NULL,
      receipts TEXT,
      error TEXT,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      leased_at BIGINT,
      leased_to TEXT,
      lease_ends_at BIGINT,
      sent_at BIGINT,
      delivered_at BIGINT,
      ended_at BIGINT,
      UNIQUE (device_id, idempotency_key)
    )`,
  `CREATE INDEX queued_dispatches ON dispatches (device_id, priority DESC, created_at, id)
      WHERE state = 'QUEUED'`,
  // Whether something new waits is asked of all phones at once, twice a second.
  "CREATE INDEX newest_dispatches ON dispatches (device_id, id) WHERE state = 'QUEUED'",
  'CREATE INDEX leased_dispatches ON dispatches (device_id, leased_at) WHERE leased_at IS NOT NULL',
  "CREATE INDEX held_dispatches ON dispatches (device_id) WHERE state = 'LEASED'",
  "CREATE INDEX waiting_dispatches ON dispatches (expires_at) WHERE state = 'QUEUED'",
  "CREATE INDEX silent_dispatches ON dispatches (lease_ends_at) WHERE state = 'LEASED'",
  'CREATE INDEX dispatches_by_time ON dispatches (created_at, id)',
  `CREATE TABLE alerts (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      merchant_id TEXT REFERENCES merchants (id),
      device_id TEXT REFERENCES devices (id),
      incident TEXT NOT NULL UNIQUE,
      detail TEXT NOT NULL,
      at BIGINT NOT NULL,
      ended_at BIGINT
    )`,
  'CREATE INDEX alerts_by_time ON alerts (at, id)',
  'CREATE INDEX open_alerts ON alerts (device_id, kind) WHERE ended_at IS NULL',
  'CREATE INDEX alerts_of_device ON alerts (device_id, kind, at)',
  `CREATE TABLE alert_targets (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('webhook', 'command', 'telegram')),
      secret TEXT NOT NULL,
      hint TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      removed_at BIGINT
    )`,
  'CREATE UNIQUE INDEX living_targets ON alert_targets (fingerprint) WHERE removed_at IS NULL',
  `CREATE TABLE alert_messages (
      id TEXT PRIMARY KEY,
      alert_id TEXT NOT NULL REFERENCES alerts (id),
      target_id TEXT NOT NULL REFERENCES alert_targets (id),
      state TEXT NOT NULL CHECK (state IN ('DUE', 'DELIVERED', 'DEAD')),
      tries INTEGER NOT NULL,
      next_at BIGINT,
      error TEXT,
      UNIQUE (alert_id, target_id)
    )`,
  "CREATE INDEX due_alert_messages ON alert_messages (target_id, next_at) WHERE state = 'DUE'",
  `CREATE TABLE sms_gaps (
      id TEXT PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES merchants (id),
      device_id TEXT REFERENCES devices (id),
      channel TEXT NOT NULL,
      recipient TEXT NOT NULL,
      sms_id TEXT NOT NULL UNIQUE,
      before_id TEXT NOT NULL,
      missing_paisa BIGINT NOT NULL,
      since BIGINT NOT NULL,
      found_at BIGINT NOT NULL,
      asked_at BIGINT,
      answered_at BIGINT,
      alert TEXT,
      look_at BIGINT,
      closed_at BIGINT,
      closed_by TEXT
    )`,
  'CREATE INDEX open_gaps ON sms_gaps (merchant_id, recipient, channel) WHERE closed_at IS NULL',
  'CREATE INDEX due_gaps ON sms_gaps (look_at) WHERE look_at IS NOT NULL',
  'CREATE INDEX asked_gaps ON sms_gaps (device_id, asked_at) WHERE asked_at IS NOT NULL',
  'CREATE INDEX gaps_by_time ON sms_gaps (found_at, id)',
  // How far the SMS have been looked at for gaps: one row.
  `CREATE TABLE gap_looks (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      stored_at BIGINT NOT NULL,
      sms_id TEXT NOT NULL
    )`,
  // The chain of balances of one wallet: what its texts say of their time, or else when they were received.
  `CREATE INDEX sms_chain ON sms (merchant_id, recipient, channel, at, received_at)
      WHERE channel IS NOT NULL`,
];
