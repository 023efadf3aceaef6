/** Pages as they go over the wire. */
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { packPage, takesGzip } from '../../../daemon/checkout/packed.js';

test('a packed page is the page again, whatever stands in it and however many came before', (t) => {
  const again = (html: string) => gunzipSync(packPage(html)).toString('utf8') === html;
  const style = fc.constantFrom('', '<style>a{}</style>', '<style>b{}</style>', '</style></style>');
  const words = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(fc.property(words, style, words, (before, middle, after) => again(before + middle + after)));
  t.true(again('') && again('৳'.repeat(50_000)) && again(`<style></style>${'x'.repeat(200_000)}`));
  for (let n = 0; n < 300; n += 1) t.true(again(`${n}</style>${n}`));
});

test('gzip is sent to those who take it and to nobody else', (t) => {
  for (const yes of ['gzip', 'GZIP', 'br, gzip;q=0.1', 'x-gzip', '*', 'gzip;q=1.0,*;q=0', 'deflate,gzip']) {
    t.true(takesGzip(yes), yes);
  }
  for (const no of [
    undefined,
    '',
    'br',
    'identity',
    'gzip;q=0',
    '*;q=0',
    'gzip;q=0, *',
    'gzipped',
    'gzip;x=1',
  ]) {
    t.false(takesGzip(no), no ?? 'no header');
  }
});
