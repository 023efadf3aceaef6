/** The many names under which clients send the proof of a payment. */

/** `transaction_id` and its aliases in the order of spec 4.5. */
export const VERIFY_REFERENCE_FIELDS = [
  'transaction_id',
  'order_id',
  'order',
  'trx_id',
  'transactionId',
  'tx_hash',
  'txhash',
  'hash',
  'number',
  'mobile',
  'trx',
  'mobile_number',
] as const;

/** The same of v1, in the order of spec 4.3. */
export const HOSTED_REFERENCE_FIELDS = [
  'transaction_id',
  'transactionId',
  'transactionid',
  'trx_id',
  'trx',
  'transaction',
] as const;
