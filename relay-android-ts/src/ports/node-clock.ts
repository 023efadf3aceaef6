/** Time and sealing as Node has them, and how a time is written. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../core/ports.js';

export const nodeClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(ms, 0));
    return () => clearTimeout(timer);
  },
};

const DHAKA_OFFSET_MS = 6 * 3_600_000;

/** ISO 8601 in the time of Bangladesh, wherever it is shown: UTC+6, no daylight saving. */
export function dhakaTime(ms: number): string {
  return `${new Date(ms + DHAKA_OFFSET_MS).toISOString().slice(0, -1)}+06:00`;
}

/** HMAC-SHA256 of a text under a device key, in lower-case hex. */
export function nodeSeal(deviceKey: string, text: string): string {
  return createHmac('sha256', deviceKey).update(text, 'utf8').digest('hex');
}
