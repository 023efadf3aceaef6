/** When are two SMS the same one? Decided by what they say, never by what a phone calls them. */
import { hash } from 'node:crypto';

/**
 * The key under which an SMS is stored once for a merchant, whichever phone delivers it and however often.
 * A text with a transaction id is one event wherever and whenever it is read. Any other text may honestly
 * come again, so for those the second of arrival is part of the key: leaving it out loses real messages.
 * @param receivedAt milliseconds since the epoch.
 */
export function smsDedupeKey(sms: {
  readonly merchantId: string;
  readonly sender: string;
  readonly body: string;
  readonly receivedAt: number;
  readonly trxId: string | null;
}): string {
  const moment = sms.trxId === null ? String(Math.floor(sms.receivedAt / 1000)) : '';
  return hash('sha256', JSON.stringify([sms.merchantId, sms.sender, sms.body, moment]), 'base64url');
}
