/**
 * Outbound SMS: its states, what a phone's reports make of it, and how much a phone may send. Knows neither
 * store nor phone.
 */

export type SmsEncoding = 'GSM-7' | 'UCS-2';

/**
 * `QUEUED` waits for its phone; `LEASED` was leased to a phone, once; `SENT` left the phone; `DELIVERED`
 * reached the other; `FAILED` did not leave; `EXPIRED` was not sent in time; `UNKNOWN` was leased, and it is
 * not known whether it was sent, so it is never sent again automatically; `CANCELLED` was taken back in time.
 */
export const DISPATCH_STATES = [
  'QUEUED',
  'LEASED',
  'SENT',
  'DELIVERED',
  'FAILED',
  'EXPIRED',
  'UNKNOWN',
  'CANCELLED',
] as const;

export type DispatchState = (typeof DISPATCH_STATES)[number];

/** What a phone says of an SMS, or of one part of it. */
export interface DispatchReport {
  readonly id: string;
  readonly state: 'SENT' | 'DELIVERED' | 'FAILED' | 'EXPIRED' | 'UNKNOWN';
  /** From 1 on; null speaks for all parts. */
  readonly part: number | null;
  readonly error: string | null;
}

/** What an SMS may be cut into: longer texts are read by nobody, and cost the sender by the part. */
export const MAX_PARTS = 10;
