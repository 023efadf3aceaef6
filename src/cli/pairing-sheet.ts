/** A phone that was enrolled, as `devices enroll`, `devices rotate` and `setup` show it. */
import type { EnrolledDevice } from '../actions/enroll-device.js';
import { type PairingOffer, pairingCommand, pairingLink, pairingQr } from './pairing.js';
import { deviceKeysSheet } from './sheets.js';

/** @param coloured whether the output is a terminal. */
export async function pairingSheet(
  made: EnrolledDevice,
  offer: PairingOffer,
  coloured: boolean,
): Promise<string[]> {
  const link = pairingLink(offer, made.pairing_code);
  return [
    ...deviceKeysSheet(made),
    '',
    'Scan this with the relay app on the phone:',
    '',
    ...(await pairingQr(link, coloured)),
    '',
    'or type there:',
    `  ${pairingCommand(offer, made.pairing_code)}`,
  ];
}
