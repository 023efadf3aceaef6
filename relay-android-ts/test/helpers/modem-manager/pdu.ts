/** PDUs as a network sends them (3GPP TS 23.040), in hex. Texts go as UCS-2, names of senders as 7 bits. */

const SMSC = '8801700000600';

export interface DeliverPdu {
  readonly sender: string;
  readonly text: string;
  /** `YYYY-MM-DDTHH:MM:SS` in the zone of the network. */
  readonly at: string;
  /** Quarters of an hour east of UTC. */
  readonly quarters?: number;
  /** One part of several: reference, number of parts, this part from 1. */
  readonly part?: readonly [reference: number, parts: number, index: number];
  /** Data in place of the text. */
  readonly data?: Buffer;
}

/** An SMS that arrives, with the number of the SMS centre before it. */
export function deliverPdu(sms: DeliverPdu): string {
  const { sender, text, at, quarters = 24, part, data } = sms;
  const header = part === undefined ? Buffer.alloc(0) : Buffer.from([5, 0, 3, ...part]);
  const content = Buffer.concat([header, data ?? ucs2(text)]);
  const coding = data === undefined ? '08' : '04';
  const first = part === undefined ? '04' : '44';
  const body = `${hex(content.length)}${content.toString('hex')}`;
  return `${smsc()}${first}${address(sender)}00${coding}${timestamp(at, quarters)}${body}`.toUpperCase();
}

/** What the network says of a part that was sent. @param status TP-Status, 0 for delivered */
export function reportPdu(reference: number, number: string, status: number): string {
  const time = timestamp('2026-11-26T10:15:30', 24);
  return `${smsc()}06${hex(reference)}${address(number)}${time}${time}${hex(status)}`.toUpperCase();
}

/** The text of an SMS that is sent as one part in UCS-2. */
export function textOfSubmit(pdu: string): string {
  const bytes = Buffer.from(pdu, 'hex');
  const smscLength = bytes[0] ?? 0;
  const digits = bytes[smscLength + 3] ?? 0;
  const first = bytes[smscLength + 1] ?? 0;
  const validity = (first & 0x18) === 0 ? 0 : 1;
  const at = smscLength + 5 + Math.ceil(digits / 2) + 2 + validity;
  return Buffer.from(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)))
    .swap16()
    .toString('utf16le');
}

/** In the unit of the commands: bytes without the number of the SMS centre. */
export function lengthOf(pdu: string): number {
  return pdu.length / 2 - Number.parseInt(pdu.slice(0, 2), 16) - 1;
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const swap = (digits: string): string => digits.replace(/(.)(.)/g, '$2$1');
const semiOctets = (digits: string): string => swap(digits.length % 2 === 0 ? digits : `${digits}F`);
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

function smsc(): string {
  const digits = semiOctets(SMSC);
  return `${hex(digits.length / 2 + 1)}91${digits}`;
}

function address(sender: string): string {
  if (/[a-z]/i.test(sender)) {
    const packed = sevenBits(sender);
    return `${hex(Math.ceil((sender.length * 7) / 4))}D0${packed.toString('hex')}`;
  }
  const digits = sender.replace('+', '');
  return `${hex(digits.length)}${sender.startsWith('+') ? '91' : '81'}${semiOctets(digits)}`;
}

function sevenBits(text: string): Buffer {
  const bits = [...text].map((sign) => sign.charCodeAt(0).toString(2).padStart(7, '0')).reverse();
  const all = bits.join('');
  const padded = all.padStart(Math.ceil(all.length / 8) * 8, '0');
  return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)).reverse());
}

function timestamp(at: string, quarters: number): string {
  const digits = at.slice(2).replace(/\D/g, '');
  const zone = swap(String(Math.abs(quarters)).padStart(2, '0'));
  const sign = quarters < 0 ? hex(Number.parseInt(zone, 16) | 0x08) : zone;
  return `${swap(digits)}${sign}`;
}
