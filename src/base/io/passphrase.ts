/**
 * Encrypts a stream with a passphrase in the format of `age` (https://age-encryption.org/v1), and decrypts
 * it. Truncated, changed, moved or added data is detected, and only authenticated data is passed on.
 */
import { createCipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Recipient } from 'age-encryption';
import { KashboxError } from '../errors/errors.js';
import { orDamaged } from './damage.js';

const FIRST_LINE = 'age-encryption.org/v1\n';
/** Header for one passphrase, no other recipient; needs at most 512 MiB to decrypt (`age` allows 256). */
const HEADER = /^.*\n-> scrypt [\w+/]{22} 1?\d\n[\w+/]{43}\n--- [\w+/]{43}\n/;
/** Number of bytes from the start of a file that always contain its header. */
export const HEADER_BYTES = 256;

/** Exponent of two: 64 MiB of memory and a third of a second for each guess; a machine may have 200 MiB. */
const WORK_FACTOR = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const LABEL = Buffer.from('age-encryption.org/v1/scrypt');

/**
 * @param beginning of a file, `HEADER_BYTES` of it unless it is shorter
 * @throws KashboxError `backup_damaged` where it is encrypted, but not so that a passphrase could open it
 */
export function isEncrypted(beginning: Buffer): boolean {
  const text = beginning.toString('latin1');
  if (!text.startsWith(FIRST_LINE)) return false;
  if (HEADER.test(text)) return true;
  throw new KashboxError('backup_damaged');
}

/** Keyboards differ in how they compose letters; what looks the same must open the file. */
const composed = (passphrase: string) => passphrase.normalize('NFC');

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  size: number,
  cost: object,
) => Promise<Buffer>;

/** Derives its key asynchronously; the package's own recipient blocks the thread, and so payments. */
function recipient(passphrase: string, workFactor: number): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const { Stanza } = await import('age-encryption');
      const salt = randomBytes(SALT_BYTES);
      const N = 2 ** workFactor;
      const cost = { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N };
      const key = await derive(composed(passphrase), Buffer.concat([LABEL, salt]), KEY_BYTES, cost);
      const cipher = createCipheriv('chacha20-poly1305', key, Buffer.alloc(12), { authTagLength: 16 });
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
      return [new Stanza(['scrypt', salt.toString('base64').slice(0, 22), String(workFactor)], body)];
    },
  };
}

/** @param workFactor lower for tests alone. */
export async function* encrypted(
  chunks: AsyncIterable<Uint8Array>,
  passphrase: string,
  workFactor = WORK_FACTOR,
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient(passphrase, workFactor));
  yield* await encrypter.encrypt(ReadableStream.from(chunks));
}

/** @throws KashboxError `passphrase_wrong`, `backup_damaged`, and what `chunks` throws */
export function decrypted(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncIterable<Uint8Array> {
  return orDamaged(opened(chunks, passphrase));
}

async function* opened(chunks: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(composed(passphrase));
  yield* await decrypter.decrypt(ReadableStream.from(chunks)).catch((cause: Error) => {
    throw cause.message.startsWith('no identity matched')
      ? new KashboxError('passphrase_wrong', { cause })
      : cause;
  });
}
