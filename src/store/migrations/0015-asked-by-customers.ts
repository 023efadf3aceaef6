/** Migration 15: a customer asks the seller to look, and may say why. */
export const askedByCustomers: readonly string[] = [
  // Null where the customer wrote nothing.
  'ALTER TABLE reviews ADD COLUMN customer_note TEXT',
];
