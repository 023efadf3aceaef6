/**
 * Secrets at rest. Keys that only need to be recognised are hashed; secrets that must be used again
 * are sealed under the installation's key file. Nothing here logs or prints.
 */
import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto';
import { KashboxError } from '../errors/errors.js';
import type { RandomSource } from '../values/ids.js';

/**
 * SHA-256 in hex. Sufficient for keys of 100 or more random bits: they cannot be guessed, so no slow hash is
 * needed, and comparing hashes reveals nothing by its timing.
 */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Part of a key that may be shown later: its first seven and last four characters. */
export function keyHint(key: string): string {
  return `${key.slice(0, 7)}…${key.slice(-4)}`;
}

/** Seals and opens small texts with AES-256-GCM under one key. */
export interface SecretBox {
  /** @param purpose names table and row, so that a sealed text cannot be moved to another place. */
  seal(text: string, purpose: string): string;
  /** @throws KashboxError `secret_unreadable` if key, purpose or text differ from those of `seal`. */
  open(sealed: string, purpose: string): string;
  /** @returns 32 bytes, fixed per key and purpose; they do not reveal the key or other purposes. */
  deriveKey(purpose: string): Uint8Array;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes, from the key file of the home folder. */
export function createSecretBox(key: Uint8Array, random: RandomSource): SecretBox {
  if (key.length !== 32)
    throw new KashboxError('secret_unreadable', {
      message: 'secret.key must contain 64 hexadecimal digits (32 bytes)',
      hint: 'Restore it from a backup. To convert 32 raw bytes: xxd -p -c 32 FILE > secret.key',
    });
  return {
    seal(text, purpose) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open(sealed, purpose) {
      try {
        const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64');
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new KashboxError('secret_unreadable', { cause });
      }
    },
    deriveKey: (purpose) => new Uint8Array(hkdfSync('sha256', key, '', purpose, 32)),
  };
}

const FINGERPRINT_DIGITS = 16;

/** @returns 16 hex digits that identify a key, also for people; they reveal nothing about it. */
export function keyFingerprint(box: SecretBox): string {
  return Buffer.from(box.deriveKey('fingerprint of the key')).toString('hex').slice(0, FINGERPRINT_DIGITS);
}

/** @returns a box that seals and opens nothing, and says why. */
export function refusingBox(why: KashboxError): SecretBox {
  const refuse = (): never => {
    throw why;
  };
  return { seal: refuse, open: refuse, deriveKey: refuse };
}

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA256 (RFC 2104) under one key, by two one-shot hashes: `createHmac` makes an object each time, and
 * that costs three times as much as the hashing of a short text.
 * @returns a function from a text to its code in base64url.
 */
export function createMark(key: Uint8Array): (text: string) => string {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = block.map((byte) => byte ^ 0x5c);
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer');
    return hash('sha256', Buffer.concat([outer, digest]), 'base64url');
  };
}
