/** Pictures as logos, made here: a good one of each kind. */
import { crc32, deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function pngChunk(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Green with a clear border. */
export function pngLogo(width = 64, height = 64): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const row = 1 + width * 4;
  const pixels = Buffer.alloc(row * height);
  for (let y = 2; y < height - 2; y += 1) {
    for (let x = 2; x < width - 2; x += 1) pixels.set([0, 140, 90, 255], y * row + 1 + x * 4);
  }
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels)), pngChunk('IEND')];
  return Buffer.concat([PNG_START, ...chunks]);
}

export function jpegLogo(width = 256, height = 128): Buffer {
  return jpeg.encode({ width, height, data: Buffer.alloc(width * height * 4, 0xb5) }, 80).data;
}

/** Lossless, with alpha, of 32 x 16 pixels; made by libwebp in Chromium. */
const VP8L = Buffer.from(
  'Lx/AAxCvoKhtG6jd9R7RsRnf0FAcSQa0jvCk6y0qT0ZRI0lR7XJYQTa6UMJz1ESSwiZ5YpcUQEfs3GY3yI9g5FweDw' +
    'flfNhmUY0kbA60LLA8MBkIbCsA/3p9fQgOI0lyGpwkvN2d/HMF3V8RQUT/Fblt2zCjvTuvAAAAAAAAAAAAqIblPJeh' +
    'Ss9ns217+ySns+3n59GSJEmSBNT77e/bZPR21H3GFJsy1tiaccSOjDk2Z4yxMaO9ornaojuHX+RbzqWY6+t38cpNAQ' +
    '==',
  'base64',
);

export function webpLogo(): Buffer {
  const chunk = Buffer.concat([
    Buffer.from('WEBPVP8L'),
    Buffer.alloc(4),
    VP8L,
    Buffer.alloc(VP8L.length % 2),
  ]);
  chunk.writeUInt32LE(VP8L.length, 8);
  const riff = Buffer.from('RIFF....');
  riff.writeUInt32LE(chunk.length, 4);
  return Buffer.concat([riff, chunk]);
}
