/** Which ids are one slip of the finger apart, and which are not. */
import test from 'ava';
import { isNearly } from '../../../src/domain/why/nearness.js';

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
