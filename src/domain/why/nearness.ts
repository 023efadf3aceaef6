/** Is one transaction id the other with one slip of the finger? Pure. */

/** Letters and digits that people read as one another. */
const ALIKE = new Map([
  ['O', '0'],
  ['Q', '0'],
  ['I', '1'],
  ['L', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['B', '8'],
]);

const folded = (id: string) => [...id.toUpperCase()].map((char) => ALIKE.get(char) ?? char).join('');

/**
 * @returns true where two different ids look alike (O and 0), or differ by one character that is wrong,
 *   missing, too many or swapped with the next. Ids of fewer than six characters are near to too many.
 */
export function isNearly(one: string, other: string): boolean {
  const [a, b] = [folded(one), folded(other)];
  if (one.toUpperCase() === other.toUpperCase() || Math.min(a.length, b.length) < MIN_LENGTH) return false;
  return a === b || isOneApart(a, b);
}

const MIN_LENGTH = 6;

function isOneApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return isSwapped && short.slice(at + 2) === long.slice(at + 2);
}
