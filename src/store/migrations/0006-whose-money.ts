/**
 * Migration 6: what one merchant's phone or account says decides nothing for another; money that goes back.
 */

/**
 * A bank's reference without what people leave out or mistake (domain/matching/reference, `foldedReference`).
 */
const FOLDED = [' ', '.', '_', '/', '#', ':', '&', '(', ')', '-'].reduce(
  (sql, sign) => `replace(${sql}, '${sign}', '')`,
  "replace(replace(reference, 'O', '0'), 'I', '1')",
);

export const whoseMoney: readonly string[] = [
  // Money of a wallet is spent by channel, receiving number and id.
  `UPDATE transactions SET scope = coalesce(
      (SELECT p.recipient FROM proofs AS p WHERE p.id = transactions.proof_id), '')
      WHERE channel IN ('mfs_a', 'mfs_b', 'mfs_c', 'mfs_d')`,
  // Amounts on a chain are held per merchant and address: an address is public, anybody can name it.
  "ALTER TABLE quotes ADD COLUMN merchant_id TEXT NOT NULL DEFAULT ''",
  `UPDATE quotes SET merchant_id = (
      SELECT b.merchant_id FROM sessions AS s JOIN brands AS b ON b.id = s.brand_id
      WHERE s.id = quotes.session_id)`,
  'DROP INDEX held_amounts',
  `CREATE UNIQUE INDEX held_amounts ON quotes (merchant_id, receiver, amount)
      WHERE held_until IS NOT NULL`,
  // The SMS or push that says otherwise of this money.
  'ALTER TABLE proofs ADD COLUMN disputed_by TEXT',
  // Texts that may say so, by the id that they name; most SMS are in no such index.
  `CREATE INDEX contrary_sms ON sms (merchant_id, trx_id)
      WHERE settle = 'never' AND trx_id IS NOT NULL`,
  // Of a bank transfer its reference folded, so that near spellings of it are found.
  'ALTER TABLE transactions ADD COLUMN folded TEXT',
  `UPDATE transactions SET folded = ${FOLDED} WHERE channel = 'bank'`,
  'CREATE INDEX folded_references ON transactions (folded) WHERE folded IS NOT NULL',
  'CREATE INDEX accounts_of_brand ON accounts (brand_id)',
];
