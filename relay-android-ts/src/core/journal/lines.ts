/** The line format of the journal: "<crc32, 8 hex> <bytes of the JSON> <JSON>\n". */

const NEWLINE = 0x0a;
const HEADER = /^([0-9a-f]{8}) (\d{1,9}) /;
/** 8 hex digits, a space, up to 9 digits, a space. */
const MAX_HEADER_BYTES = 19;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (ISO 3309, as in zip and PNG), unsigned. That of node:zlib only comes with Node 22.2. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** One record as one line. JSON never holds a raw line break, so the line break ends the record. */
export function encodeLine(record: unknown): Uint8Array {
  const json = JSON.stringify(record);
  const bytes = encoder.encode(json);
  const checksum = crc32(bytes).toString(16).padStart(8, '0');
  return encoder.encode(`${checksum} ${bytes.length} ${json}\n`);
}

/**
 * Reads every whole line, whatever lies between them. A line break is written last: it ends no torn line.
 * Returns the records in order; where the last line break ends (what follows is a torn write and was never
 * confirmed to anybody); and how many lines before that point do not check, also the last one: damage, which
 * may have been confirmed.
 */
export function scanLines(bytes: Uint8Array) {
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
  const [header, checksum = '', length] =
    HEADER.exec(decoder.decode(line.subarray(0, MAX_HEADER_BYTES))) ?? [];
  const json = line.subarray(header?.length ?? 0);
  const isWhole = json.length === Number(length) && crc32(json) === Number.parseInt(checksum, 16);
  return isWhole ? decoder.decode(json) : undefined;
}

/** Several lines as one piece, so that they share one write. */
export function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(lines));
}
