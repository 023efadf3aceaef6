/**
 * Encrypts a stream under a passphrase, and decrypts it (docs/development/backup-format.md). scrypt makes a
 * key for this file alone; each chunk is sealed with AES-256-GCM under its number and whether it is the last,
 * so that chunks which are missing, moved or added are noticed. Knows nothing of what is encrypted.
 */
import { createCipheriv, createDecipheriv, createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { KashboxError } from '../errors/errors.js';
import type { RandomSource } from '../values/ids.js';
import { ByteReader } from './byte-reader.js';

const FIRST_LINE = 'KASHBOX-BACKUP-ENCRYPTED 1\n';
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const SALT_BYTES = 32;
const KEY_BYTES = 32;
const LF = 0x0a;
const MAX_LINE_BYTES = 512;

/** 32 MiB of memory and about a third of a second: as hard to guess as one round with 128 MiB. */
const COST = { N: 32_768, r: 8, p: 3 } as const;
/** What a file may ask of the machine that reads it, so that none can be made that takes all its memory. */
const MOST = { N: 262_144, r: 16, p: 16 } as const;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface Keys {
  readonly data: Buffer;
  /** Under it stands a mark of the first two lines: a wrong passphrase is told from damage by it. */
  readonly mark: Buffer;
}

/** @param beginning of a file, at least as long as the first line. */
export function isEncrypted(beginning: Buffer): boolean {
  return beginning.subarray(0, FIRST_LINE.length).toString('latin1') === FIRST_LINE;
}

function keysOf(passphrase: string, salt: Buffer, cost: Cost): Promise<Keys> {
  // Keyboards differ in how they compose letters; what looks the same must open the file.
  const text = passphrase.normalize('NFC');
  const options = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    // Throws at once for a cost that is none.
    scrypt(text, salt, 2 * KEY_BYTES, options, (error, key) => {
      if (error !== null) reject(error);
      else resolve({ data: key.subarray(0, KEY_BYTES), mark: key.subarray(KEY_BYTES) });
    });
  });
}

const markOf = (keys: Keys, lines: string) => createHmac('sha256', keys.mark).update(lines).digest();

/** Eleven bytes of number, then 1 on the last chunk and 0 on every other. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(index, 5, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

export async function* encrypted(
  chunks: AsyncIterable<Buffer>,
  passphrase: string,
  random: RandomSource,
): AsyncGenerator<Buffer> {
  const salt = Buffer.from(random(SALT_BYTES));
  const keys = await keysOf(passphrase, salt, COST);
  const about = { kdf: 'scrypt', ...COST, salt: salt.toString('hex'), cipher: 'aes-256-gcm' };
  const lines = `${FIRST_LINE}${JSON.stringify(about)}\n`;
  yield Buffer.from(`${lines}${markOf(keys, lines).toString('hex')}\n`, 'latin1');
  const reader = new ByteReader(chunks);
  try {
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const chunk = await reader.upTo(CHUNK_BYTES);
      isLast = !(await reader.hasMore());
      const cipher = createCipheriv('aes-256-gcm', keys.data, nonceOf(index, isLast));
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    }
  } finally {
    await reader.close();
  }
}

/** @throws KashboxError `passphrase_wrong`, `backup_damaged` */
export async function* decrypted(chunks: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new ByteReader(chunks);
  try {
    const keys = await openHeader(reader, passphrase);
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const chunk = await reader.upTo(CHUNK_BYTES + TAG_BYTES);
      isLast = !(await reader.hasMore());
      yield openChunk(keys, chunk, nonceOf(index, isLast));
    }
  } finally {
    await reader.close();
  }
}

async function openHeader(reader: ByteReader, passphrase: string): Promise<Keys> {
  const first = await lineOf(reader);
  const about = await lineOf(reader);
  const mark = Buffer.from((await lineOf(reader)).trim(), 'hex');
  const { salt, cost } = readAbout(about);
  const keys = await keysOf(passphrase, salt, cost).catch((cause: unknown) => {
    throw new KashboxError('backup_damaged', { cause });
  });
  const own = markOf(keys, first + about);
  if (mark.length !== own.length) throw new KashboxError('backup_damaged');
  if (!timingSafeEqual(mark, own)) throw new KashboxError('passphrase_wrong');
  return keys;
}

async function lineOf(reader: ByteReader): Promise<string> {
  const bytes: number[] = [];
  while (bytes.length < MAX_LINE_BYTES) {
    const [byte] = await reader.upTo(1);
    if (byte === undefined) break;
    bytes.push(byte);
    if (byte === LF) return Buffer.from(bytes).toString('latin1');
  }
  throw new KashboxError('backup_damaged');
}

function readAbout(line: string): { readonly salt: Buffer; readonly cost: Cost } {
  try {
    const about = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const cost = { N: Number(about.N), r: Number(about.r), p: Number(about.p) };
    const isPossible = (['N', 'r', 'p'] as const).every(
      (name) => cost[name] >= 1 && cost[name] <= MOST[name],
    );
    if (about.kdf !== 'scrypt' || about.cipher !== 'aes-256-gcm' || !isPossible) throw new Error('unknown');
    return { salt: Buffer.from(String(about.salt), 'hex'), cost };
  } catch (cause) {
    throw new KashboxError('backup_damaged', { cause });
  }
}

function openChunk(keys: Keys, chunk: Buffer, nonce: Buffer): Buffer {
  try {
    const body = chunk.subarray(0, -TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', keys.data, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch (cause) {
    throw new KashboxError('backup_damaged', { cause });
  }
}
