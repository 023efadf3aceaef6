/** Rows of the error table for relay phones and what is sent through them. */
import { type ErrorEntry, entry } from './error-entry.js';

export const DEVICE_ERRORS = {
  gateway_key_missing: entry(
    'unauthorised',
    401,
    4,
    'GATEWAY-KEY header is required',
    'Send the header GATEWAY-KEY; `kashbox devices enroll` and `kashbox devices rotate` show it.',
  ),
  gateway_key_invalid: entry(
    'unauthorised',
    401,
    4,
    'Invalid or revoked GATEWAY-KEY provided',
    'Check the key, or make a new one with `kashbox devices rotate`.',
  ),
  device_keys_missing: entry(
    'unauthorised',
    401,
    4,
    'DEVICE-KEYS header is required',
    'Send the header DEVICE-KEYS with one or more device keys, separated by commas.',
  ),
  device_keys_invalid: entry(
    'unauthorised',
    401,
    4,
    'None of the DEVICE-KEYS is known',
    'Check the keys; `kashbox devices rotate` shows new ones.',
  ),
  app_signature_invalid: entry(
    'unauthorised',
    401,
    4,
    'X-Signature is missing or wrong',
    'Restart the app, so that it fetches its signing key; if that does not help, `kashbox devices rotate`.',
  ),
  number_invalid: entry(
    'invalid',
    422,
    2,
    'number is not a phone number that can be sent to',
    'Give it as +8801XXXXXXXXX or 01XXXXXXXXX, for other countries with + and the country code.',
  ),
  message_too_long: entry(
    'invalid',
    422,
    2,
    'The message is too long: at most 10 SMS parts',
    'Shorten it; with Bangla in it a part holds 67 characters, otherwise 153.',
  ),
  dispatch_conflict: entry(
    'refused',
    409,
    4,
    'This idempotency_key was used for another message',
    'Use a new key for every message, and the same key only to repeat the very same request.',
  ),
  dispatch_queue_full: entry(
    'limited',
    429,
    4,
    'Too many SMS wait for this phone',
    'Wait until some are sent: a phone sends at most 24 parts a minute. Spread the rest over more phones.',
  ),
  phones_full: entry(
    'unavailable',
    503,
    5,
    'Too many relay phones listen to be woken at once',
    'Nothing is lost, phones ask every ten seconds; raise KASHBOX_RELAY_STREAMS.',
  ),
} as const satisfies Record<string, ErrorEntry>;
