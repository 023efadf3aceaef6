/** The GSM 7-bit default alphabet (3GPP TS 23.038) with its extension table, packed and unpacked. */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

const EXTENDED: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};
const ESCAPE = 0x1b;

/** The septets of a text; null where the alphabet has not all of its characters. */
export function toSeptets(text: string): number[] | null {
  const septets: number[] = [];
  for (const character of text) {
    const extended = EXTENDED[character];
    const basic = BASIC.indexOf(character);
    if (extended !== undefined) septets.push(ESCAPE, extended);
    else if (basic >= 0 && basic !== ESCAPE) septets.push(basic);
    else return null;
  }
  return septets;
}

export function fromSeptets(septets: readonly number[]): string {
  let text = '';
  for (let at = 0; at < septets.length; at += 1) {
    const septet = septets[at] ?? 0;
    if (septet !== ESCAPE) {
      text += BASIC[septet] ?? '';
      continue;
    }
    at += 1;
    text += Object.keys(EXTENDED).find((character) => EXTENDED[character] === septets[at]) ?? ' ';
  }
  return text;
}

/** Packs septets into octets, after `skip` bits that a user data header and its filling take. */
export function pack(septets: readonly number[], skip = 0): Buffer {
  const bits = skip + septets.length * 7;
  const octets = Buffer.alloc(Math.ceil(bits / 8));
  septets.forEach((septet, index) => {
    for (let bit = 0; bit < 7; bit += 1) {
      const place = skip + index * 7 + bit;
      if ((septet >> bit) & 1) octets[place >> 3] = (octets[place >> 3] ?? 0) | (1 << (place & 7));
    }
  });
  return octets;
}

export function unpack(octets: Buffer, count: number, skip = 0): number[] {
  return Array.from({ length: count }, (_, index) => {
    let septet = 0;
    for (let bit = 0; bit < 7; bit += 1) {
      const place = skip + index * 7 + bit;
      septet |= (((octets[place >> 3] ?? 0) >> (place & 7)) & 1) << bit;
    }
    return septet;
  });
}
