/** Reads what `termux-sms-list` prints. Knows its shape and its local times, not what is asked for. */
import { createHash } from 'node:crypto';
import { dhakaTime, parseJson } from '../simulator/sms-json.js';

export interface TermuxRow {
  /** Of the phone's own list of SMS; after a restore or a reset the same SMS has another. */
  readonly id: number;
  /** `inbox`, `sent`, `failed`, …; empty for some that have not got a name. */
  readonly type: string;
  readonly address: string;
  readonly body: string;
  /** ISO 8601 with offset, to the second. */
  readonly receivedAt: string;
  /** Tells whether a row is the one that had this id before. */
  readonly print: string;
}

export interface ParsedRows {
  /** In their order. */
  readonly rows: readonly TermuxRow[];
  /** `_id` of each row that cannot be read; null where that cannot be read either. */
  readonly unreadable: readonly (number | null)[];
}

const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
/** The server takes no SMS from before; phones without a clock say 1970. */
const EARLIEST_MS = Date.UTC(2000, 0, 2);

/** Undefined if it is no list. */
export function parseRows(stdout: string): ParsedRows | undefined {
  const value = parseJson(stdout);
  if (!Array.isArray(value)) return undefined;
  const parsed = value.map(parseRow);
  return {
    rows: parsed.filter((one) => one !== null && typeof one === 'object'),
    unreadable: parsed.filter((one) => one === null || typeof one === 'number'),
  };
}

/** A row, or what stands for one in `unreadable`. */
function parseRow(value: unknown): TermuxRow | number | null {
  if (typeof value !== 'object' || value === null) return null;
  const { _id: id, type, address, number, body, received } = value as Record<string, unknown>;
  if (typeof id !== 'number' || !Number.isInteger(id)) return null;
  const at = typeof received === 'string' ? localTime(received) : undefined;
  if (at === undefined) return id;
  // `sender` is the name in the phone's contacts, which anybody may choose: it is not looked at.
  const from = [address, number].find((text) => typeof text === 'string' && text.trim() !== '');
  const row = {
    id,
    type: typeof type === 'string' ? type : '',
    address: typeof from === 'string' ? from : 'unknown',
    body: typeof body === 'string' ? body : '',
  };
  const print = createHash('sha256')
    .update(JSON.stringify([row.address, row.body, received]))
    .digest('hex');
  return { ...row, receivedAt: dhakaTime(Math.max(at, EARLIEST_MS)), print: print.slice(0, 16) };
}

/**
 * The phone prints its own local time, so its zone is asked; written with the offset of Bangladesh whatever
 * it is, since equal instants must look equal when the phone has been taken elsewhere meanwhile.
 */
function localTime(text: string): number | undefined {
  const parts = LOCAL_TIME.exec(asciiDigits(text))?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const at = new Date(year, month - 1, day, hour, minute, second).getTime();
  return Number.isFinite(at) ? at : undefined;
}

/** Android writes times in the digits of the phone's language, and Bangla has its own. */
function asciiDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}
