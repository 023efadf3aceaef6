/**
 * Are these bytes from the phone that they name? The app "SMS Gateway for Android" signs each webhook with
 * HMAC-SHA256 over its body and the second of sending. Knows neither HTTP nor store.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Clocks of old phones are minutes off; the app makes a new stamp for each try, so retries stay inside. */
const WINDOW_S = 15 * 60;

type SignatureVerdict = 'right' | 'missing' | 'wrong' | 'out_of_time';

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
): SignatureVerdict {
  const { body, signature = '', timestamp = '' } = signed;
  if (signature === '' || timestamp === '') return 'missing';
  if (!/^[\da-f]{64}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return 'wrong';
  const right = createHmac('sha256', key).update(body).update(timestamp).digest();
  if (!timingSafeEqual(right, Buffer.from(signature, 'hex'))) return 'wrong';
  return Math.abs(now / 1000 - Number(timestamp)) <= WINDOW_S ? 'right' : 'out_of_time';
}
