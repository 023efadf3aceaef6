/** A phone that was enrolled, as `devices enroll`, `devices rotate` and `setup` show it. */
import type { EnrolledDevice } from '../../actions/devices/enroll-device.js';
import { type Speak, say, spoken } from '../../base/values/say.js';
import { terminalQr } from '../text/qr.js';
import { deviceKeysSheet } from '../text/sheets.js';
import { type PairingDetails, pairingCommand, pairingLink, termuxLines } from './pairing.js';

/**
 * People who pair a phone copy from here, so what is to be copied stands alone in lines that we never break,
 * and what most people need stands last, right above their prompt.
 * @param coloured whether the output is a terminal.
 */
export async function pairingSheet(
  made: EnrolledDevice,
  details: PairingDetails,
  coloured: boolean,
  speak: Speak = spoken,
): Promise<string[]> {
  const link = pairingLink(details, made.pairing_code);
  const [fetch, install] = termuxLines(details, made.pairing_code);
  return [
    ...deviceKeysSheet(made, speak),
    '',
    speak(say`The code as a link, for a relay app that scans it:`),
    '',
    ...(await terminalQr(link, coloured)),
    '',
    speak(say`Where kashbox-relay is there already:`),
    `  ${pairingCommand(details, made.pairing_code)}`,
    '',
    speak(say`On an Android phone: install Termux, Termux:API and Termux:Boot from F-Droid,`),
    speak(say`open Termux, paste the first line, wait until it is done, then paste the second:`),
    '',
    fetch,
    '',
    install,
  ];
}
