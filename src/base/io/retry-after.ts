/** Parses the delay that a server requests. Pure; knows neither the client nor the request. */

/**
 * @param header value of `Retry-After`, seconds or a date (RFC 9110, 10.2.3).
 * @param now milliseconds since the epoch.
 * @returns whole seconds from now, or null if the value is not valid.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Only the one form that is still written: Date.parse takes almost anything for a date.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
