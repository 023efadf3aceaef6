/** PNG, JPEG and WebP as logos and marks: what is taken, and what is refused with which advice. */
import test from 'ava';
import fc from 'fast-check';
import { parseLogo, parseMark } from '../../../src/domain/brands/picture.js';
import { jpegLogo, pngLogo, webpLogo } from '../../helpers/shop/logos.js';

function faultOf(bytes: Buffer, parse = parseLogo): string {
  const read = parse(bytes);
  return read.ok ? 'taken' : `${read.fault}. ${read.advice}`;
}

test('a PNG, a JPEG and a WebP are known by their first bytes and measured', (t) => {
  for (const [bytes, ending, width, height] of [
    [pngLogo(64, 32), 'png', 64, 32],
    [jpegLogo(), 'jpg', 256, 128],
    [webpLogo(), 'webp', 32, 16],
  ] as const) {
    const read = parseLogo(bytes);
    if (!read.ok) return t.fail(read.fault);
    const { file, ...facts } = read.facts;
    t.deepEqual(facts, { width, height, bytes: bytes.length });
    t.regex(file, new RegExp(`^[0-9a-f]{32}\\.${ending}$`));
  }
});

test('the address is made of the content: the same picture has the same, another has another', (t) => {
  const fileOf = (bytes: Buffer) => {
    const read = parseLogo(bytes);
    return read.ok ? read.facts.file : read.fault;
  };
  t.is(fileOf(pngLogo()), fileOf(pngLogo()));
  t.not(fileOf(pngLogo()), fileOf(pngLogo(64, 65)));
});

test('a logo that a page cannot show next to a name is refused with what to do', (t) => {
  t.is(faultOf(pngLogo(16, 64)), 'taken');
  t.is(faultOf(pngLogo(1_024, 256)), 'taken');
  t.regex(faultOf(pngLogo(15, 15)), /^has 15 x 15 pixels\. Save it with 16 to 1024 pixels/);
  t.regex(faultOf(pngLogo(1_025, 1_025)), /^has 1025 x 1025 pixels/);
  t.regex(faultOf(pngLogo(16, 65)), /^is too long or too narrow .* at most 4 times/);
  t.regex(faultOf(Buffer.alloc(32 * 1024 + 1)), /^is larger than 32 KiB/);
  const others = [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"/>',
    'GIF89a@\0@\0',
    '<html>',
  ];
  for (const text of others)
    t.regex(faultOf(Buffer.from(text, 'latin1')), /^is not a PNG, JPEG or WebP/, text);
});

test('a mark that a page cannot show in place of two letters is refused with what to do', (t) => {
  t.is(faultOf(pngLogo(32, 64), parseMark), 'taken');
  t.is(faultOf(pngLogo(512, 256), parseMark), 'taken');
  t.is(faultOf(jpegLogo(64, 64), parseMark), 'taken');
  t.regex(faultOf(webpLogo(), parseMark), /^has 32 x 16 pixels\. Save it with 32 to 512 pixels on each side/);
  t.regex(faultOf(pngLogo(31, 31), parseMark), /^has 31 x 31 pixels/);
  t.regex(faultOf(pngLogo(513, 300), parseMark), /^has 513 x 300 pixels/);
  t.regex(faultOf(pngLogo(65, 32), parseMark), /^is too long or too narrow .* at most 2 times/);
  t.is(faultOf(Buffer.alloc(16 * 1024), parseMark).slice(0, 30), 'is not a PNG, JPEG or WebP, or');
  t.regex(faultOf(Buffer.alloc(16 * 1024 + 1), parseMark), /^is larger than 16 KiB/);
  t.regex(faultOf(Buffer.from('<svg viewBox="0 0 48 48"/>'), parseMark), /^is not a PNG, JPEG or WebP/);
});

test('no bytes whatever break the reader', (t) => {
  const begins = [pngLogo(), jpegLogo(), webpLogo()].map((bytes) => fc.constant(bytes.subarray(0, 24)));
  const bytes = fc.tuple(
    fc.oneof(fc.constant(Buffer.alloc(0)), ...begins),
    fc.uint8Array({ maxLength: 200 }),
  );
  t.notThrows(() =>
    fc.assert(
      fc.property(bytes, ([begin, rest]) => typeof parseLogo(Buffer.concat([begin, rest])).ok === 'boolean'),
    ),
  );
});
