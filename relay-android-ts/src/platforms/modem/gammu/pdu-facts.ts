/**
 * Facts about a received SMS that gammu's files leave out: the time zone, the type of the sender's address,
 * and the end of a sender's name that contains an `@`. They are in the PDU (3GPP TS 23.040, SMS-DELIVER),
 * which gammu writes into its log. Pure.
 */
import type { SenderType } from '../../../core/ports.js';
import { typeOfSender } from '../modem.js';
import { unpackName } from './gsm7.js';

export interface PduFacts {
  /** Result of `factsKey`. */
  readonly key: string;
  /** Minutes that the clock of the SMS centre is ahead of UTC. */
  readonly zone: number;
  readonly sender: string;
  readonly senderType: SenderType;
}

const ALPHANUMERIC = 5;
const INTERNATIONAL = 1;
const MAX_QUARTERS = 56;
const STAMP_OCTETS = 7;

/**
 * Key that matches a file to the PDU of the same SMS. gammu cuts a name at the first `@`, which is septet 0.
 * @param stamp `YYMMDDhhmmss`
 */
export function factsKey(sender: string, stamp: string): string {
  return `${stamp} ${sender.split('@', 1)[0] ?? ''}`;
}

/** @param hex PDU that begins with the number of the SMS centre @returns null if it is not an SMS-DELIVER */
export function parsePdu(hex: string): PduFacts | null {
  if (!/^(?:[\dA-F]{2}){14,}$/i.test(hex)) return null;
  const bytes = Buffer.from(hex, 'hex');
  let at = 1 + (bytes[0] ?? 0);
  if (((bytes[at] ?? 0xff) & 3) !== 0) return null;
  at += 1;
  const digits = bytes[at] ?? 0;
  const kind = ((bytes[at + 1] ?? 0) >> 4) & 7;
  const octets = Math.ceil(digits / 2);
  const address = bytes.subarray(at + 2, at + 2 + octets);
  // After the address: protocol and coding, an octet each.
  at += 2 + octets + 2;
  const stamp = bytes.subarray(at, at + STAMP_OCTETS);
  if (stamp.length < STAMP_OCTETS) return null;
  const sender = senderOf(kind, address, digits);
  const senderType = kind === ALPHANUMERIC ? 'alphanumeric' : typeOfSender(sender);
  const key = factsKey(sender, swapped(stamp.subarray(0, 6)));
  return { key, zone: zoneOf(stamp[6] ?? 0), sender, senderType };
}

function senderOf(kind: number, address: Uint8Array, digits: number): string {
  if (kind === ALPHANUMERIC) return unpackName(address, Math.floor((digits * 4) / 7)).replace(/@+$/, '');
  const number = swapped(address).slice(0, digits).replace(/A/g, '*').replace(/B/g, '#');
  return `${kind === INTERNATIONAL ? '+' : ''}${number}`;
}

function zoneOf(octet: number): number {
  const quarters = (octet & 7) * 10 + (octet >> 4);
  if (quarters > MAX_QUARTERS) return 0;
  return (octet & 8) === 0 ? quarters * 15 : -quarters * 15;
}

function swapped(octets: Uint8Array): string {
  return Buffer.from(octets)
    .toString('hex')
    .toUpperCase()
    .replace(/(.)(.)/g, '$2$1');
}
