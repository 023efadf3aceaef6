/** Migration 16: a brand may be one for tests, whose payments are played and count as no money. */
export const testBrands: readonly string[] = [
  // The merchant whose brand it is. Its own `merchant_id` is then a merchant that is made for it alone, so
  // that no SMS, proof or claim of the one is ever looked up for the other. Null of all other brands.
  'ALTER TABLE brands ADD COLUMN test_of TEXT',
  'CREATE INDEX test_brands ON brands (test_of, id, merchant_id) WHERE test_of IS NOT NULL',
];
