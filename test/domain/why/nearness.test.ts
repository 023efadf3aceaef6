/** Which ids are one slip of the finger apart, and which are not. */
import test from 'ava';
import { isNearly } from '../../../src/domain/why/naming.js';

const near: [what: string, one: string, other: string][] = [
  ['O for 0', 'DKM4TYP001', 'DKM4TYPO01'],
  ['several letters that look like digits', 'SO1B2Z44AA', '50182244AA'],
  ['small letters with one that is wrong', 'dkm4typ001', 'DKM4TYP007'],
  ['a character that is missing at the end', 'DKM4TYP00', 'DKM4TYP001'],
  ['a character that is missing in front', 'KM4TYP001', 'DKM4TYP001'],
  ['a character too many', 'DKM44TYP001', 'DKM4TYP001'],
  ['two neighbours swapped', 'DKM4YTP001', 'DKM4TYP001'],
  ['the last two swapped', 'DKM4TYP010', 'DKM4TYP001'],
];
for (const [what, one, other] of near) {
  test(`near: ${what}`, (t) => {
    t.true(isNearly(one, other));
    t.true(isNearly(other, one), 'both ways');
  });
}

const far: [what: string, one: string, other: string][] = [
  ['the same id', 'DKM4TYP001', 'DKM4TYP001'],
  ['the same id in small letters', 'dkm4typ001', 'DKM4TYP001'],
  ['two wrong characters', 'DKM4TYP001', 'DKM4TXW001'],
  ['two missing characters', 'DKM4TYP0', 'DKM4TYP001'],
  ['two that are swapped, not neighbours', 'TKM4DYP001', 'DKM4TYP001'],
  ['a swap and a wrong character', 'DKM4YTP007', 'DKM4TYP001'],
  ['ids of five characters', 'AB123', 'AB124'],
];
for (const [what, one, other] of far) {
  test(`not near: ${what}`, (t) => {
    t.false(isNearly(one, other));
    t.false(isNearly(other, one), 'both ways');
  });
}

test('each letter that is read as a digit is near to it, even with one more typo', (t) => {
  for (const pair of ['O0', 'Q0', 'I1', 'L1', 'Z2', 'S5', 'B8']) {
    const [letter, digit] = pair;
    t.true(isNearly(`${letter}${letter}KM4TYP`, `${digit}${digit}KM4TYP`), pair);
    t.true(isNearly(`${letter}KM4TYP${letter}`, `${digit}KM4TYW${digit}`), pair);
  }
  t.false(isNearly('WWKM4TYP', '00KM4TYP'));
});

test('ids of six characters count, if both are that long', (t) => {
  t.true(isNearly('AC1234', 'AC1235'));
  t.true(isNearly('AC1234', 'AC12345'));
  t.false(isNearly('AC123', 'AC1234'));
});

test('of a swap both characters must have changed their places', (t) => {
  t.false(isNearly('DKM4YWP001', 'DKM4TYP001'));
  t.false(isNearly('DKM4WTP001', 'DKM4TYP001'));
  t.false(isNearly('DKM4TYP0', 'DKM4TYPXY0'), 'two more in the middle');
});
