/**
 * SMS as phones and scripts hand them in, checked one by one at the door: a message that cannot be kept
 * is refused with its reason and does not fail the batch.
 */
import { storableText } from '../../base/values/text.js';

export interface SmsText {
  /** Exactly as the phone shows it: case and every character count. */
  readonly sender: string;
  readonly body: string;
  /** Milliseconds since the epoch at which the phone received it, by its clock; null if nobody knows. */
  readonly receivedAtMs: number | null;
  /** Reason why the time was not reported; absent if it was. */
  readonly untimed?: TimeFault;
}

/** `absent`: the source reports no times. `impossible`: the reported value is not a valid time of an SMS. */
type TimeFault = 'absent' | 'impossible';

export interface IncomingSms extends SmsText {
  /** The phone's own name for the message; comes back in the answer, decides nothing. */
  readonly id: string;
  readonly receivedAtMs: number;
  /** 1 for the first SIM; null if the phone did not say. */
  readonly simSlot: number | null;
  /** Number of the SMS centre; null or absent if not reported, as is the case for all phones. */
  readonly smsc?: string | null;
  readonly senderType?: SenderType | null;
}

/** Types of a sender's address, as reported by a modem (3GPP TS 23.040, 9.1.2.5). */
export const SENDER_TYPES = ['alphanumeric', 'international', 'national', 'short_code', 'unknown'] as const;
export type SenderType = (typeof SENDER_TYPES)[number];

type ReadIncoming =
  | { readonly ok: true; readonly sms: IncomingSms }
  | { readonly ok: false; readonly id: string | null; readonly reason: string };

const MAX_ID = 200;
const MAX_SENDER = 100;
/** The longest SMS that phones can join is 255 parts; nobody's payment text comes near this. */
const MAX_BODY = 16_384;

/** The number of an SMS centre. */
const CENTRE = /^\+?\d{1,20}$/;

/** Maximum time of an SMS in the future, in ms. A clock may be fast by days; a later time is not valid. */
const FAR_AHEAD_MS = 30 * 86_400_000;

/**
 * Parses an incoming SMS. Only this function decides whether its time is valid: it is invalid if it is before
 * 2000, more than 30 days in our future, null, empty or otherwise unreadable. The arrival time is then used
 * instead, and the money needs manual review. An SMS is never rejected because of its time.
 * @param now time of arrival, milliseconds since the epoch. Invalid values for the SIM, the SMS centre and
 * the type of the sender are treated as missing.
 */
export function parseIncomingSms(value: unknown, now: number): ReadIncoming {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, id: null, reason: 'a message must be an object' };
  }
  const { id, sender, body, received_at, sim_slot, smsc, sender_type } = value as Record<string, unknown>;
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
    return { ok: false, id: null, reason: `id must be a text of 1 to ${MAX_ID} characters` };
  }
  const refuse = (reason: string): ReadIncoming => ({ ok: false, id, reason });
  if (typeof sender !== 'string' || sender === '' || sender.length > MAX_SENDER) {
    return refuse(`sender must be a text of 1 to ${MAX_SENDER} characters`);
  }
  if (typeof body !== 'string') return refuse('body must be a text');
  if (body.length > MAX_BODY) return refuse(`body may be at most ${MAX_BODY} characters`);
  const time = received_at === undefined ? null : parseInstant(received_at);
  const isTold = time !== null && time <= now + FAR_AHEAD_MS;
  return {
    ok: true,
    sms: {
      id,
      sender: storableText(sender),
      body: storableText(body),
      receivedAtMs: isTold ? time : now,
      ...(isTold ? {} : { untimed: received_at === undefined ? 'absent' : 'impossible' }),
      simSlot: parseSimSlot(sim_slot),
      smsc: typeof smsc === 'string' && CENTRE.test(smsc) ? smsc : null,
      senderType: SENDER_TYPES.find((type) => type === sender_type) ?? null,
    },
  };
}

/** The slot of a SIM, which counts from one, as a number or as its digit. */
export function parseSimSlot(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\s*[1-9]\s*$/.test(text) ? Number(text) : null;
}

const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;
/** 2000-01-01 and 2100-01-01, in milliseconds: a stamp outside is in another unit or wrong. */
const EARLIEST = 946_684_800_000;
const LATEST = 4_102_444_800_000;

/**
 * @param value ISO 8601 (without an offset it is Bangladesh time) or unix milliseconds.
 * @returns milliseconds since the epoch, or null if it cannot be read.
 */
export function parseInstant(value: unknown): number | null {
  const ms = typeof value === 'string' ? instantOfText(value.trim()) : value;
  return typeof ms === 'number' && ms >= EARLIEST && ms < LATEST ? Math.floor(ms) : null;
}

/** A phone's own clock, which may be anywhere, 1970 too. @returns milliseconds since the epoch, or null. */
export function parseClockTime(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  return typeof ms === 'number' && Number.isSafeInteger(ms) ? ms : null;
}

/** @returns milliseconds since the epoch, in any year; NaN if the text is not a time. */
export function instantOfText(text: string): number {
  if (/^\d{13}$/.test(text)) return Number(text);
  const time = TIME.exec(text);
  if (time === null) return Number.NaN;
  return Date.parse(text.replace(' ', 'T') + (time[1] === undefined ? '+06:00' : ''));
}
