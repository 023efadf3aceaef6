/**
 * PDUs of SMS (3GPP TS 23.040), written for tests apart from the product: SMS-DELIVER and SMS-STATUS-REPORT
 * are made, SMS-SUBMIT is read. In hex, with the SMS centre in front, as a modem in PDU mode has them.
 */
import { fromSeptets, pack, toSeptets, unpack } from './gsm7.js';

export interface Delivery {
  /** A number, with `+` where it is international, or a name of at most 11 characters. */
  readonly from: string;
  readonly text: string;
  /** ISO 8601 with offset; the zone goes into the PDU. */
  readonly at?: string;
  readonly smsc?: string;
  /** Of a long SMS: 8 or 16 bits. */
  readonly reference?: number;
  readonly referenceBits?: 8 | 16;
  /** In place of the text. */
  readonly data?: Buffer;
}

export interface Submitted {
  readonly number: string;
  readonly text: string;
  readonly wantsReport: boolean;
  /** Of a long SMS; null where it is one part. */
  readonly part: { readonly reference: number; readonly of: number; readonly number: number } | null;
  readonly coding: 'gsm7' | 'ucs2' | 'binary';
  readonly pdu: string;
}

export const SMSC = '+8801700000600';
const UDHI = 0x40;
const HEX = 16;

const hex = (bytes: readonly number[] | Buffer): string => Buffer.from(bytes).toString('hex').toUpperCase();

const swapped = (digits: string): number[] =>
  (`${digits}${digits.length % 2 === 1 ? 'F' : ''}`.match(/../g) ?? []).map((pair) =>
    Number.parseInt(`${pair[1]}${pair[0]}`, HEX),
  );

/** Digits of a number as an address has them, `*` and `#` too. */
const digitsOf = (number: string): string => number.replace(/^\+/, '').replace(/\*/g, 'A').replace(/#/g, 'B');

function centre(smsc: string): number[] {
  if (smsc === '') return [0];
  const digits = swapped(digitsOf(smsc));
  return [digits.length + 1, smsc.startsWith('+') ? 0x91 : 0x81, ...digits];
}

function address(from: string): number[] {
  if (/^\+?[\d*#]+$/.test(from)) {
    const digits = digitsOf(from);
    return [digits.length, from.startsWith('+') ? 0x91 : 0x81, ...swapped(digits)];
  }
  const packed = pack(toSeptets(from) ?? []);
  return [packed.length * 2, 0xd0, ...packed];
}

/** A time stamp: seven octets of swapped digits, the last one the zone in quarters of an hour. */
function stamp(iso: string): number[] {
  const [, year, month, day, hour, minute, second, sign, zoneHour, zoneMinute] =
    /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?([+-])(\d\d):(\d\d)$/.exec(iso) ?? [];
  if (second === undefined) throw new Error(`no time with an offset: ${iso}`);
  const quarters = Number(zoneHour) * 4 + Number(zoneMinute) / 15;
  const zone = swapped(String(quarters).padStart(2, '0'))[0] ?? 0;
  const digits = [year, month, day, hour, minute, second].join('');
  return [...swapped(digits), sign === '-' ? zone | 0x08 : zone];
}

/** Splits so that no pair of surrogates is torn, as phones do it. */
function split(text: string, room: number, length: (character: string) => number): string[] {
  const parts = [''];
  let used = 0;
  for (const character of text) {
    if (used + length(character) > room) {
      parts.push('');
      used = 0;
    }
    parts[parts.length - 1] += character;
    used += length(character);
  }
  return parts;
}

function userData(text: string, isGsm7: boolean, header: readonly number[]): number[] {
  if (!isGsm7) {
    const octets = Buffer.from(text, 'utf16le').swap16();
    return [header.length + octets.length, ...header, ...octets];
  }
  const septets = toSeptets(text) ?? [];
  const skip = Math.ceil((header.length * 8) / 7) * 7;
  const packed = pack(septets, skip);
  packed.set(header);
  return [skip / 7 + septets.length, ...packed];
}

/** The PDUs of an SMS, one for each part, in their order. */
export function deliverPdus(sms: Delivery): string[] {
  const { from, text, at = '2026-11-20T14:05:06+06:00', smsc = SMSC, referenceBits = 8, data } = sms;
  if (data !== undefined)
    return [hex([...centre(smsc), 0x04, ...address(from), 0, 4, ...stamp(at), data.length, ...data])];
  const septets = toSeptets(text);
  const isGsm7 = septets !== null;
  const isLong = isGsm7 ? septets.length > 160 : text.length > 70;
  const headerLength = referenceBits === 8 ? 6 : 7;
  const room = isGsm7 ? Math.floor(((140 - headerLength) * 8) / 7) : Math.floor((140 - headerLength) / 2);
  const lengthOf = (character: string): number =>
    isGsm7 ? (toSeptets(character)?.length ?? 0) : character.length;
  const texts = isLong ? split(text, room, lengthOf) : [text];
  const reference = sms.reference ?? 0x2a;
  return texts.map((part, index) => {
    const place = [texts.length, index + 1];
    const long =
      referenceBits === 8
        ? [5, 0, 3, reference, ...place]
        : [6, 8, 4, reference >> 8, reference & 255, ...place];
    const header = isLong ? long : [];
    const first = 0x04 | (isLong ? UDHI : 0);
    const body = [
      first,
      ...address(from),
      0,
      isGsm7 ? 0 : 8,
      ...stamp(at),
      ...userData(part, isGsm7, header),
    ];
    return hex([...centre(smsc), ...body]);
  });
}

export interface StatusReport {
  readonly reference: number;
  readonly number: string;
  /** TP-Status: 0 delivered, 0x20 to 0x3f tried on, 0x40 and above failed. */
  readonly status: number;
  readonly at?: string;
}

export function reportPdu({
  reference,
  number,
  status,
  at = '2026-11-20T14:06:07+06:00',
}: StatusReport): string {
  return hex([...centre(SMSC), 0x06, reference, ...address(number), ...stamp(at), ...stamp(at), status]);
}

/** How many octets a modem counts in a PDU: all but the SMS centre. */
export function tpduLength(pdu: string): number {
  return pdu.length / 2 - 1 - Number.parseInt(pdu.slice(0, 2), HEX);
}

/** @throws Error if it is no SMS-SUBMIT */
export function readSubmit(pdu: string): Submitted {
  const bytes = Buffer.from(pdu, 'hex');
  let at = 1 + (bytes[0] ?? 0);
  const first = bytes[at] ?? 0;
  if ((first & 3) !== 1) throw new Error(`no SMS-SUBMIT: ${pdu}`);
  at += 2;
  const digits = bytes[at] ?? 0;
  const isInternational = ((bytes[at + 1] ?? 0) & 0x70) === 0x10;
  const octets = Math.ceil(digits / 2);
  const number = hex(bytes.subarray(at + 2, at + 2 + octets))
    .replace(/(.)(.)/g, '$2$1')
    .slice(0, digits)
    .replace(/A/g, '*')
    .replace(/B/g, '#');
  at += 2 + octets + 1;
  const dcs = bytes[at] ?? 0;
  const validity = (first >> 3) & 3;
  at += 1 + (validity === 0 ? 0 : validity === 2 ? 1 : 7);
  const length = bytes[at] ?? 0;
  const data = bytes.subarray(at + 1);
  const header = (first & UDHI) !== 0 ? data.subarray(0, (data[0] ?? 0) + 1) : Buffer.alloc(0);
  const coding = (dcs & 0x0c) === 8 ? 'ucs2' : (dcs & 0x0c) === 4 ? 'binary' : 'gsm7';
  return {
    number: `${isInternational ? '+' : ''}${number}`,
    text: textOf(data, length, header.length, coding),
    wantsReport: (first & 0x20) !== 0,
    part: partOf(header),
    coding,
    pdu,
  };
}

function textOf(data: Buffer, length: number, header: number, coding: Submitted['coding']): string {
  if (coding === 'ucs2') return Buffer.from(data.subarray(header, length)).swap16().toString('utf16le');
  if (coding === 'binary') return data.subarray(header, length).toString('latin1');
  const skip = Math.ceil((header * 8) / 7);
  return fromSeptets(unpack(data, length - skip, skip * 7));
}

function partOf(header: Buffer): Submitted['part'] {
  if (header[1] === 0) return { reference: header[3] ?? 0, of: header[4] ?? 0, number: header[5] ?? 0 };
  if (header[1] === 8)
    return { reference: header.readUInt16BE(3), of: header[5] ?? 0, number: header[6] ?? 0 };
  return null;
}
