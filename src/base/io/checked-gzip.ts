/**
 * Gzip with a checksum of every byte. A second, empty gzip member follows the compressed data; its comment
 * contains the SHA-256 of all bytes before it. Every gunzip ignores it.
 */
import { createHash } from 'node:crypto';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { KashboxError } from '../errors/errors.js';
import { orDamaged } from './damage.js';

/** Ledgers shrink to a third; higher levels take twice the time for a tenth less. */
const LEVEL = 3;
const CHUNK_BYTES = 65_536;

/** RFC 1952: deflate, a comment, no time, unknown system. */
const CLOSING_HEAD = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 255]);
/** An empty block, then checksum and length of nothing. */
const CLOSING_END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

function closingMember(digest: string): Buffer {
  return Buffer.concat([CLOSING_HEAD, Buffer.from(`sha256:${digest}\0`, 'latin1'), CLOSING_END]);
}

/** Size of the closing member, constant. */
export const CLOSING_BYTES = closingMember('0'.repeat(64)).length;

/** @returns the compressed bytes, closed by their checksum. */
export function gzipped(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return closed(through(chunks, createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES })));
}

async function* closed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  yield closingMember(hash.digest('hex'));
}

/** Decompresses and verifies. @throws KashboxError `backup_damaged`, at the latest after the last byte */
export function gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  return orDamaged(through(checked(chunks), createGunzip({ chunkSize: CHUNK_BYTES })));
}

async function* checked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all = Buffer.concat([held, chunk]);
    const certain = all.subarray(0, Math.max(0, all.length - CLOSING_BYTES));
    held = all.subarray(certain.length);
    hash.update(certain);
    if (certain.length > 0) yield certain;
  }
  if (!held.equals(closingMember(hash.digest('hex')))) throw new KashboxError('backup_damaged');
}

function through(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncIterable<Buffer> {
  // The error reaches whoever reads the last stream.
  return pipeline(Readable.from(chunks, { objectMode: false }), transform, () => {});
}
