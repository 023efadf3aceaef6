/**
 * A WebP as a logo: its container is taken apart and made again from the picture alone. The pixels are left
 * packed. RFC 9649, WebP Image Format; RFC 6386, 9.1.
 */
import { animated, checkPixels, damaged, type Size, Unfit } from './unfit.js';

/** Name and length in front of the data of a chunk (2.3). */
const BEFORE = 8;
const RIFF_HEADER = 12;
/** Flags of the extended form (2.7). */
const HAS_ALPHA = 0x10;
const IS_ANIMATED = 0x02;
const KEPT = ['VP8X', 'ALPH', 'VP8 ', 'VP8L'];
const ANIMATION = ['ANIM', 'ANMF'];

interface Chunk {
  readonly name: string;
  readonly data: Buffer;
}

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, RIFF_HEADER) === 'WEBP';
}

/** @returns the same picture without anything that does not show. @throws Unfit */
export function readWebp(bytes: Buffer): Size & { readonly content: Buffer } {
  const chunks = chunksOf(bytes);
  const canvas = canvasOf(chunks);
  const picture = chunks.filter(({ name }) => KEPT.includes(name));
  const order = picture.map(({ name }) => name.trim()).join(' ');
  if (!/^(?:VP8|VP8L|VP8X (?:ALPH )?VP8|VP8X VP8L)$/.test(order)) throw damaged('its parts are out of order');
  const [last] = picture.slice(-1);
  const size = last?.name === 'VP8L' ? losslessSize(last.data) : lossySize(last?.data);
  if (canvas !== null && (canvas.width !== size.width || canvas.height !== size.height)) {
    throw damaged('it states two sizes');
  }
  checkPixels(size);
  return { ...size, content: riffOf(picture) };
}

function chunksOf(bytes: Buffer): Chunk[] {
  const length = bytes.length < RIFF_HEADER ? 0 : bytes.readUInt32LE(4) + BEFORE;
  if (length > bytes.length) throw damaged('it has no end');
  if (length < bytes.length) {
    throw new Unfit('has something behind its end', 'Export the picture again with another program.');
  }
  const chunks: Chunk[] = [];
  for (let at = RIFF_HEADER; at < bytes.length; ) {
    if (at + BEFORE > bytes.length) throw damaged('it has no end');
    const size = bytes.readUInt32LE(at + 4);
    const end = at + BEFORE + size;
    // Of an odd length one more byte follows.
    if (end + (size % 2) > bytes.length) throw damaged('it has no end');
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + BEFORE, end) });
    at = end + (size % 2);
  }
  return chunks;
}

/** @returns what the extended form states; null of the simple ones. */
function canvasOf([first, ...others]: readonly Chunk[]): Size | null {
  if (others.some(({ name }) => ANIMATION.includes(name))) throw animated();
  if (first?.name !== 'VP8X') return null;
  if (first.data.length !== 10) throw damaged('its header is none');
  if ((first.data.readUInt8(0) & IS_ANIMATED) !== 0) throw animated();
  return { width: first.data.readUIntLE(4, 3) + 1, height: first.data.readUIntLE(7, 3) + 1 };
}

/** A key frame that is shown, its start code, and a first partition that is there. */
function lossySize(data: Buffer = Buffer.alloc(0)): Size {
  if (data.length < 11) throw damaged('it has no picture');
  const tag = data.readUIntLE(0, 3);
  const isShownKeyFrame = (tag & 1) === 0 && (tag & 0x10) !== 0;
  if (!isShownKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a || tag >> 5 > data.length - 10) {
    throw damaged('its picture is none');
  }
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** A signature, two sides less one in 14 bits each, one bit for alpha and a version, which is 0. */
function losslessSize(data: Buffer): Size {
  if (data.length < 6 || data.readUInt8(0) !== 0x2f) throw damaged('it has no picture');
  const bits = data.readUInt32LE(1);
  if (bits >>> 29 !== 0) throw damaged('its picture is none');
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function riffOf(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ name, data }) => {
    const content = Buffer.from(data);
    if (name === 'VP8X') content.fill(0, 1, 4).writeUInt8(content.readUInt8(0) & HAS_ALPHA, 0);
    return Buffer.concat([headOf(name, data.length), content, Buffer.alloc(data.length % 2)]);
  });
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  return Buffer.concat([headOf('RIFF', body.length), body]);
}

function headOf(name: string, length: number): Buffer {
  const head = Buffer.alloc(BEFORE);
  head.write(name, 'latin1');
  head.writeUInt32LE(length, 4);
  return head;
}
