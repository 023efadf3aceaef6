/** Migration 14: a payment has a short reference for the reference field of a wallet. */
export const paymentReferences: readonly string[] = [
  // Null of payments that were opened before.
  'ALTER TABLE sessions ADD COLUMN payment_reference TEXT',
  'CREATE INDEX sessions_by_payment_reference ON sessions (payment_reference)',
  // Words of that shape that stand in the SMS, with spaces between; null where it has none.
  'ALTER TABLE proofs ADD COLUMN named TEXT',
];
