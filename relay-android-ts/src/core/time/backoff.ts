/** Delays before a retry. Pure. */

export const MIN_WAIT_MS = 1_000;
export const MAX_WAIT_MS = 60_000;
/** Upper limit of Retry-After, so that a server cannot silence a phone for days. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Exponential back-off with full jitter: anywhere up to a ceiling that doubles from 1 s to 60 s, so that many
 * phones do not reconnect at the same time. `failures` counts from 1.
 */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(ceiling * random);
}

/** Retry-After (RFC 9110 section 10.2.3: seconds or a date) as milliseconds from now; null if unusable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}

/** The server's `next_poll_ms`, bounded to 1..60 s; 60 s, the heartbeat, if it says nothing usable. */
export function pollMs(asked: unknown): number {
  if (typeof asked !== 'number' || !Number.isFinite(asked)) return MAX_WAIT_MS;
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, asked));
}
