/** Time, chance and hashing as Node has them. */
import { createHash, createHmac } from 'node:crypto';
import type { Clock, Digest, Random } from '../core/ports.js';

export const nodeClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export const nodeRandom: Random = Math.random;

export const nodeDigest: Digest = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** HMAC-SHA256 of a text under a device key, in lower-case hex. */
export function nodeSeal(deviceKey: string, text: string): string {
  return createHmac('sha256', deviceKey).update(text, 'utf8').digest('hex');
}
