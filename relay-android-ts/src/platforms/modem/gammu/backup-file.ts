/**
 * The files in which gammu keeps SMS (its "SMS backup"): sections of `Key = value`, texts as UTF-16 in hex.
 * Pure. The time of an SMS is the clock of the SMS centre without its zone, and types of addresses are left
 * out.
 */

import { nameOfAscii } from './gsm7.js';

/** One part of an SMS, or a delivery report. */
export interface BackupPart {
  readonly kind: 'deliver' | 'report' | 'other';
  readonly sender: string;
  readonly smsc: string | null;
  /** `YYYYMMDDThhmmss`; empty if absent, as in a report that gammu has not read. */
  readonly time: string;
  readonly text: string;
  /** Position within a long SMS; null for a short one. */
  readonly piece: SmsPiece | null;
  /** TP-Message-Reference of a report. */
  readonly reference: number;
}

interface SmsPiece {
  readonly reference: number;
  readonly of: number;
  /** 1-based. */
  readonly number: number;
}

const HEX = 16;
const LINE_OF_TEXT = 200;

/**
 * Parses the parts in a file. A sender name with a line break can inject lines after `Number`: for fields
 * before that line the first match counts, for fields after it the last.
 * @returns null if the file is incomplete (gammu was stopped while writing) or is not a backup
 */
export function parseBackup(content: string): BackupPart[] | null {
  const sections = content.split(/^\[SMSBackup\d+\]\n/m).slice(1);
  const parts = sections.map((section) => parseSection(section));
  const whole = parts.filter((part) => part !== null);
  return whole.length === 0 || whole.length < parts.length ? null : whole;
}

function parseSection(section: string): BackupPart | null {
  if (!/\nMessageReference = \d+\n\n/.test(section)) return null;
  const number = section.indexOf('\nNumber = ');
  const [head, tail] = [section.slice(0, number), section.slice(section.indexOf('\nNumberUnicode = '))];
  const pdu = /^PDU = (\w+)$/m.exec(head)?.[1];
  const isReport = pdu === 'Status_Report';
  const time = /^DateTime = (\d{8}T\d{6})/m.exec(head)?.[1] ?? '';
  const sender = /^NumberUnicode = ([\dA-F]*)$/m.exec(tail)?.[1];
  const reference = /\nMessageReference = (\d+)\n\n/.exec(tail)?.[1];
  if (number < 0 || sender === undefined || reference === undefined) return null;
  const smsc = /^SMSCUnicode = ([\dA-F]+)$/m.exec(head)?.[1];
  return {
    kind: isReport ? 'report' : pdu === 'Deliver' ? 'deliver' : 'other',
    sender: senderOf(decode(sender)),
    smsc: smsc === undefined ? null : decode(smsc),
    time,
    text: textOf(tail),
    piece: pieceOf(/^UDH = ([\dA-F]+)$/m.exec(tail)?.[1] ?? ''),
    reference: Number(reference),
  };
}

/** gammu takes the septets of a name for ASCII, which differs in some signs. */
function senderOf(name: string): string {
  return /^\+?[\d*#]+$/.test(name) ? name : nameOfAscii(name);
}

/**
 * Cuts a 7-bit text at the first null, which its alphabet lacks: gammu counts extension characters as two,
 * and writes as many surplus units after the text: a null, then contents of its memory.
 */
function textOf(tail: string): string {
  const lines = [...tail.matchAll(/^Text\d\d = ([\dA-F]*)$/gm)].map(([, line]) => line ?? '').join('');
  if (/^Coding = 8bit$/m.test(tail)) return Buffer.from(lines, 'hex').toString('latin1');
  const text = decode(lines);
  return /^Coding = Default/m.test(tail) ? (text.split('\0', 1)[0] ?? '') : text;
}

function decode(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
}

function encode(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
}

/** Finds the concatenation element (long SMS) in a user data header. */
function pieceOf(header: string): SmsPiece | null {
  const bytes = Buffer.from(header, 'hex');
  for (let at = 1; at + 1 < bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
    const [element = 0, length = 0] = bytes.subarray(at, at + 2);
    const data = bytes.subarray(at + 2, at + 2 + length);
    if (data.length < length) return null;
    const isShort = element === 0 && length === 3;
    if (!isShort && !(element === 8 && length === 4)) continue;
    const reference = isShort ? (data[0] ?? 0) : data.readUInt16BE(0);
    const [of = 0, number = 0] = data.subarray(-2);
    return of > 1 && number >= 1 && number <= of ? { reference, of, number } : null;
  }
  return null;
}

export interface OutgoingPart {
  readonly text: string;
  readonly isUnicode: boolean;
  /** User data header in hex; empty for a short SMS. */
  readonly header: string;
}

/** A file for gammu's outbox. Of the number only digits and `+` may come here. */
export function writeBackup(number: string, parts: readonly OutgoingPart[]): string {
  return parts
    .map(({ text, isUnicode, header }, index) => {
      const hex = encode(text).match(new RegExp(`.{1,${LINE_OF_TEXT}}`, 'g')) ?? [''];
      return [
        `[SMSBackup${String(index).padStart(3, '0')}]`,
        'PDU = Submit',
        'State = UnSent',
        `Number = "${number}"`,
        `NumberUnicode = ${encode(number)}`,
        ...(header === '' ? [] : [`UDH = ${header}`]),
        ...hex.map((line, at) => `Text${String(at).padStart(2, '0')} = ${line}`),
        `Coding = ${isUnicode ? 'Unicode_No_Compression' : 'Default_No_Compression'}`,
        'Class = -1',
        '',
      ].join('\n');
    })
    .join('\n');
}

/** The header of one part of a long SMS, with a reference of 8 bits. */
export function encodeHeader({ reference, of, number }: SmsPiece): string {
  return ['05', '00', '03', ...[reference, of, number].map((byte) => byte.toString(HEX).padStart(2, '0'))]
    .join('')
    .toUpperCase();
}
