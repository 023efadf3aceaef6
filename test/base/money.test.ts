import test from 'ava';
import fc from 'fast-check';
import { formatTaka, parseTaka, takaJsonNumber } from '../../src/base/money.js';

const refused: readonly (readonly [string, string])[] = [
  ['', 'not_a_decimal'],
  ['-1', 'not_a_decimal'],
  ['+1', 'not_a_decimal'],
  [' 10', 'not_a_decimal'],
  ['10 ', 'not_a_decimal'],
  ['1e5', 'not_a_decimal'],
  ['1E5', 'not_a_decimal'],
  ['0x10', 'not_a_decimal'],
  ['NaN', 'not_a_decimal'],
  ['Infinity', 'not_a_decimal'],
  ['1,000', 'not_a_decimal'],
  ['.5', 'not_a_decimal'],
  ['5.', 'not_a_decimal'],
  ['1.2.3', 'not_a_decimal'],
  ['10\n', 'not_a_decimal'],
  ['৫০০', 'not_a_decimal'],
  ['९९', 'not_a_decimal'],
  ['５００', 'not_a_decimal'],
  ['0.001', 'too_many_decimals'],
  ['10.005', 'too_many_decimals'],
  ['1.000', 'too_many_decimals'],
  ['99999999999999999999', 'too_large'],
  ['999999999999999', 'too_large'],
];

for (const [text, reason] of refused) {
  test(`${JSON.stringify(text)} is no amount: ${reason}`, (t) => {
    t.deepEqual(parseTaka(text), { ok: false, reason } as never);
  });
}

test('plain decimals are read exactly', (t) => {
  const read = (text: string) => {
    const parsed = parseTaka(text);
    return parsed.ok ? parsed.paisa : null;
  };
  t.deepEqual(
    ['0', '0.01', '1', '1.5', '1.50', '100.10', '1000000', '1000000.00', '0.1', '007'].map(read),
    [0, 1, 100, 150, 150, 10_010, 100_000_000, 100_000_000, 10, 700],
  );
});

test('every amount of paisa survives being written and read', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (paisa) => {
      const parsed = parseTaka(formatTaka(paisa));
      return parsed.ok && parsed.paisa === paisa;
    }),
  );
  t.pass();
});

test('the JSON number of an amount has the digits of its decimal text', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (paisa) => {
      const parsed = parseTaka(JSON.stringify(takaJsonNumber(paisa)));
      return parsed.ok && parsed.paisa === paisa;
    }),
  );
  t.is(JSON.stringify(takaJsonNumber(50_050)), '500.5');
});

test('what is no whole paisa cannot be written', (t) => {
  t.throws(() => formatTaka(1.5), { instanceOf: TypeError });
  t.is(formatTaka(-5), '-0.05');
});
