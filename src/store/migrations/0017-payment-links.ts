/** Migration 17: payment links, and which payments were opened by them. */
export const paymentLinks: readonly string[] = [
  // A fixed amount is one whose least and most are the same.
  `CREATE TABLE payment_links (
      id TEXT PRIMARY KEY,
      brand_id TEXT NOT NULL REFERENCES brands (id),
      title TEXT NOT NULL,
      min_paisa BIGINT NOT NULL CHECK (min_paisa > 0),
      max_paisa BIGINT NOT NULL CHECK (max_paisa >= min_paisa),
      fields TEXT NOT NULL,
      ends_at BIGINT,
      max_payments INTEGER CHECK (max_payments > 0),
      created_at BIGINT NOT NULL,
      disabled_at BIGINT
    )`,
  'CREATE INDEX payment_links_by_time ON payment_links (created_at, id)',
  // `opener` is a mark of browser and entries: who presses twice comes to one payment.
  `CREATE TABLE link_payments (
      session_id TEXT PRIMARY KEY REFERENCES sessions (id),
      link_id TEXT NOT NULL REFERENCES payment_links (id),
      opener TEXT NOT NULL
    )`,
  'CREATE INDEX link_payments_by_opener ON link_payments (link_id, opener)',
];
