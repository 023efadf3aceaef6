import test from 'ava';
import fc from 'fast-check';
import { parseBankReference, parseWalletReference } from '../../../src/domain/matching/reference.js';

test('case and surrounding spaces make no second id', (t) => {
  for (const text of ['DHL60302ZX', 'dhl60302zx', '  DHL60302ZX ', '\tdHl60302Zx\n', '\u00a0DHL60302ZX']) {
    t.deepEqual(parseWalletReference(text), { outcome: 'id', reference: 'DHL60302ZX' });
  }
});

test('letters that would turn into ASCII are not an id', (t) => {
  const spellings = [
    'DHL6030\u212aZX',
    'DHL6030ıZX',
    'ſHL60302ZX',
    'ＤHL60302ZX',
    'DНL60302ZX',
    'DHL\u200b60302ZX',
  ];
  for (const text of spellings) t.is(parseWalletReference(text).outcome, 'invalid', text);
});

test('inner spaces and second lines are not an id', (t) => {
  for (const text of ['DHL6 0302ZX', 'DHL60302ZX\nDHL60302ZY', "' OR 1=1--", '', '   ', 'a'.repeat(200)]) {
    t.is(parseWalletReference(text).outcome, 'invalid', JSON.stringify(text));
  }
});

test('plain text that no wallet gives out is in no record', (t) => {
  for (const text of ['INVALID_TRX', 'TRX-404', '0x12', 'abc']) {
    t.is(parseWalletReference(text).outcome, text === '0x12' ? 'id' : 'no_id', text);
  }
});

test('every id that is read has only upper-case ASCII letters and digits', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = parseWalletReference(text);
      return read.outcome !== 'id' || /^[A-Z0-9]{4,32}$/.test(read.reference);
    }),
    { numRuns: 5_000 },
  );
  t.pass();
});

test('a bank reference is one text however it is typed, and has no twin that looks the same', (t) => {
  for (const text of ['FT 2608/77', ' ft  2608/77 ', 'ft\u200b ২৬০৮/৭৭'])
    t.is(parseBankReference(text), 'FT 2608/77');
  t.is(parseBankReference('রহিম ভাড়া ১২'), 'রহিম ভাড়া 12'.normalize('NFC'));
  const twins = [
    'FТ2608', // Cyrillic Te
    'FΤ2608', // Greek Tau
    'ＦT2608', // full width
    'FT2608\ufe0f', // variation selector
    'FT2608\u034f', // grapheme joiner
    'FT2608\u3164', // Hangul filler
    'FT2608\u0301', // a loose accent
    'FT٢608', // Arabic digit
  ];
  for (const twin of twins) t.is(parseBankReference(twin), null, JSON.stringify(twin));
});

test('a bank reference has 3 to 64 characters, not counting what surrounds it', (t) => {
  for (const text of ['', 'A', ' A1 ', '1\u200b2', 'A'.repeat(65)])
    t.is(parseBankReference(text), null, text);
  for (const text of [' FT1 ', 'A'.repeat(64)]) t.is(parseBankReference(text), text.trim());
});
