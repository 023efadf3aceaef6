/** The Bangla QR code of a made-up personal account, as the wallet's app gives it to its owner. */
import { writeObjects } from '../../../src/channels/qr-interbank/emv.js';
import { payloadOf } from './qr.js';

/** Half of an Ed25519 signature in base64; made up, as nobody here has the keys to check it. */
const HALF = 'Ab3+'.repeat(11);

const signature = (half: string) =>
  writeObjects([
    { id: '00', value: 'bd.org.bb.npsb' },
    { id: '01', value: half },
  ]);

/** @param number of the wallet. @param name what the payer's app shows. @returns the text of the code. */
export function personalCode(number: string, name: string): string {
  const account = [
    { id: '00', value: 'bd.org.bb.npsb' },
    { id: '01', value: '03' },
    { id: '02', value: '0007' },
    { id: '03', value: number },
  ];
  return payloadOf([
    { id: '00', value: '01' },
    { id: '01', value: '11' },
    { id: '26', value: writeObjects(account) },
    { id: '52', value: '4829' },
    { id: '53', value: '050' },
    { id: '58', value: 'BD' },
    { id: '59', value: name },
    { id: '60', value: 'DHAKA' },
    { id: '62', value: '0803***' },
    { id: '80', value: signature(HALF) },
    { id: '81', value: signature([...HALF].reverse().join('')) },
  ]);
}
