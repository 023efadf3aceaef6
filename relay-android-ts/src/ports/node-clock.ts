/** Time, chance and hashing as Node has them. */
import { createHash } from 'node:crypto';
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
