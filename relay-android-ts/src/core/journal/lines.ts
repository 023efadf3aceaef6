/**
 * The line format of the journal: "<crc32, 8 hex> <bytes of the JSON> <JSON>\n". Knows bytes and lines,
 * not what a record means.
 */
import { crc32 } from './crc32.js';

const NEWLINE = 0x0a;
const HEADER = /^([0-9a-f]{8}) (\d{1,9}) /;
/** 8 hex digits, a space, up to 9 digits, a space. */
const MAX_HEADER_BYTES = 19;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One record as one line. JSON never holds a raw line break, so the line break ends the record. */
export function encodeLine(record: unknown): Uint8Array {
  const json = encoder.encode(JSON.stringify(record));
  const header = encoder.encode(`${crc32(json).toString(16).padStart(8, '0')} ${json.length} `);
  const line = new Uint8Array(header.length + json.length + 1);
  line.set(header);
  line.set(json, header.length);
  line[line.length - 1] = NEWLINE;
  return line;
}

export interface Scan {
  /** The records of all whole lines, in order. */
  readonly records: readonly unknown[];
  /** Where the last line break ends; what follows is a torn write and was never confirmed to anybody. */
  readonly wholeBytes: number;
  /** Lines before that point that do not check, also the last one: damage, which may have been confirmed. */
  readonly damaged: number;
}

/** Reads every whole line, whatever lies between them. A line break is written last: it ends no torn line. */
export function scanLines(bytes: Uint8Array): Scan {
  const records: unknown[] = [];
  let damaged = 0;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    const payload = checkedPayload(bytes.subarray(start, end));
    start = end + 1;
    if (payload === undefined) damaged += 1;
    else records.push(JSON.parse(payload));
  }
  return { records, wholeBytes: start, damaged };
}

function checkedPayload(line: Uint8Array): string | undefined {
  const header = HEADER.exec(decoder.decode(line.subarray(0, MAX_HEADER_BYTES)));
  if (header === null) return undefined;
  const json = line.subarray(header[0].length);
  if (json.length !== Number(header[2]) || crc32(json) !== Number.parseInt(header[1] ?? '', 16))
    return undefined;
  return decoder.decode(json);
}

/** Several lines as one piece, so that they share one write. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(lines.reduce((sum, line) => sum + line.length, 0));
  let offset = 0;
  for (const line of lines) {
    whole.set(line, offset);
    offset += line.length;
  }
  return whole;
}
