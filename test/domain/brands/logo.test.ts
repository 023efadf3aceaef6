/** PNG and WebP as logos: what is taken, what is left of it, and what is refused with which advice. */
import { deflateSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { MAX_LOGO_BYTES, readLogo } from '../../../src/domain/brands/logo.js';
import {
  PNG_START,
  pngChunk,
  pngHeader,
  pngLogo,
  pngPixels,
  SVG_LOGO,
  WEBP,
  webpChunk,
  webpHeader,
  webpLogo,
  webpOf,
} from '../../helpers/shop/logos.js';

const LOOK = { width: 64, height: 64 };
const HEADER = pngHeader(LOOK);
const PIXELS = pngChunk('IDAT', pngPixels(LOOK));
const END = pngChunk('IEND');
const png = (...chunks: readonly Buffer[]) => Buffer.concat([PNG_START, ...chunks]);

function faultOf(bytes: Buffer): string {
  const read = readLogo(bytes);
  return read.ok ? 'taken' : `${read.fault}. ${read.advice}`;
}

test('a PNG, a WebP and an SVG are known by their content and measured', (t) => {
  const sizes = [pngLogo(64, 32), webpLogo(), Buffer.from(SVG_LOGO)].map((bytes) => {
    const read = readLogo(bytes);
    return read.ok ? { ...read.facts, isAll: read.content.length === read.facts.bytes } : read.fault;
  });
  t.like(sizes, {
    0: { width: 64, height: 32, isAll: true },
    1: { width: 32, height: 16, isAll: true },
    2: { width: 256, height: 128, isAll: true },
  });
  const files = sizes.map((facts) => (typeof facts === 'string' ? facts : facts.file));
  for (const [at, ending] of ['png', 'webp', 'svg'].entries()) {
    t.regex(files[at] ?? '', new RegExp(`^[0-9a-f]{32}\\.${ending}$`));
  }
});

test('the address is made of the content: the same picture has the same, another has another', (t) => {
  const fileOf = (bytes: Buffer) => {
    const read = readLogo(bytes);
    return read.ok ? read.facts.file : read.fault;
  };
  t.is(fileOf(pngLogo()), fileOf(pngLogo()));
  t.not(fileOf(pngLogo()), fileOf(pngLogo(64, 65)));
});

test('of a PNG nothing is kept that does not show: no camera, place, text, profile or time', (t) => {
  const secrets = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'iCCP', 'tIME', 'pHYs', 'prVt'];
  const parts = secrets.map((name) => pngChunk(name, Buffer.from(`of ${name}: 23.8103N 90.4125E`)));
  const shown = [pngChunk('sRGB', Buffer.from([0])), pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))];
  const read = readLogo(png(HEADER, ...parts, ...shown, PIXELS, pngChunk('tEXt', Buffer.from('x')), END));
  t.true(read.ok);
  if (read.ok) t.deepEqual(read.content, png(HEADER, ...shown, PIXELS, END));
});

test('of a WebP likewise, in each of its forms', (t) => {
  const [lossless, lossy, alpha] = [
    webpChunk('VP8L', WEBP.VP8L),
    webpChunk('VP8 ', WEBP.VP8),
    webpChunk('ALPH', WEBP.ALPH),
  ];
  const secrets = [
    webpChunk('EXIF', Buffer.from('23.8103N 90.4125E')),
    webpChunk('XMP ', Buffer.from('<x/>')),
  ];
  const profile = webpChunk('ICCP', Buffer.from('profile'));
  const forms: readonly [given: Buffer, kept: Buffer][] = [
    [webpOf(lossless), webpOf(lossless)],
    [webpOf(lossy, webpChunk('JUNK', Buffer.from('x'))), webpOf(lossy)],
    [webpOf(webpHeader(0x3c), profile, lossless, ...secrets), webpOf(webpHeader(0x10), lossless)],
    [webpOf(webpHeader(0x3c), profile, alpha, lossy, ...secrets), webpOf(webpHeader(0x10), alpha, lossy)],
    [webpOf(webpHeader(0x28), profile, lossy, ...secrets), webpOf(webpHeader(0), lossy)],
  ];
  for (const [given, kept] of forms) {
    const read = readLogo(given);
    t.true(read.ok, faultOf(given));
    if (read.ok) t.deepEqual(read.content, kept);
  }
});

test('whatever is cut off or changed in one place is refused or still a whole picture', (t) => {
  for (const whole of [pngLogo(), webpOf(webpHeader(0x10), webpChunk('VP8L', WEBP.VP8L)), webpLogo()]) {
    for (let length = 0; length < whole.length; length += 1) {
      t.false(readLogo(whole.subarray(0, length)).ok, `cut at ${length} of ${whole.length}`);
    }
    t.regex(faultOf(Buffer.concat([whole, Buffer.from('<script>')])), /has something behind its end/);
  }
  const whole = pngLogo();
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ change;
      return !readLogo(bytes).ok;
    }),
    { numRuns: 300 },
  );
});

test('bytes of any kind end in an answer', (t) => {
  const begins = [Buffer.alloc(0), PNG_START, Buffer.from('RIFF\x10\0\0\0WEBPVP8X'), Buffer.from('<svg ')];
  const bytes = fc.tuple(fc.constantFrom(...begins), fc.uint8Array({ maxLength: 200 }));
  fc.assert(fc.property(bytes, ([begin, rest]) => !readLogo(Buffer.concat([begin, rest])).ok));
  t.pass();
});

test('a bomb is not unpacked: neither one of a huge size nor one that holds more than its size', (t) => {
  const huge = { width: 60_000, height: 60_000 };
  const promise = png(pngHeader(huge), pngChunk('IDAT', deflateSync(Buffer.alloc(1_000))), END);
  t.regex(faultOf(promise), /has 60000 x 60000 pixels\. Save it with 16 to 1024 pixels/);
  const zeros = pngChunk('IDAT', deflateSync(Buffer.alloc(20_000_000)));
  t.true(zeros.length < MAX_LOGO_BYTES);
  t.regex(faultOf(png(HEADER, zeros, END)), /its pixels do not fit/);
  const short = pngChunk('IDAT', deflateSync(Buffer.alloc(100)));
  t.regex(faultOf(png(HEADER, short, END)), /its pixels do not fit/);
  t.regex(faultOf(webpOf(webpHeader(0, 16_000, 16_000), webpChunk('VP8L', WEBP.VP8L))), /two sizes/);
});

test('what is hidden behind the pixels or in another part is refused', (t) => {
  const hidden = pngChunk('IDAT', Buffer.concat([pngPixels(LOOK), Buffer.from('PK\x03\x04 a zip')]));
  t.regex(faultOf(png(HEADER, hidden, END)), /its pixels do not fit/);
  t.regex(faultOf(png(HEADER, pngChunk('EVIL'), PIXELS, END)), /its part EVIL is unknown/);
  t.regex(faultOf(png(HEADER, HEADER, PIXELS, END)), /out of order/);
  t.regex(faultOf(png(HEADER, PIXELS, pngChunk('tRNS', Buffer.alloc(1)), PIXELS, END)), /out of order/);
  t.regex(faultOf(png(PIXELS, HEADER, END)), /it has no header/);
  t.regex(faultOf(png(HEADER, END)), /out of order/);
  const jpegFirst = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), pngLogo()]);
  t.regex(faultOf(jpegFirst), /is no PNG, WebP or SVG\. Save it as one of them/);
});

test('palettes and depths are those of the standard', (t) => {
  const rows = (bits: number) => pngChunk('IDAT', deflateSync(Buffer.alloc(16 * (1 + (16 * bits) / 8))));
  const small = (colourType: number, depth: number) =>
    pngHeader({ width: 16, height: 16, colourType, depth });
  const palette = pngChunk('PLTE', Buffer.alloc(6));
  t.is(faultOf(png(small(3, 1), palette, pngChunk('tRNS', Buffer.alloc(1)), rows(1), END)), 'taken');
  t.is(faultOf(png(small(0, 16), rows(16), END)), 'taken');
  t.regex(faultOf(png(small(3, 8), rows(8), END)), /it has no palette/);
  t.regex(faultOf(png(small(3, 16), palette, rows(16), END)), /its header is none/);
  t.regex(faultOf(png(small(5, 8), rows(8), END)), /its header is none/);
  t.regex(faultOf(png(small(3, 1), pngChunk('PLTE', Buffer.alloc(7)), rows(1), END)), /out of order/);
  const filter = Buffer.alloc(16 * 3);
  filter[3] = 5;
  t.regex(faultOf(png(small(0, 8), rows(8), END)), /taken/);
  t.regex(faultOf(png(small(3, 8), palette, pngChunk('IDAT', deflateSync(filter)), END)), /do not fit/);
});

test('animated and interlaced pictures are refused with what to do', (t) => {
  const animation = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  t.is(faultOf(png(HEADER, animation, PIXELS, END)), 'is animated. Export a single picture of it.');
  const interlaced = pngHeader({ ...LOOK, interlacing: 1 });
  t.regex(faultOf(png(interlaced, PIXELS, END)), /is an interlaced PNG\. Save it without interlacing/);
  const frame = webpChunk('ANMF', Buffer.alloc(16));
  t.regex(faultOf(webpOf(webpHeader(0x02), frame)), /is animated/);
  t.regex(faultOf(webpOf(webpHeader(0), webpChunk('ANIM', Buffer.alloc(6)), frame)), /is animated/);
});

test('sides, shape and bytes have limits that are told', (t) => {
  t.regex(faultOf(pngLogo(15, 40)), /has 15 x 40 pixels/);
  t.regex(faultOf(pngLogo(1_025, 600)), /has 1025 x 600 pixels/);
  t.regex(faultOf(pngLogo(100, 20)), /too long or too narrow.*at most 4 times the other/);
  t.is(faultOf(pngLogo(64, 16)), 'taken');
  t.regex(faultOf(Buffer.alloc(MAX_LOGO_BYTES + 1)), /is larger than 32 KiB\. Save it smaller/);
  for (const other of ['', 'GIF89a', '%PDF-1.7', 'MZ', '\x1f\x8b\x08 svgz', 'BM', '\0\0\0\x1cftypavif']) {
    t.regex(faultOf(Buffer.from(other, 'latin1')), /is no PNG, WebP or SVG/, other);
  }
});

test('a WebP picture whose own header is none is refused', (t) => {
  const changed = (data: Buffer, at: number, value: number) => {
    const copy = Buffer.from(data);
    copy[at] = value;
    return copy;
  };
  const lossy = (at: number, value: number) => webpOf(webpChunk('VP8 ', changed(WEBP.VP8, at, value)));
  const first = WEBP.VP8.readUInt8(0);
  t.is(faultOf(lossy(0, first)), 'taken');
  for (const [at, value] of [
    [0, first | 1],
    [0, first & ~0x10],
    [3, 0],
    [2, 0xff],
  ] as const) {
    t.regex(faultOf(lossy(at, value)), /its picture is none/);
  }
  t.regex(faultOf(webpOf(webpChunk('VP8L', changed(WEBP.VP8L, 0, 0)))), /it has no picture/);
  t.regex(faultOf(webpOf(webpChunk('VP8L', changed(WEBP.VP8L, 4, 0xff)))), /its picture is none/);
  t.regex(faultOf(webpOf(webpChunk('VP8L', WEBP.VP8L), webpChunk('VP8 ', WEBP.VP8))), /out of order/);
  t.regex(faultOf(webpOf(webpChunk('ALPH', WEBP.ALPH), webpChunk('VP8 ', WEBP.VP8))), /out of order/);
  t.regex(faultOf(webpOf()), /out of order/);
});
