/** The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038). Pure. */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1b}ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€';
const BITS = 7;

/** How many septets a character takes; null where the alphabet does not have it. */
export function septetsOf(character: string): 1 | 2 | null {
  if (EXTENDED.includes(character)) return 2;
  return character !== '\u{1b}' && BASIC.includes(character) ? 1 : null;
}

/** The text of `count` packed septets, without the extension table: names of senders have none. */
export function unpackName(octets: Uint8Array, count: number): string {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const bit = index * BITS;
    const pair = (octets[bit >> 3] ?? 0) | ((octets[(bit >> 3) + 1] ?? 0) << 8);
    text += BASIC[(pair >> (bit & 7)) & 0x7f] ?? '';
  }
  return text;
}

/** A name of which the septets were taken for ASCII. */
export function nameOfAscii(text: string): string {
  return [...text].map((character) => BASIC[character.charCodeAt(0)] ?? character).join('');
}

/** Undoes `nameOfAscii`. */
export function asciiOfName(name: string): string {
  return [...name].map((character) => String.fromCharCode(Math.max(0, BASIC.indexOf(character)))).join('');
}
