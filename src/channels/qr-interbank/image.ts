/**
 * The text of the QR code in a picture that an operator has of it. Loads a heavy package: to be imported only
 * where a picture was given. Knows nothing of what the text means.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PNG } from 'pngjs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { ParseResult } from '../../base/values/parse-result.js';

type ReadImage = ParseResult<{ text: string }>;

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A photo of 50 megapixels has about half of that. */
const MAX_PICTURE_MIB = 32;
/** Counted before anything is unpacked, since a small file may promise any size. */
const MAX_MEGAPIXELS = 50;
/** Maximum decoded size of a PNG. Its decoder needs the packed bytes of a pixel and four more. */
const MAX_PNG_MB = 136;
const SMALLER = 'cut it down to the code, or take a smaller picture';
const DAMAGED = 'The picture is damaged';
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Takes a second or two and up to 400 MB: for an operator's command, not for a request.
 * @param bytes of a PNG or JPEG file of at most 32 MiB with exactly one code in it. A JPEG may have 50
 * megapixels, a PNG about 17.
 */
export async function decodeQrImage(bytes: Buffer): Promise<ReadImage> {
  const fault = faultOf(bytes);
  if (fault !== null) return { ok: false, fault };
  const codes = await decodeCodes(bytes).catch(() => null);
  if (codes === null) return refuse(DAMAGED);
  const [text, ...others] = new Set(codes.map((code) => code.text).filter((found) => found !== ''));
  if (text === undefined) {
    return refuse('No QR code can be read in the picture; it must show one, whole and sharp');
  }
  if (others.length > 0) return refuse('The picture shows several QR codes: cut it down to one');
  return { ok: true, text };
}

function refuse(fault: string): ReadImage {
  return { ok: false, fault };
}

let loading: Promise<unknown> | undefined;

/** The package would fetch its other half from the network. */
async function loadReader(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const wasmBinary = new Uint8Array(await readFile(file)).buffer;
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

async function decodeCodes(bytes: Buffer) {
  // Of a PNG it does not see what is transparent.
  const picture = isPng(bytes) ? unpackPng(bytes) : new Uint8Array(bytes);
  loading ??= loadReader();
  await loading;
  return readBarcodes(picture, { formats: ['QRCode'], tryHarder: true, maxNumberOfSymbols: 2 });
}

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
}

/** @returns why the picture is not looked at, or null. */
function faultOf(bytes: Buffer): string | null {
  if (bytes.length > MAX_PICTURE_MIB * 1024 * 1024) {
    return `The picture is larger than ${MAX_PICTURE_MIB} MiB: ${SMALLER}`;
  }
  try {
    if (isPng(bytes)) return pngFault(bytes);
    if (bytes.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return sizeFault(jpegSize(bytes));
  } catch {
    return DAMAGED;
  }
  return 'The picture must be a PNG or a JPEG file';
}

function sizeFault({ width, height }: PictureSize): string | null {
  if (width * height === 0) return DAMAGED;
  if (width * height <= MAX_MEGAPIXELS * 1e6) return null;
  return `The picture has more than ${MAX_MEGAPIXELS} megapixels: ${SMALLER}`;
}

/** Samples per pixel by colour type (PNG, 11.2.2): grey, colours, palette index, the two with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Checks width, height, pixel format and interlacing, which are at fixed offsets of the first chunk. */
function pngFault(bytes: Buffer): string | null {
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const packed = ((CHANNELS[bytes.readUInt8(25)] ?? 4) * bytes.readUInt8(24)) / 8;
  if (size.width * size.height * (packed + 4) > MAX_PNG_MB * 1e6) {
    return `The picture has too many pixels for a PNG file: save it as a JPEG, ${SMALLER}`;
  }
  // Of interlaced ones the library unpacks without a limit whatever was packed.
  if (bytes.readUInt8(28) !== 0) return 'The picture is an interlaced PNG: save it as a plain one';
  // It also believes the last of several headers.
  if (countHeaders(bytes) !== 1) return 'The picture is damaged: it must have one header';
  return sizeFault(size);
}

/** Counts the headers. A chunk is its length, its name, that many bytes and a checksum (PNG, 5.3). */
function countHeaders(bytes: Buffer): number {
  let count = 0;
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IHDR') count += 1;
  }
  return count;
}

/** Decodes a PNG onto white: codes are often saved without a background, which would be read as black. */
function unpackPng(bytes: Buffer) {
  const { data, width, height } = PNG.sync.read(bytes);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let colour = at; colour < at + 3; colour += 1) {
      data[colour] = 255 - ((255 - (data[colour] ?? 0)) * alpha) / 255;
    }
    data[at + 3] = 255;
  }
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  return { data: pixels, width, height, colorSpace: 'srgb' as const };
}

/** Parses the frame header (ITU-T T.81, B.2.2), after any number of tables. @throws RangeError */
function jpegSize(bytes: Buffer): PictureSize {
  for (let at = 2; ; ) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError('no marker where one must be');
    // Any number of these may stand before a marker.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
}
