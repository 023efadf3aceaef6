/** The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038). Pure. */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1b}ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = '\u{1b}';
/** Extension table, by the character of the basic alphabet that follows an escape. */
const EXTENDED: Readonly<Record<string, string>> = {
  Λ: '^',
  '(': '{',
  ')': '}',
  '/': '\\',
  '<': '[',
  '=': '~',
  '>': ']',
  '¡': '|',
  e: '€',
};
const BASIC_OF = new Map(Object.entries(EXTENDED).map(([basic, extended]) => [extended, basic]));
const BITS = 7;

/** @returns number of septets of a character; null if it is not in the alphabet */
export function countSeptets(character: string): 1 | 2 | null {
  if (BASIC_OF.has(character)) return 2;
  return character !== ESCAPE && BASIC.includes(character) ? 1 : null;
}

/** The text of `count` packed septets. */
export function unpackName(octets: Uint8Array, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const bit = index * BITS;
    const pair = (octets[bit >> 3] ?? 0) | ((octets[(bit >> 3) + 1] ?? 0) << 8);
    text += BASIC[(pair >> (bit & 7)) & 0x7f] ?? '';
  }
  return extend(text);
}

/** Restores a name whose septets were decoded as ASCII. */
export function nameOfAscii(text: string): string {
  return extend([...text].map((character) => BASIC[character.charCodeAt(0)] ?? character).join(''));
}

/** Undoes `nameOfAscii`. */
export function asciiOfName(name: string): string {
  const basic = [...name].map((character) => {
    const extended = BASIC_OF.get(character);
    return extended === undefined ? character : `${ESCAPE}${extended}`;
  });
  return [...basic.join('')]
    .map((character) => String.fromCharCode(Math.max(0, BASIC.indexOf(character))))
    .join('');
}

function extend(text: string): string {
  return text.replace(/\u{1b}(.)/gsu, (_, basic: string) => EXTENDED[basic] ?? basic);
}
