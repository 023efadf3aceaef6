/**
 * A PNG as a logo: every chunk is checked, the picture is unpacked to see that it is whole, and only what is
 * needed to show it is kept. W3C, Portable Network Graphics (PNG) Specification.
 */
import { crc32, inflateSync } from 'node:zlib';
import { animated, checkPixels, damaged, type Size, Unfit } from './unfit.js';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length, name and checksum around the data of a chunk (5.3). */
const AROUND = 12;
/** Without them the picture would look different; the others hold places, cameras, texts and profiles. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND'];
const ANIMATION = ['acTL', 'fcTL', 'fdAT'];
/** Values of a pixel and the depths that each may have, by colour type (11.2.2). */
const COLOUR_TYPES: Readonly<Record<number, readonly [values: number, ...depths: readonly number[]]>> = {
  0: [1, 1, 2, 4, 8, 16],
  2: [3, 8, 16],
  3: [1, 1, 2, 4, 8],
  4: [2, 8, 16],
  6: [4, 8, 16],
};
/** How a row may be filtered (9.2). */
const MAX_FILTER = 4;

interface Chunk {
  readonly name: string;
  readonly data: Buffer;
  /** With all that stands around the data. */
  readonly whole: Buffer;
}

interface Header extends Size {
  readonly colourType: number;
  readonly bitsPerPixel: number;
}

/** @returns the same picture without anything that does not show. @throws Unfit */
export function readPng(bytes: Buffer): Size & { readonly content: Buffer } {
  const chunks = chunksOf(bytes);
  if (chunks.some(({ name }) => ANIMATION.includes(name))) throw animated();
  const header = headerOf(chunks);
  checkPixels(header);
  checkOrder(chunks, header);
  checkPicture(chunks, header);
  const kept = chunks.filter(({ name }) => KEPT.includes(name)).map(({ whole }) => whole);
  const { width, height } = header;
  return { width, height, content: Buffer.concat([PNG_SIGNATURE, ...kept]) };
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  let at = PNG_SIGNATURE.length;
  while (chunks.at(-1)?.name !== 'IEND') {
    if (at + AROUND > bytes.length) throw damaged('it has no end');
    const length = bytes.readUInt32BE(at);
    const end = at + AROUND + length;
    if (end > bytes.length) throw damaged('it has no end');
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name)) throw damaged('a part of it has no name');
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw damaged(`its part ${name} has another checksum`);
    }
    const isNeeded = /^[A-Z]/.test(name);
    if (isNeeded && !KEPT.includes(name)) throw damaged(`its part ${name} is unknown`);
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    at = end;
  }
  if (at < bytes.length) {
    throw new Unfit('has something behind its end', 'Export the picture again with another program.');
  }
  return chunks;
}

function headerOf([first]: readonly Chunk[]): Header {
  if (first?.name !== 'IHDR' || first.data.length !== 13) throw damaged('it has no header');
  const { data } = first;
  const [depth = 0, colourType = 0, compression, filter, interlacing] = data.subarray(8);
  const [values = 0, ...depths] = COLOUR_TYPES[colourType] ?? [];
  if (!depths.includes(depth) || compression !== 0 || filter !== 0) throw damaged('its header is none');
  if (interlacing !== 0) {
    throw new Unfit('is an interlaced PNG', 'Save it without interlacing, which is "none" or "off".');
  }
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    colourType,
    bitsPerPixel: values * depth,
  };
}

/** Of what makes the picture, each stands once and in its place; its data stand together (5.6). */
function checkOrder(chunks: readonly Chunk[], { colourType }: Header): void {
  const names = chunks.map(({ name }) => name).filter((name) => KEPT.includes(name));
  const order = names.join(' ').replace(/(IDAT ?)+/, 'IDAT ');
  const palette = names.includes('PLTE') ? 'PLTE' : '';
  const isOrdered = /^IHDR (?:(?:gAMA|sRGB) ){0,2}(?:PLTE )?(?:tRNS )?IDAT IEND$/.test(order);
  const size = chunks.find(({ name }) => name === 'PLTE')?.data.length ?? 3;
  if (!isOrdered || size === 0 || size % 3 !== 0 || size > 768) throw damaged('its parts are out of order');
  if (colourType === 3 && palette === '') throw damaged('it has no palette');
}

function checkPicture(chunks: readonly Chunk[], { width, height, bitsPerPixel }: Header): void {
  const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data));
  const row = 1 + Math.ceil((width * bitsPerPixel) / 8);
  const { pixels, taken } = unpacked(packed, row * height);
  if (pixels.length !== row * height || taken !== packed.length) throw damaged('its pixels do not fit');
  for (let at = 0; at < pixels.length; at += row) {
    if ((pixels[at] ?? 0) > MAX_FILTER) throw damaged('its pixels do not fit');
  }
}

/** @param most bytes of pixels: a bomb goes no further. @returns also how much of `packed` they took. */
function unpacked(packed: Buffer, most: number): { readonly pixels: Buffer; readonly taken: number } {
  try {
    // With `info` it returns an object, of which its types know nothing.
    const result: unknown = inflateSync(packed, { maxOutputLength: most, info: true });
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
    return { pixels: buffer, taken: engine.bytesWritten };
  } catch {
    throw damaged('its pixels do not fit');
  }
}
