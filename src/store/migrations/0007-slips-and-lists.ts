/** Migration 7: slips have a day's room for each brand and go after the decision; reviews stand by time. */
export const slipsAndLists: readonly string[] = [
  // What became of the slip that a customer gave; null where there was none.
  "ALTER TABLE reviews ADD COLUMN slip TEXT CHECK (slip IN ('kept', 'no_room', 'forgotten'))",
  "UPDATE reviews SET slip = 'kept' WHERE id IN (SELECT review_id FROM slips)",
  "CREATE INDEX kept_slips ON reviews (decided_at) WHERE slip = 'kept'",
  'CREATE INDEX reviews_by_time ON reviews (created_at, id)',
  // The last day on which a brand was given slips, and how many bytes of them were kept on it.
  `CREATE TABLE slip_days (
      brand_id TEXT PRIMARY KEY REFERENCES brands (id),
      day TEXT NOT NULL,
      bytes BIGINT NOT NULL CHECK (bytes >= 0)
    )`,
];
