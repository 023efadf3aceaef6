/**
 * Delivery reports of the app "SMS Gateway for Android", converted to our states, and verification of their
 * signature. The app sends each report twice, by `PATCH /message` and by a webhook, and either may be lost or
 * late. Knows neither HTTP nor store.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { asRecord } from '../../base/values/fields.js';
import { storableText } from '../../base/values/text.js';

/** `DELIVERED_PART`: one more part was delivered; each part has its own webhook. */
export type AppReport =
  | { readonly id: string; readonly state: 'SENT' }
  | { readonly id: string; readonly state: 'DELIVERED' }
  | { readonly id: string; readonly state: 'DELIVERED_PART'; readonly envelope: string }
  | { readonly id: string; readonly state: 'FAILED' | 'EXPIRED' | 'UNDELIVERED'; readonly error: string };

const MAX_ERROR = 200;

/** The app's own word for an SMS that waited past `validUntil`: it was never sent. */
const TOO_LATE = 'TTL expired';
/** Prefix of the app's errors for an SMS that left the phone but was not delivered by the network. */
const GIVEN_UP = 'Delivery result';

/** @param reason in the app's words, the code of Android's SMS service among them. */
export function failure(id: string, reason: unknown): AppReport {
  // Shown in terminals, where control characters are commands.
  const text = typeof reason === 'string' ? reason.replaceAll(/\p{Cc}+/gu, ' ').trim() : '';
  const error = storableText(text.slice(0, MAX_ERROR));
  if (error === TOO_LATE) return { id, state: 'EXPIRED', error: 'It waited too long on the phone' };
  if (error.startsWith(GIVEN_UP)) return { id, state: 'UNDELIVERED', error };
  return { id, state: 'FAILED', error: error === '' ? 'The phone gives no reason' : error };
}

/**
 * Parses one entry of `PATCH /message`.
 * @returns null for nothing new: pending, passed to Android, or `value` is not a valid entry.
 */
export function parsePatch(value: unknown): AppReport | null {
  const { id: name, state, recipients } = asRecord(value);
  if (typeof name !== 'string') return null;
  const id = storableText(name);
  switch (state) {
    case 'Sent':
      return { id, state: 'SENT' };
    case 'Delivered':
      return { id, state: 'DELIVERED' };
    case 'Failed':
      return failure(id, firstError(recipients));
    case 'Cancelled':
      return failure(id, 'Cancelled on the phone');
    // Processed is Android's word that it has taken it: whether it went out is told later, or never.
    default:
      return null;
  }
}

/** We give one number a message. */
function firstError(recipients: unknown): unknown {
  return asRecord(asRecord(recipients)[0]).error;
}

/** Clocks of old phones are minutes off; the app makes a new stamp for each try, so retries stay inside. */
const WINDOW_S = 15 * 60;

/**
 * @param signed.signature header X-Signature: 64 hex digits.
 * @param signed.timestamp header X-Timestamp: seconds since the epoch.
 * @param now milliseconds since the epoch.
 */
export function judgeSignature(
  key: string,
  signed: {
    readonly body: Buffer;
    readonly signature: string | undefined;
    readonly timestamp: string | undefined;
  },
  now: number,
): 'right' | 'missing' | 'wrong' | 'out_of_time' {
  const { body, signature = '', timestamp = '' } = signed;
  if (signature === '' || timestamp === '') return 'missing';
  if (!/^[\da-f]{64}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return 'wrong';
  const right = createHmac('sha256', key).update(body).update(timestamp).digest();
  if (!timingSafeEqual(right, Buffer.from(signature, 'hex'))) return 'wrong';
  return Math.abs(now / 1000 - Number(timestamp)) <= WINDOW_S ? 'right' : 'out_of_time';
}
