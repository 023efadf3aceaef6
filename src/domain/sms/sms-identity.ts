/**
 * Identity of SMS: by their content, never by a phone's own id; and detection of a copy that an app has
 * damaged. Pure.
 */
import { hash } from 'node:crypto';
import type { IncomingSms } from './incoming-sms.js';

/**
 * Key by which an SMS is stored only once for a merchant, whichever phone delivers it and however often. A
 * text with a transaction id is one event, whenever delivered. Any other may legitimately be sent again, so
 * its key contains the second of receipt; without it, real messages would be lost.
 * @param occasion replaces the second if the phone reported no valid time: the arrival time changes with each
 * attempt, and a phone may retry for a week.
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

/**
 * Reference of money whose text names no id: the same however often and by whichever phone it is delivered.
 * @param sms.saysMoment true if the text has its own time and the balance after it: no other payment has the
 * same text. Otherwise a text with the same words is another payment if its dedupe key differs.
 */
export function smsReference(sms: {
  readonly merchantId: string;
  readonly sender: string;
  readonly body: string;
  readonly dedupeKey: string;
  readonly saysMoment: boolean;
}): string {
  const { merchantId, sender, body, dedupeKey, saysMoment } = sms;
  const own = [merchantId, sender.trim().toLowerCase(), body.trim().replace(/\s+/g, ' ')];
  const digest = hash('sha256', JSON.stringify(saysMoment ? own : dedupeKey), 'buffer');
  const signs = [...digest.subarray(0, REFERENCE_SIGNS)].map((byte) => SIGNS[byte % SIGNS.length]);
  return `SMS-${signs.join('')}`;
}

const REFERENCE_SIGNS = 10;
/** Without those that people confuse; 32, so that every sign is equally likely. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Reasons for doubt that only concern the copy, not the money. */
const OF_THE_COPY: readonly string[] = [
  ...['sender_weak', 'id_shape', 'text_repeated', 'characters_foreign', 'characters_hidden'],
  ...['date_after_delivery', 'date_long_before_delivery', 'time_impossible', 'parts_joined'],
];
/** Prefix that an app adds, such as "[SIM1] " or "bKash: ". */
const ONE_WORD = /^[[(]?[A-Za-z0-9]{1,12}[\])]?:? ?$/;

interface CopiedSms {
  readonly body: string;
  /** Codes of the reasons for doubt. */
  readonly reasons: readonly string[];
}

/** @param clean the text of the other copy. */
export function isSpoiltCopy({ body, reasons }: CopiedSms, clean: string): boolean {
  const isMarked = body.endsWith(clean) && ONE_WORD.test(body.slice(0, -clean.length));
  return reasons.every((reason) => OF_THE_COPY.includes(reason) || (reason === 'tail_unknown' && isMarked));
}
