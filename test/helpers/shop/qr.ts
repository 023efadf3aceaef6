/** The Bangla QR code of a made-up shop, and codes as pictures. */
import jsqr from 'jsqr';
import {
  BYTES,
  type Counting,
  checksum,
  type DataObject,
  writeObjects,
} from '../../../src/channels/qr-interbank/emv.js';

export const merchantAccount = (merchantId: string) =>
  writeObjects([
    { id: '00', value: 'com.examplebank' },
    { id: '01', value: '01' },
    { id: '02', value: '0175' },
    ...(merchantId === '' ? [] : [{ id: '03', value: merchantId }]),
  ]);

export const MERCHANT_ID = '1750000000000000012';

/** All but the checksum. */
export const printedObjects: readonly DataObject[] = [
  { id: '00', value: '01' },
  { id: '01', value: '11' },
  { id: '26', value: merchantAccount(MERCHANT_ID) },
  { id: '52', value: '5411' },
  { id: '53', value: '050' },
  { id: '58', value: 'BD' },
  { id: '59', value: 'DOKAN STORE' },
  { id: '60', value: 'DHAKA' },
  { id: '62', value: '0105BILL70708COUNTER1' },
  { id: '64', value: '0002bn0110করিম স্টোর0204ঢাকা' },
];

export function payloadOf(objects: readonly DataObject[], counting?: Counting): string {
  const body = `${writeObjects(objects, counting)}6304`;
  return body + checksum(body);
}

export const printedPayload = payloadOf(printedObjects);

const SIGNATURE = `${'A'.repeat(44)}${'B'.repeat(44)}`;

/** All but the checksum of a personal code; lengths within its templates count bytes. */
export function personalObjects(
  number: string,
  name = 'KARIM MIA',
  signature: string | null = SIGNATURE,
): readonly DataObject[] {
  const template = (...rest: readonly DataObject[]) =>
    writeObjects([{ id: '00', value: 'bd.org.bb.npsb' }, ...rest], BYTES);
  const own = template(
    { id: '01', value: '03' },
    { id: '02', value: '1008' },
    ...(number === '' ? [] : [{ id: '03', value: number }]),
  );
  const halves = signature === null ? [] : [signature.slice(0, 44), signature.slice(44)];
  return [
    { id: '00', value: '01' },
    { id: '01', value: '11' },
    { id: '26', value: own },
    { id: '52', value: '4829' },
    { id: '53', value: '050' },
    { id: '58', value: 'BD' },
    { id: '59', value: name },
    { id: '60', value: 'DHAKA' },
    { id: '62', value: '0803***' },
    ...halves.map((half, at) => ({ id: String(80 + at), value: template({ id: '01', value: half }) })),
  ];
}

interface Issued {
  readonly counting?: Counting;
  /** 88 characters in base64; null for a code without a signature. */
  readonly signature?: string | null;
}

/** The personal code of a wallet account, as its app gives it to the owner. */
export const personalPayload = (
  number: string,
  name?: string,
  { counting = BYTES, signature }: Issued = {},
) => payloadOf(personalObjects(number, name, signature), counting);

/** Of a module in the picture. */
const PIXELS = 4;

/** What a camera reads off a terminal: half blocks are two modules, whatever colours are around them. */
export function scanned(lines: readonly string[]): string | undefined {
  const rows = lines.map((line) => [...line.replace(/\u001b\[[0-9;]*m/g, '')]);
  const width = Math.max(...rows.map((row) => row.length)) * PIXELS;
  const height = rows.length * 2 * PIXELS;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const half = Math.floor(y / PIXELS);
      const cell = rows[Math.floor(half / 2)]?.[Math.floor(x / PIXELS)] ?? ' ';
      const isInked = (half % 2 === 0 ? '█▀' : '█▄').includes(cell);
      data.set(isInked ? [0, 0, 0, 255] : [255, 255, 255, 255], (y * width + x) * 4);
    }
  }
  return jsqr.default(data, width, height)?.data;
}
