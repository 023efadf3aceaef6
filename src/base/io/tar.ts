/**
 * Tar files (ustar), member by member, so that none needs to fit into memory. Reads only what it would have
 * written itself: names of at most 100 bytes, plain files, one mode. Knows nothing of what the members are.
 */
import { KashboxError } from '../errors/errors.js';
import { ByteReader } from './byte-reader.js';

const BLOCK = 512;
const MAX_NAME_BYTES = 100;
/** Eleven octal digits; what is larger is written in binary, as GNU tar does it. */
const MAX_OCTAL = 0o77_777_777_777;
const BINARY = 0x80;
const PRIVATE = 0o600;

export interface TarMember {
  readonly name: string;
  readonly size: number;
  /** Exactly `size` bytes. */
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** A member while it is read: what its reader leaves of the content is passed over. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** @returns whether a member can have this name. */
export function fitsTar(name: string): boolean {
  return Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** @param at time of all members, milliseconds since the epoch. */
export async function* tarOf(members: AsyncIterable<TarMember>, at: number): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of members) {
    yield headerOf(name, size, Math.floor(at / 1_000));
    let written = 0;
    for await (const piece of content) {
      written += piece.length;
      yield piece;
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`);
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** @throws KashboxError `backup_damaged` for what `tarOf` does not write. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(chunks);
  try {
    for (;;) {
      const header = await reader.upTo(BLOCK);
      if (header.length === BLOCK && header.every((byte) => byte === 0)) break;
      const { name, size } = readHeader(header);
      const content = contentOf(reader, size);
      yield { name, size, content };
      for await (const _passedOver of content);
      const padding = await reader.upTo(paddingOf(size));
      if (padding.length !== paddingOf(size) || padding.some((byte) => byte !== 0)) throw damaged();
    }
    const end = await reader.upTo(BLOCK + 1);
    if (end.length !== BLOCK || end.some((byte) => byte !== 0)) throw damaged();
  } finally {
    await reader.close();
  }
}

async function* contentOf(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const piece of reader.pieces(size)) {
    read += piece.length;
    yield piece;
  }
  if (read !== size) throw damaged();
}

function damaged(): KashboxError {
  return new KashboxError('backup_damaged');
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function headerOf(name: string, size: number, seconds: number): Buffer {
  if (!fitsTar(name)) throw new Error(`${name} is too long for tar`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  octal(header, PRIVATE, 100, 8);
  octal(header, 0, 108, 8);
  octal(header, 0, 116, 8);
  if (size <= MAX_OCTAL) octal(header, size, 124, 12);
  else {
    header[124] = BINARY;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(header, seconds, 136, 12);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  octal(header, 0, 329, 8);
  octal(header, 0, 337, 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function octal(header: Buffer, value: number, at: number, width: number): void {
  header.write(value.toString(8).padStart(width - 1, '0'), at);
}

function readHeader(header: Buffer): { readonly name: string; readonly size: number } {
  if (header.length !== BLOCK) throw damaged();
  const name = header.toString('utf8', 0, MAX_NAME_BYTES).replace(/\0.*$/s, '');
  const size =
    header[124] === BINARY
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(header.toString('latin1', 124, 135), 8);
  const seconds = Number.parseInt(header.toString('latin1', 136, 147), 8);
  const isOurs = size >= 0 && seconds >= 0 && headerOf(name, size, seconds).equals(header);
  if (!isOurs) throw damaged();
  return { name, size };
}
