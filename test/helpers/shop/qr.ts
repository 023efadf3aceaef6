/** The Bangla QR code of a made-up shop, and codes as pictures. */
import jsqr from 'jsqr';
import { checksum, type DataObject, writeObjects } from '../../../src/channels/qr-interbank/emv.js';

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

export function payloadOf(objects: readonly DataObject[]): string {
  const body = `${writeObjects(objects)}6304`;
  return body + checksum(body);
}

export const printedPayload = payloadOf(printedObjects);

/** The personal code of a wallet account, as its app gives it to the owner. */
export const personalPayload = (number: string, name = 'KARIM MIA') =>
  payloadOf([
    { id: '00', value: '01' },
    { id: '01', value: '11' },
    { id: '26', value: `0014bd.org.bb.npsb010203020400070311${number}` },
    { id: '52', value: '4829' },
    { id: '53', value: '050' },
    { id: '58', value: 'BD' },
    { id: '59', value: name },
    { id: '60', value: 'DHAKA' },
    { id: '62', value: '0803***' },
    { id: '80', value: `0014bd.org.bb.npsb0144${'A'.repeat(44)}` },
    { id: '81', value: `0014bd.org.bb.npsb0144${'B'.repeat(44)}` },
  ]);

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
