/** Migration 18: a brand says whether payers are sent their receipt by SMS, and in which language. */
export const receipts: readonly string[] = [
  `ALTER TABLE brands ADD COLUMN receipt_sms TEXT NOT NULL DEFAULT 'off'
     CHECK (receipt_sms IN ('off', 'bn', 'en'))`,
];
