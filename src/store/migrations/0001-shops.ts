/** Migration 1: merchants with their brands, keys and accounts. */
export const shops: readonly string[] = [
  `CREATE TABLE merchants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'SUSPENDED')),
    mobile TEXT NOT NULL,
    whatsapp TEXT NOT NULL,
    email TEXT NOT NULL,
    allow_ips TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  `CREATE TABLE brands (
    id TEXT PRIMARY KEY,
    merchant_id TEXT NOT NULL REFERENCES merchants (id),
    name TEXT NOT NULL UNIQUE,
    mobile TEXT NOT NULL,
    whatsapp TEXT NOT NULL,
    email TEXT NOT NULL,
    webhook_url TEXT,
    webhook_secret TEXT NOT NULL,
    session_minutes INTEGER NOT NULL CHECK (session_minutes > 0),
    proof_window_hours INTEGER NOT NULL CHECK (proof_window_hours > 0),
    created_at BIGINT NOT NULL,
    metadata_as TEXT NOT NULL DEFAULT 'object' CHECK (metadata_as IN ('object', 'string')),
    return_type TEXT NOT NULL DEFAULT 'GET' CHECK (return_type IN ('GET', 'POST')),
    fees TEXT NOT NULL DEFAULT '{}',
    accounts_stamp TEXT NOT NULL DEFAULT '',
    webhook_format TEXT NOT NULL DEFAULT 'json' CHECK (webhook_format IN ('json', 'form')),
    old_webhook_secret TEXT,
    old_webhook_secret_expires_at BIGINT,
    dialect TEXT NOT NULL DEFAULT 'standard' CHECK (dialect IN ('standard', 'strict', 'flat')),
    plugin TEXT,
    called_by TEXT NOT NULL DEFAULT '',
    test_of TEXT,
    receipt_sms TEXT NOT NULL DEFAULT 'off' CHECK (receipt_sms IN ('off', 'bn', 'en')),
    website TEXT,
    colour TEXT,
    logo TEXT,
    status_as TEXT NOT NULL DEFAULT 'upper' CHECK (status_as IN ('upper', 'lower'))
  )`,
  'CREATE INDEX brands_of_merchant ON brands (merchant_id)',
  'CREATE INDEX test_brands ON brands (test_of, id, merchant_id) WHERE test_of IS NOT NULL',
  `CREATE TABLE brand_keys (
    id TEXT PRIMARY KEY,
    brand_id TEXT NOT NULL REFERENCES brands (id),
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT
  )`,
  'CREATE INDEX keys_of_brand ON brand_keys (brand_id)',
  `CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    brand_id TEXT NOT NULL REFERENCES brands (id),
    channel TEXT NOT NULL,
    type TEXT NOT NULL,
    number TEXT NOT NULL,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    created_at BIGINT NOT NULL,
    disabled_at BIGINT,
    details TEXT NOT NULL DEFAULT '{}',
    secret TEXT
  )`,
  'CREATE UNIQUE INDEX one_active_account ON accounts (brand_id, channel, type) WHERE active = 1',
  'CREATE INDEX accounts_by_number ON accounts (number, channel)',
  'CREATE INDEX accounts_of_brand ON accounts (brand_id)',
  `CREATE TABLE logos (
    brand_id TEXT PRIMARY KEY REFERENCES brands (id),
    file TEXT NOT NULL,
    content TEXT NOT NULL
  )`,
  'CREATE INDEX logos_by_file ON logos (file)',
  `CREATE TABLE installation (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  )`,
];
