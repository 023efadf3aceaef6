/** Time and sealing as Node has them. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../core/ports.js';

export const nodeClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(ms, 0));
    return () => clearTimeout(timer);
  },
};

/** HMAC-SHA256 of a text under a device key, in lower-case hex. */
export function nodeSeal(deviceKey: string, text: string): string {
  return createHmac('sha256', deviceKey).update(text, 'utf8').digest('hex');
}
