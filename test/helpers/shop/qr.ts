/** The Bangla QR code of a made-up shop, and codes as pictures. */
import { checksum, type DataObject, writeObjects } from '../../../src/channels/qr-interbank/tlv.js';

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
