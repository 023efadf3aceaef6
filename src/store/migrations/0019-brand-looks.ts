/** Migration 19: a brand has a website, a colour and a logo, by which its customers know it. */
export const brandLooks: readonly string[] = [
  // A domain in its ASCII form.
  'ALTER TABLE brands ADD COLUMN website TEXT',
  // `#rrggbb`
  'ALTER TABLE brands ADD COLUMN colour TEXT',
  // JSON object: what is said of the logo, without its content.
  'ALTER TABLE brands ADD COLUMN logo TEXT',
  // Base64, so that both engines hold it alike.
  `CREATE TABLE logos (
      brand_id TEXT PRIMARY KEY REFERENCES brands (id),
      file TEXT NOT NULL,
      content TEXT NOT NULL
    )`,
  'CREATE INDEX logos_by_file ON logos (file)',
];
