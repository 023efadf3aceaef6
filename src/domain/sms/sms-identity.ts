/** Identity of an SMS: by its contents, never by a phone's own id. */
import { hash } from 'node:crypto';
import type { IncomingSms } from './incoming-sms.js';

/**
 * The key under which an SMS is stored once for a merchant, whichever phone delivers it and however often.
 * A text with a transaction id is one event wherever and whenever it is read. Any other text may honestly
 * come again, so for those the second of arrival is part of the key: leaving it out loses real messages.
 * @param occasion stands for the second where the phone told none that can be read: the one in which such an
 *   SMS reaches us is another with each try, and a phone may try for a week.
 */
export function smsDedupeKey(
  sms: Pick<IncomingSms, 'sender' | 'body' | 'receivedAtMs'> & {
    readonly merchantId: string;
    readonly trxId: string | null;
    readonly occasion?: string | null;
  },
): string {
  const moment = sms.trxId === null ? (sms.occasion ?? String(Math.floor(sms.receivedAtMs / 1000))) : '';
  return hash('sha256', JSON.stringify([sms.merchantId, sms.sender, sms.body, moment]), 'base64url');
}
