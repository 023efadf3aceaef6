/** The tables of payment links. */

export interface PaymentLinkTable {
  id: string;
  brand_id: string;
  /** What is paid for; empty where the seller said nothing. */
  title: string;
  /** Both are the same where the amount is fixed; else the customer chooses between them. */
  min_paisa: number;
  max_paisa: number;
  /** JSON list of the seller's own fields (domain/links/link). */
  fields: string;
  /** From this time on it opens no payment; null where it has no end. */
  ends_at: number | null;
  /** How often it can be paid; null for any number of times. */
  max_payments: number | null;
  created_at: number;
  disabled_at: number | null;
}

/** Which link has opened a payment. */
export interface LinkPaymentTable {
  session_id: string;
  link_id: string;
  /** Of which browser, with which entries (domain/links/link, `openerMark`). */
  opener: string;
  /** When the payment expires; null of one that is not to be forgotten. */
  expires_at: number | null;
}

export interface LinkTables {
  payment_links: PaymentLinkTable;
  link_payments: LinkPaymentTable;
}
