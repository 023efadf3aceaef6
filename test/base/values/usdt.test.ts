/** USDT is exact: what goes in as text comes out as the same amount, and nothing is ever rounded. */
import test from 'ava';
import fc from 'fast-check';
import {
  formatSteps,
  formatUsdt,
  parseSteps,
  parseUsdt,
  toBaseUnits,
  toSteps,
} from '../../../src/base/values/usdt.js';

const UNIT = 10n ** 18n;

test('decimal text is read to the last of 18 decimals', (t) => {
  t.is(parseUsdt('1'), UNIT);
  t.is(parseUsdt('1.2'), (UNIT * 12n) / 10n);
  t.is(parseUsdt('0.000000000000000001'), 1n);
  t.is(parseUsdt('23.72469206'), 23_724_692_060_000_000_000n);
  t.is(parseUsdt('1.2000000000000000000000'), (UNIT * 12n) / 10n, 'zeros beyond say nothing');
  t.is(parseUsdt('0'), 0n);
});

test('returns null for non-decimals and for values finer than a unit', (t) => {
  for (const text of ['', '-1', '+1', '1e3', '0x10', ' 1', '1 ', '1,000', '.5', '1.', '১', 'NaN', '1.2.3']) {
    t.is(parseUsdt(text), null, text);
    t.is(parseSteps(text), null, text);
  }
  t.is(parseUsdt('0.0000000000000000001'), null);
  t.is(parseSteps('0.00001'), null);
  t.is(parseSteps('99999999999999'), null, 'no safe integer');
});

test('any number of units comes back from its text', (t) => {
  fc.assert(fc.property(fc.bigInt(0n, 10n ** 30n), (units) => parseUsdt(formatUsdt(units)) === units));
  fc.assert(fc.property(fc.nat(), (steps) => parseSteps(formatSteps(steps)) === steps));
  t.pass();
});

test('texts carry no needless zeros', (t) => {
  t.is(formatUsdt((UNIT * 12n) / 10n), '1.2');
  t.is(formatUsdt(UNIT * 100n), '100');
  t.is(formatUsdt(0n), '0');
  t.is(formatSteps(41_667), '4.1667');
  t.is(formatSteps(1_205_000), '120.5');
});

test('steps and units turn into each other, where units are whole steps', (t) => {
  t.is(toBaseUnits(41_667), 4_166_700_000_000_000_000n);
  t.is(toSteps(toBaseUnits(41_667)), 41_667);
  t.is(toSteps(toBaseUnits(41_667) + 1n), null);
  t.is(toSteps(10n ** 40n), null, 'more than a number holds');
});
