/**
 * The text of the QR code in a picture that an operator has of it. Loads heavy packages: to be imported only
 * where a picture was given. Knows nothing of what the text means.
 */
import jpeg from 'jpeg-js';
import jsqr, { type QRCode } from 'jsqr';
import { PNG } from 'pngjs';

export type ReadImage =
  | { readonly ok: true; readonly text: string }
  /** A sentence for whoever gave the picture. */
  | { readonly ok: false; readonly fault: string };

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each. */
  readonly data: Uint8ClampedArray;
}

const MAX_BYTES = 5 * 1024 * 1024;
/**
 * A screenshot of a phone. Counted before anything is unpacked, since a small file may promise any size; and
 * of noise each megapixel takes a second to search.
 */
const MAX_MEGAPIXELS = 4;
const TOO_MANY = `more than ${MAX_MEGAPIXELS} megapixels: give a smaller picture, cut down to the code`;
const MAX_MEMORY_MB = 256;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);

/** @param bytes of a PNG or JPEG file of at most 5 MiB and 4 megapixels, with exactly one code in it. */
export function readQrImage(bytes: Buffer): ReadImage {
  if (bytes.length > MAX_BYTES) return refuse(`The picture is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  try {
    const unpacked = unpack(bytes);
    return unpacked.ok ? readPixels(unpacked.pixels) : unpacked;
  } catch {
    return refuse(`The picture is damaged, or has ${TOO_MANY}`);
  }
}

function readPixels(pixels: Pixels): ReadImage {
  flatten(pixels);
  const code = find(pixels);
  if (code === null)
    return refuse('No QR code can be read in the picture; it must show one, whole and sharp');
  erase(pixels, code);
  const other = find(pixels);
  if (other !== null && other.data !== code.data) {
    return refuse('The picture shows several QR codes: cut it down to one');
  }
  return { ok: true, text: code.data };
}

type Unpacked =
  | { readonly ok: true; readonly pixels: Pixels }
  | { readonly ok: false; readonly fault: string };

function unpack(bytes: Buffer): Unpacked {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return unpackPng(bytes);
  if (bytes.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return unpackJpeg(bytes);
  return refuse('The picture must be a PNG or a JPEG file');
}

/** Width, height and the kind of interlacing stand at fixed places of the first chunk. */
function unpackPng(bytes: Buffer): Unpacked {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width * height > MAX_MEGAPIXELS * 1e6) return refuse(`The picture has ${TOO_MANY}`);
  // Of interlaced ones the library unpacks without a limit whatever was packed.
  if (bytes.readUInt8(28) !== 0) return refuse('The picture is an interlaced PNG: save it as a plain one');
  // It also believes the last of several headers.
  if (countHeaders(bytes) !== 1) return refuse('The picture is damaged: it must have one header');
  const { data } = PNG.sync.read(bytes);
  return { ok: true, pixels: { width, height, data: clamped(data) } };
}

/** A chunk is its length, its name, so many bytes and a checksum (PNG, 5.3). */
function countHeaders(bytes: Buffer): number {
  let count = 0;
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IHDR') count += 1;
  }
  return count;
}

function unpackJpeg(bytes: Buffer): Unpacked {
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MAX_MEGAPIXELS,
    maxMemoryUsageInMB: MAX_MEMORY_MB,
  });
  return { ok: true, pixels: { width, height, data: clamped(data) } };
}

const clamped = (data: Uint8Array) => new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);

/** Codes are often saved without a background, which would be read as black. */
function flatten({ data }: Pixels): void {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let colour = at; colour < at + 3; colour += 1) {
      data[colour] = 255 - ((255 - (data[colour] ?? 0)) * alpha) / 255;
    }
    data[at + 3] = 255;
  }
}

/** A code whose text is empty is one that could be seen and not be read. */
function find({ data, width, height }: Pixels): QRCode | null {
  const code = jsqr.default(data, width, height, { inversionAttempts: 'attemptBoth' });
  return code === null || code.data === '' ? null : code;
}

/** Paints over a code that was found, so that another one can be. */
function erase({ data, width, height }: Pixels, { location }: QRCode): void {
  const corners = [
    location.topLeftCorner,
    location.topRightCorner,
    location.bottomLeftCorner,
    location.bottomRightCorner,
  ];
  const within = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value)));
  const left = within(Math.min(...corners.map(({ x }) => x)), width);
  const right = within(Math.max(...corners.map(({ x }) => x)), width);
  const top = within(Math.min(...corners.map(({ y }) => y)), height);
  const bottom = within(Math.max(...corners.map(({ y }) => y)), height);
  for (let y = top; y < bottom; y += 1) {
    data.fill(255, (y * width + left) * 4, (y * width + right) * 4);
  }
}

const refuse = (fault: string) => ({ ok: false, fault }) as const;
