/**
 * Outbound SMS: its states, and how the reports of a phone change them. Knows neither store nor phone.
 * Reports arrive late, twice and in any order, for the complete SMS or for one part. So each part keeps its
 * strongest report, as one letter:
 * `-` nothing yet · `U` unknown · `E` expired unsent · `F` failed · `S` sent · `D` delivered
 * A later letter replaces an earlier one, whichever report arrived first. Between failed and sent or
 * delivered the first report counts: FAILED is final, and a shop may have sent the customer another message
 * by then.
 */
import { asRecord } from '../../base/values/fields.js';
import { echoedLine, storableText } from '../../base/values/text.js';

export type SmsEncoding = 'GSM-7' | 'UCS-2';

/**
 * `QUEUED` waits for its phone; `LEASED` was leased to a phone, once; `SENT` left the phone; `DELIVERED`
 * reached the other; `FAILED` did not leave; `EXPIRED` was not sent in time; `UNKNOWN` was leased, and it is
 * not known whether it was sent, so it is never sent again automatically; `CANCELLED` was taken back in time.
 */
export const DISPATCH_STATES = [
  'QUEUED',
  'LEASED',
  'SENT',
  'DELIVERED',
  'FAILED',
  'EXPIRED',
  'UNKNOWN',
  'CANCELLED',
] as const;

export type DispatchState = (typeof DISPATCH_STATES)[number];

/** Report of a phone on an SMS, or on one part of it. */
export interface DispatchReport {
  readonly id: string;
  readonly state: 'SENT' | 'DELIVERED' | 'FAILED' | 'EXPIRED' | 'UNKNOWN';
  /** Number of the part, from 1; null for all parts. */
  readonly part: number | null;
  readonly error: string | null;
}

/** Maximum number of parts of an SMS. Nobody reads longer texts, and the sender pays for each part. */
export const MAX_PARTS = 10;

const STRENGTH = '-UEFSD';

const LETTER = { UNKNOWN: 'U', EXPIRED: 'E', FAILED: 'F', SENT: 'S', DELIVERED: 'D' } as const;

const STATES = Object.keys(LETTER) as readonly DispatchReport['state'][];

/** Letters of a dispatch without any report. */
export const noReports = (parts: number) => '-'.repeat(parts);

/** @returns the letters after a report. A part that the dispatch does not have changes nothing. */
export function applyReport(letters: string, { state, part }: DispatchReport): string {
  const said = LETTER[state];
  // Whatever expired or was lost sight of was so as a whole.
  const isWhole = part === null || state === 'EXPIRED' || state === 'UNKNOWN';
  return [...letters]
    .map((known, index) => (isWhole || index === part - 1 ? stronger(known, said) : known))
    .join('');
}

function stronger(known: string, said: string): string {
  return known !== 'F' && STRENGTH.indexOf(known) < STRENGTH.indexOf(said) ? said : known;
}

/**
 * Derives the state. One failed part fails the SMS, because the recipient cannot read it.
 * @param before kept while a part has no report, and always if it is FAILED.
 */
export function stateOfParts(letters: string, before: DispatchState): DispatchState {
  const has = (letter: string) => letters.includes(letter);
  if (before === 'FAILED' || has('F')) return 'FAILED';
  if (has('-')) return before;
  if (has('U')) return 'UNKNOWN';
  if (has('E')) return has('S') || has('D') ? 'FAILED' : 'EXPIRED';
  return has('S') ? 'SENT' : 'DELIVERED';
}

/** @returns how many parts have left the phone, and how many of those have arrived. */
export function countedParts(letters: string): { readonly sent: number; readonly delivered: number } {
  const delivered = letters.split('D').length - 1;
  return { sent: delivered + letters.split('S').length - 1, delivered };
}

const MAX_REPORTS = 200;
const MAX_ID = 200;
const MAX_ERROR = 200;
const MAX_PART = 255;

/**
 * Parses the reports of a phone one by one: a malformed one is dropped without affecting the others or the
 * phone's SMS.
 * @param value field of the request; anything but a list means no reports.
 */
export function parseReports(value: unknown): DispatchReport[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_REPORTS).flatMap((item: unknown) => parseReport(item) ?? []);
}

function parseReport(value: unknown): DispatchReport | null {
  const { id, state: said, part = null, error } = asRecord(value);
  const state = STATES.find((known) => known === said);
  if (typeof id !== 'string' || id.length > MAX_ID || state === undefined) return null;
  if (part !== null && !isPart(part)) return null;
  return { id: storableText(id), state, part, error: parseErrorText(error) };
}

function isPart(value: unknown): value is number {
  const part = value as number;
  return Number.isInteger(part) && part >= 1 && part <= MAX_PART;
}

function parseErrorText(value: unknown): string | null {
  const text = typeof value === 'string' ? echoedLine(value, MAX_ERROR) : '';
  return text === '' ? null : text;
}
