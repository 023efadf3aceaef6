/** Pictures as logos, made here: good ones of each kind, and parts from which tests make bad ones. */
import { crc32, deflateSync } from 'node:zlib';

export const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(name: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export interface PngLook {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colourType?: number;
  readonly interlacing?: number;
}

export function pngHeader({ width, height, depth = 8, colourType = 6, interlacing = 0 }: PngLook): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colourType, 0, 0, interlacing], 8);
  return pngChunk('IHDR', data);
}

/** @returns rows of RGBA, green with a clear border, packed. */
export function pngPixels({ width, height }: PngLook): Buffer {
  const row = 1 + width * 4;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isInside = x > 1 && y > 1 && x < width - 2 && y < height - 2;
      if (isInside) pixels.set([0, 140, 90, 255], y * row + 1 + x * 4);
    }
  }
  return deflateSync(pixels);
}

export function pngLogo(width = 64, height = 64): Buffer {
  const look = { width, height };
  return Buffer.concat([PNG_START, pngHeader(look), pngChunk('IDAT', pngPixels(look)), pngChunk('IEND')]);
}

export const SVG_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 30"><rect width="60" height="30" rx="6" fill="#b5179e"/>' +
  '<circle cx="15" cy="15" r="9" fill="#fff"/><path d="M32 8h20v14H32z" fill="#ffd60a"/></svg>';

/** An SVG around that content. */
export const svgOf = (content: string, attributes = 'viewBox="0 0 48 48"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

/** Parts of 32 x 16 pixels, made by libwebp in Chromium. */
export const WEBP = {
  /** Lossless, with alpha. */
  VP8L: Buffer.from(
    'Lx/AAxCvoKhtG6jd9R7RsRnf0FAcSQa0jvCk6y0qT0ZRI0lR7XJYQTa6UMJz1ESSwiZ5YpcUQEfs3GY3yI9g5FweDw' +
      'flfNhmUY0kbA60LLA8MBkIbCsA/3p9fQgOI0lyGpwkvN2d/HMF3V8RQUT/Fblt2zCjvTuvAAAAAAAAAAAAqIblPJeh' +
      'Ss9ns217+ySns+3n59GSJEmSBNT77e/bZPR21H3GFJsy1tiaccSOjDk2Z4yxMaO9ornaojuHX+RbzqWY6+t38cpNAQ' +
      '==',
    'base64',
  ),
  /** Lossy. */
  VP8: Buffer.from(
    'sAUAnQEqIAAQAD7RVKNLqCSjIbAIAQAaCWwAnTKEYApgOABtgPEA/QDfAOAA/QDrAPKqBI5wAP7o1xy1DLVM2sefuC' +
      'iGVbzUJcqNSIovL6GTvuKRFpsmlvBaxIT55lfmr/gmRG0emWUoHYTktnvxvPetAlbmViAA',
    'base64',
  ),
  /** Alpha beside a lossy picture. */
  ALPH: Buffer.from(
    'DXBi27ab3LjIxGYUX/4BUEcQXPcdBoDuvVcFCpkpfPmHgEKyInGdl7fIBCJiAvCXVlkKaNX1uZItABDSrXk88SK+O6' +
      'uhB+BBMgC7A+KqcUPwNKhO5MAgSZAqBCbNvDNoQdIIwSxlEfwjx6W5IWTAel6unC/XAj6NQPBqrhTQ6gR2v6s02AE=',
    'base64',
  ),
} as const;

export function webpChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

export function webpOf(...chunks: readonly Buffer[]): Buffer {
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** Of the extended form. */
export function webpHeader(flags: number, width = 32, height = 16): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

export const webpLogo = () => webpOf(webpChunk('VP8L', WEBP.VP8L));
