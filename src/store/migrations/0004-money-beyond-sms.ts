/** Migration 4: money that no SMS reports: USDT on chains and exchanges, and pushes of banks. */
export const moneyBeyondSms: readonly string[] = [
  // Sealed credentials of an exchange.
  'ALTER TABLE accounts ADD COLUMN secret TEXT',
  `CREATE TABLE rates (
      scope TEXT PRIMARY KEY,
      rate BIGINT NOT NULL CHECK (rate > 0),
      set_at BIGINT NOT NULL,
      set_by TEXT NOT NULL
    )`,
  `CREATE TABLE quotes (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      channel TEXT NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      receiver TEXT NOT NULL,
      rate BIGINT NOT NULL CHECK (rate > 0),
      amount BIGINT NOT NULL CHECK (amount > 0),
      held_until BIGINT,
      PRIMARY KEY (session_id, channel, account_id)
    )`,
  // While an amount is held it is one session's alone on that receiver.
  'CREATE UNIQUE INDEX held_amounts ON quotes (receiver, amount) WHERE held_until IS NOT NULL',
  'CREATE INDEX held_quotes ON quotes (held_until) WHERE held_until IS NOT NULL',
  // Every id under which what was seen outside is known, once it is credited: none of them pays again.
  `CREATE TABLE credited_names (
      channel TEXT NOT NULL,
      name TEXT NOT NULL,
      scope TEXT NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      brand_id TEXT NOT NULL REFERENCES brands (id),
      PRIMARY KEY (channel, name, scope)
    )`,
  `CREATE TABLE codes (
      token TEXT PRIMARY KEY,
      session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id),
      payload TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
  `CREATE TABLE nodes (
      id TEXT PRIMARY KEY,
      chain_id BIGINT NOT NULL,
      origin TEXT NOT NULL,
      url TEXT NOT NULL,
      url_hash TEXT NOT NULL,
      priority INTEGER NOT NULL,
      batches INTEGER NOT NULL CHECK (batches IN (0, 1)),
      created_at BIGINT NOT NULL,
      UNIQUE (chain_id, url_hash)
    )`,
  `CREATE TABLE source_health (
      source_id TEXT PRIMARY KEY,
      calls BIGINT NOT NULL,
      failures TEXT NOT NULL,
      last_ok_at BIGINT,
      last_failure_at BIGINT,
      last_failure_kind TEXT,
      last_failure_detail TEXT
    )`,
  `CREATE TABLE acquirers (
      id TEXT PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES merchants (id),
      name TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      key_hint TEXT NOT NULL,
      secret TEXT NOT NULL,
      auth TEXT NOT NULL CHECK (auth IN ('hmac', 'basic', 'ip')),
      rules TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT,
      UNIQUE (merchant_id, name)
    )`,
  `CREATE TABLE pushes (
      id TEXT PRIMARY KEY,
      acquirer_id TEXT NOT NULL REFERENCES acquirers (id),
      merchant_id TEXT NOT NULL REFERENCES merchants (id),
      reference TEXT,
      dedupe_key TEXT NOT NULL,
      content_type TEXT NOT NULL,
      body TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('SETTLED', 'UNSETTLED', 'UNREAD')),
      fault TEXT,
      amount_paisa BIGINT,
      payer TEXT,
      merchant_code TEXT,
      bill TEXT,
      paid_at BIGINT,
      status TEXT,
      received_at BIGINT NOT NULL,
      UNIQUE (acquirer_id, reference),
      UNIQUE (acquirer_id, dedupe_key)
    )`,
  'CREATE INDEX pushes_by_time ON pushes (received_at, id)',
  // A reference is unique within its chain, exchange or acquirer: two banks may count alike.
  "ALTER TABLE proofs ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
  'CREATE UNIQUE INDEX one_proof ON proofs (merchant_id, channel, reference, scope)',
  "ALTER TABLE transactions ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
  'CREATE UNIQUE INDEX one_credit ON transactions (channel, reference, scope)',
  "ALTER TABLE proofs ADD COLUMN aliases TEXT NOT NULL DEFAULT '[]'",
  'ALTER TABLE proofs ADD COLUMN units TEXT',
  'ALTER TABLE proofs ADD COLUMN evidence TEXT',
  // By kind and not by channel: beside a condition on the channel of a value SQLite would compile every
  // look-up of a proof again, to see whether this index may serve.
  "CREATE INDEX pushed_amounts ON proofs (merchant_id, amount_paisa, at) WHERE kind = 'bank_push'",
  // Of a claim whose proof must be asked for outside: when it is asked again, and what is known so far.
  'ALTER TABLE claims ADD COLUMN next_at BIGINT',
  'ALTER TABLE claims ADD COLUMN tries INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE claims ADD COLUMN block BIGINT',
  "CREATE INDEX due_claims ON claims (next_at) WHERE state = 'WAITING' AND next_at IS NOT NULL",
  // Of a claim by a payer's number, which names no push: what is due, by which a push finds it.
  'ALTER TABLE claims ADD COLUMN due_paisa BIGINT',
  `CREATE INDEX claimed_numbers ON claims (merchant_id, due_paisa, state, created_at)
      WHERE due_paisa IS NOT NULL`,
];
