/** Queries and parses the phone's list of SMS. Its errors are written for users. */
import { createHash } from 'node:crypto';
import { InboxError } from '../../core/errors.js';
import { asObject, parseJson } from '../../core/shape.js';
import { dhakaTime } from '../../ports/node-clock.js';
import { explain, type TermuxCalls, type TermuxFailure } from './termux-calls.js';

const PROGRAM = 'termux-sms-list';
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

interface SmsQuery {
  readonly type: 'inbox' | 'all';
  /** SQL over the columns of the provider; numbers and constants only. */
  readonly where?: string;
  /** True to sort by descending `_id`. */
  readonly newestFirst?: boolean;
  readonly limit: number;
  readonly stop?: AbortSignal | undefined;
}

export interface TermuxRow {
  /** Row id in the phone's list; the same SMS gets another id after a restore or a reset. */
  readonly id: number;
  /** `inbox`, `sent`, `failed`, …; empty for some that have not got a name. */
  readonly type: string;
  readonly address: string;
  readonly body: string;
  /** ISO 8601 with offset, with seconds; null if the time is invalid. */
  readonly receivedAt: string | null;
  /** Hash of the content, to detect that another row has this id now. */
  readonly print: string;
}

/** Termux:API has understood the question, and refuses it. */
export class RefusedError extends InboxError {}

/** An unknown format must not be read as an empty list. */
export class UnreadableError extends InboxError {}

/** @returns the rows in order, and `_id` of each that cannot be read; null where that cannot be either. */
export async function listSms(calls: TermuxCalls, question: SmsQuery) {
  const { type, where, newestFirst = false, limit, stop } = question;
  const result = await calls.run({
    program: PROGRAM,
    args: [
      `--message-type=${type}`,
      ...(where === undefined ? [] : [`--message-selection=${where}`]),
      `--message-sort-order=_id ${newestFirst ? 'DESC' : 'ASC'}`,
      '--message-return-no-order-reverse',
      `--message-limit=${limit}`,
    ],
    urgent: true,
    stop,
  });
  if (result.kind !== 'answered') {
    const Fault = result.kind === 'refused' ? RefusedError : InboxError;
    throw new Fault(`cannot read SMS: ${problemOf(result)}`, explain(PROGRAM, result));
  }
  const list = parseJson(result.stdout);
  if (!Array.isArray(list)) {
    const detail = `${PROGRAM} printed no list; is the app Termux:API up to date?`;
    throw new InboxError(`cannot read SMS: ${PROGRAM} prints no list`, detail);
  }
  const parsed = list.map(parseRow);
  const rows = parsed.filter((one) => one !== null && typeof one === 'object');
  const unreadable = parsed.filter((one) => one === null || typeof one === 'number');
  if (rows.length === 0 && unreadable.length > 0) {
    const detail = `${PROGRAM} prints SMS of which none can be read; is kashbox-relay up to date?`;
    throw new UnreadableError(`cannot read SMS: ${PROGRAM} prints them in an unknown form`, detail);
  }
  return { rows, unreadable };
}

/** The program's own text is left out, because it may quote an SMS. */
function problemOf(failure: TermuxFailure): string {
  if (failure.kind === 'missing') return `${PROGRAM} is not there`;
  if (failure.kind === 'hung') return 'Termux:API does not answer';
  if (failure.kind === 'failed') return `${PROGRAM} fails`;
  const { message } = failure;
  if (message.includes('READ_SMS')) return 'Termux:API lacks the SMS permission';
  if (message.includes('READ_CONTACTS')) return 'Termux:API lacks the Contacts permission';
  return 'Termux:API refuses to list them';
}

export async function newestSms(
  calls: TermuxCalls,
  type: SmsQuery['type'],
  stop?: AbortSignal,
): Promise<TermuxRow | undefined> {
  const { rows } = await listSms(calls, { type, newestFirst: true, limit: 1, stop });
  return rows[0];
}

/** @returns the row; for an unreadable one its entry in `unreadable`: its id, or null */
function parseRow(value: unknown): TermuxRow | number | null {
  const { _id: id, type, address, number, body, received } = asObject(value);
  if (typeof id !== 'number' || !Number.isInteger(id)) return null;
  // Another form than it ever was is no SMS of this list; a time that is only wrong costs no SMS.
  if (typeof received !== 'string') return id;
  const at = localTime(received);
  // `sender` is ignored: it is a name from the phone's contacts, which can be anything.
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
  return { ...row, receivedAt: at === undefined ? null : dhakaTime(at), print: print.slice(0, 16) };
}

/**
 * Parses a phone's local time to ms since the Unix epoch; undefined if invalid. Written with Bangladesh's
 * offset, whatever the phone's zone is: equal instants must look equal even if the zone changes.
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
