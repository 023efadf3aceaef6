import test from 'ava';
import fc from 'fast-check';
import {
  formatTaka,
  type ParsedAmount,
  parseFloatTaka,
  parseRoundedTaka,
  parseTaka,
  takaJsonNumber,
} from '../../../src/base/values/money.js';

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
  test(`rejects ${JSON.stringify(text)} as an amount: ${reason}`, (t) => {
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

const taken: readonly (readonly [string, number])[] = [
  ['121.00000000000001', 12_100],
  ['120.99999999999999', 12_100],
  ['0.009999999999999998', 1],
  ['10.100000000000364', 1_010],
  ['1.00000000000000001', 100],
  ['900.000', 90_000],
  [' 900 ', 90_000],
  ['99.5000000000000', 9_950],
  ['999999.9999999999', 100_000_000],
];
for (const [text, paisa] of taken) {
  test(`${JSON.stringify(text)} of a shop is two decimals to double precision`, (t) => {
    t.deepEqual(parseFloatTaka(text), { ok: true, paisa });
  });
}

const fractions = ['10.005', '0.001', '133.705', '99.99999', '10.00999999', '1.000001', '1.00999'];
for (const text of fractions) {
  test(`${text} of a shop is a real part of a paisa`, (t) => {
    t.deepEqual(parseFloatTaka(text), { ok: false, reason: 'too_many_decimals' });
  });
}

test('rejects anything but a plain decimal from a shop', (t) => {
  for (const text of ['', ' ', '1e2', '1,000', '-1', '+1', '.5', '5.', '1 000', '৫০০', 'NaN', '0x10']) {
    t.deepEqual(parseFloatTaka(text), { ok: false, reason: 'not_a_decimal' }, text);
  }
  t.deepEqual(parseFloatTaka('99999999999999999999'), { ok: false, reason: 'too_large' });
});

test('a price times a rate in floating point is taken as the exact product, or refused where that has a third decimal', (t) => {
  const price = fc.integer({ min: 1, max: 10_000_000 });
  const rate = fc.record({
    digits: fc.integer({ min: 1, max: 5_000_000 }),
    decimals: fc.integer({ min: 0, max: 4 }),
  });
  const counts = { exact: 0, fraction: 0 };
  fc.assert(
    fc.property(price, rate, (paisa, { digits, decimals }) => {
      const product = (paisa / 100) * (digits / 10 ** decimals);
      const scale = 10n ** BigInt(decimals);
      const exact = BigInt(paisa) * BigInt(digits);
      const isExact = exact % scale === 0n;
      counts[isExact ? 'exact' : 'fraction'] += 1;
      const wanted: ParsedAmount = isExact
        ? { ok: true, paisa: Number(exact / scale) }
        : { ok: false, reason: 'too_many_decimals' };
      // As JavaScript and PHP write it today, and with all 17 digits as PHP did for years.
      const texts = product < 1_000_000 ? [String(product), product.toPrecision(17)] : [];
      return texts.every((text) => JSON.stringify(parseFloatTaka(text)) === JSON.stringify(wanted));
    }),
    { numRuns: 20_000 },
  );
  t.true(counts.exact > 100 && counts.fraction > 100);
});

test('a sum of prices less a discount in floating point is taken as what it means', (t) => {
  const prices = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(prices, fc.integer({ min: 0, max: 1_000_000 }), (paisa, discount) => {
      const due = paisa.reduce((sum, one) => sum + one, 0) - discount;
      if (due <= 0) return true;
      const written = String(paisa.reduce((sum, one) => sum + one / 100, 0) - discount / 100);
      return JSON.stringify(parseFloatTaka(written)) === JSON.stringify({ ok: true, paisa: due });
    }),
    { numRuns: 5_000 },
  );
  t.pass();
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

test('throws when formatting a fraction of a paisa', (t) => {
  t.throws(() => formatTaka(1.5), { instanceOf: TypeError });
  t.is(formatTaka(-5), '-0.05');
});

test('a product is rounded half up, and float noise below a half counts as the half', (t) => {
  const rows = [
    ['10.994', 1_099],
    ['10.995', 1_100],
    ['10.9949999999999992', 1_100],
    ['10.99499', 1_099],
    ['0.005', 1],
    ['999999.995', 100_000_000],
    ['1335.8345', 133_583],
    [' 900.000 ', 90_000],
    ['7', 700],
  ] as const;
  for (const [text, paisa] of rows) t.deepEqual(parseRoundedTaka(text), { ok: true, paisa }, text);
  for (const text of ['1e3', '1,000', '-1', '']) t.false(parseRoundedTaka(text).ok, text);
});
