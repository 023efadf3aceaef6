/**
 * Which SMS are one: by their contents, never by a phone's own id; and which is but another's copy that an
 * app has spoilt. Pure.
 */
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

/** Reasons for doubt that say nothing about the money. */
const OF_THE_COPY: readonly string[] = [
  ...['sender_weak', 'id_shape', 'text_repeated', 'characters_foreign', 'characters_hidden'],
  ...['date_after_delivery', 'date_long_before_delivery', 'time_impossible', 'parts_joined'],
];
/** Such as "[SIM1] " or "bKash: ". */
const ONE_WORD = /^[[(]?[A-Za-z0-9]{1,12}[\])]?:? ?$/;

interface CopiedSms {
  readonly body: string;
  /** Names of the reasons for doubt. */
  readonly reasons: readonly string[];
}

/** @param clean the text of the other copy. */
export function isSpoiltCopy({ body, reasons }: CopiedSms, clean: string): boolean {
  const isMarked = body.endsWith(clean) && ONE_WORD.test(body.slice(0, -clean.length));
  return reasons.every((reason) => OF_THE_COPY.includes(reason) || (reason === 'tail_unknown' && isMarked));
}
