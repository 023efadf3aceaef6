/**
 * The notation of EMVCo merchant-presented QR codes: objects of a two-digit id, a two-digit length and a
 * value, closed by a checksum. Knows how such a text is read and written, and not what its objects mean.
 */

export interface DataObject {
  /** Two digits. */
  readonly id: string;
  readonly value: string;
}

export type ReadObjects =
  | { readonly ok: true; readonly objects: readonly DataObject[] }
  /** `at` is the character, counted from 1, from which on it cannot be read. */
  | { readonly ok: false; readonly at: number };

const HEAD = 4;
export const MAX_VALUE = 99;

/** Lengths count characters, not bytes: names in Bangla stand in these codes too. */
export function readObjects(text: string): ReadObjects {
  const characters = [...text];
  const objects: DataObject[] = [];
  let next = 0;
  while (next < characters.length) {
    const head = characters.slice(next, next + HEAD).join('');
    const length = Number(head.slice(2));
    const start = next + HEAD;
    if (!/^[0-9]{4}$/.test(head) || start + length > characters.length) return { ok: false, at: next + 1 };
    objects.push({ id: head.slice(0, 2), value: characters.slice(start, start + length).join('') });
    next = start + length;
  }
  return { ok: true, objects };
}

/** @throws TypeError for a value that no object can hold; callers keep to `MAX_VALUE`. */
export function writeObjects(objects: readonly DataObject[]): string {
  return objects
    .map(({ id, value }) => {
      const { length } = [...value];
      if (length > MAX_VALUE) throw new TypeError(`object ${id} has ${length} characters`);
      return `${id}${String(length).padStart(2, '0')}${value}`;
    })
    .join('');
}

export function findValue(objects: readonly DataObject[], id: string): string | undefined {
  return objects.find((object) => object.id === id)?.value;
}

/** The objects with one of them set: where it stood, or before the first of a higher id. */
export function withObject(objects: readonly DataObject[], id: string, value: string): DataObject[] {
  const there = objects.findIndex((object) => object.id === id);
  if (there !== -1) return objects.with(there, { id, value });
  const after = objects.findIndex((object) => object.id > id);
  return objects.toSpliced(after === -1 ? objects.length : after, 0, { id, value });
}

/** @returns the first id that comes twice, or undefined. */
export function repeatedId(objects: readonly DataObject[]): string | undefined {
  return objects.find(({ id }, index) => objects.findIndex((other) => other.id === id) !== index)?.id;
}

export const CRC_HEAD = '6304';

/** CRC-16/CCITT-FALSE (polynomial 0x1021, from 0xFFFF) of the UTF-8 bytes, as four upper-case hex digits. */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
