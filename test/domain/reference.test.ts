import test from 'ava';
import fc from 'fast-check';
import { readWalletReference } from '../../src/domain/reference.js';

test('case and surrounding spaces make no second id', (t) => {
  for (const text of ['DHL60302ZX', 'dhl60302zx', '  DHL60302ZX ', '\tdHl60302Zx\n', '\u00a0DHL60302ZX']) {
    t.deepEqual(readWalletReference(text), { outcome: 'id', reference: 'DHL60302ZX' });
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
  for (const text of spellings) t.is(readWalletReference(text).outcome, 'invalid', text);
});

test('inner spaces and second lines are not an id', (t) => {
  for (const text of ['DHL6 0302ZX', 'DHL60302ZX\nDHL60302ZY', "' OR 1=1--", '', '   ', 'a'.repeat(200)]) {
    t.is(readWalletReference(text).outcome, 'invalid', JSON.stringify(text));
  }
});

test('plain text that no wallet gives out is in no record', (t) => {
  for (const text of ['INVALID_TRX', 'TRX-404', '0x12', 'abc']) {
    t.is(readWalletReference(text).outcome, text === '0x12' ? 'id' : 'no_id', text);
  }
});

test('whatever is typed, an id is upper-case ASCII letters and digits', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const read = readWalletReference(text);
      return read.outcome !== 'id' || /^[A-Z0-9]{4,32}$/.test(read.reference);
    }),
    { numRuns: 5_000 },
  );
  t.pass();
});
