/**
 * Sources: senders of SMS, other than wallets, that the operator named in a file of the folder
 * `formats`, such as a bank or the app of an acquirer. Their money is at most weak evidence (docs/adr/0054).
 */
import type { SourceChannel } from '../accounts/channels.js';
import type { Format, SmsKind } from '../wallets/format.js';

export interface TextSource {
  /** Small letters, digits and hyphens; also the name of its file. */
  readonly name: string;
  readonly title: string;
  /** Complete senders as phones show them; compared without case. */
  readonly senders: readonly string[];
  /** Accounts of the shop to which its money comes. */
  readonly channel: SourceChannel;
  /** Number of the account; null if the shop has only one on that channel. */
  readonly account: string | null;
}

/** A source that comes with Kashbox; nothing of it is active before the operator writes its file. */
export interface KnownSource {
  readonly source: Omit<TextSource, 'channel' | 'account'>;
  /** Channel that is proposed; a QR code may also lead to a bank account. */
  readonly channel: SourceChannel;
  readonly formats: readonly Format[];
}

/** Kinds of texts by which a source can report money of a customer. */
export const SOURCE_MONEY: readonly SmsKind[] = [
  'received',
  'cash_in',
  'payment_received',
  'cash_out_received',
  'b2b_received',
  'add_money',
];

/** Texts of a source that people must have approved before it can be trusted. */
export const APPROVED_TO_TRUST = 10;

/** Key by which senders are compared: completely, without case, and ASCII only; null for any other sender. */
export function senderKey(sender: string): string | null {
  const bare = sender.replace(/^ +| +$/g, '');
  // The Kelvin sign and its like lower-case to ASCII letters.
  return /^[ -~]{1,64}$/.test(bare) ? bare.toLowerCase() : null;
}
