/** Names what came back for a request. Trusts none of it: only a receipt proves that Kashbox answered. */

import { type Dispatch, type HttpReply, isDispatch } from '../ports.js';
import { asObject, type Infer, isText, isUnknown, oneOf, parseJson, shape } from '../shape.js';
import { pollMs, retryAfterMs } from '../time/backoff.js';

const isResult = shape({ id: isText, state: oneOf('stored', 'duplicate', 'rejected'), reason: isUnknown });
export type MessageResult = Infer<typeof isResult>;

export type SyncVerdict =
  /** The only verdict that changes messages: the receipt is valid. */
  | {
      readonly kind: 'accepted';
      /** One for each message that was sent, in their order. */
      readonly results: readonly MessageResult[];
      readonly nextPollMs: number;
      /** Milliseconds since the Unix epoch, or null if the server did not say. */
      readonly serverTime: number | null;
      /** Dispatches to send; each is leased once. */
      readonly dispatches: readonly Dispatch[];
      /** Time since which the server requests the SMS again, in Unix milliseconds; null if it does not. */
      readonly resendSince: number | null;
    }
  /** The server says that it does not take the key; nothing is wrong with the messages. */
  | { readonly kind: 'unpaired'; readonly reason: string }
  /** 413: a smaller request may pass. */
  | { readonly kind: 'too_large'; readonly reason: string }
  /** Invalid answer, whatever its status: it neither confirms nor rejects messages. */
  | {
      readonly kind: 'failed';
      readonly code: 'server_error' | 'no_receipt';
      readonly reason: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'untrusted'; readonly reason: string };

const MAX_REASON = 200;
const PURPOSE = 'kashbox-relay-receipt-v1\n';

type AnswerFields = Readonly<Record<string, unknown>>;

interface SentBatch {
  /** Ids of the messages, in their order. */
  readonly sent: readonly string[];
  /** HMAC-SHA256 of the UTF-8 bytes of a text, in lower-case hex, with the key of the request. */
  readonly seal: (text: string) => string;
}

/** `now` is needed for a Retry-After that is a date, and for a phone whose clock is wrong. */
export function parseVerdict(reply: HttpReply, asked: SentBatch, now: number): SyncVerdict {
  switch (reply.kind) {
    case 'unreachable':
    case 'untrusted':
      return reply;
    case 'too_long':
      return { kind: 'failed', code: 'server_error', reason: 'the answer is too long', retryAfterMs: null };
    case 'answered':
      return parseAnswer(reply, asked, now);
    default:
      return reply satisfies never;
  }
}

function parseAnswer(
  reply: Extract<HttpReply, { kind: 'answered' }>,
  asked: SentBatch,
  now: number,
): SyncVerdict {
  const { status } = reply;
  const parsed = parseFields(reply.body);
  const wait = { retryAfterMs: retryAfterMs(reply.retryAfter, now) };
  if (status === 200 && parsed.status === true) {
    const results = verifyReceipt(parsed, asked);
    if (typeof results !== 'string') return accepted(parsed, results, now);
    return { kind: 'failed', code: 'no_receipt', reason: results, ...wait };
  }
  const reason = refusalText(parsed, status);
  if (status === 413) return { kind: 'too_large', reason };
  if (!isRefusal(parsed)) return { kind: 'failed', code: 'no_receipt', reason, ...wait };
  if (status === 401 || status === 403) return { kind: 'unpaired', reason };
  return { kind: 'failed', code: 'server_error', reason, ...wait };
}

/**
 * Verifies the receipt: an HMAC with the device key over the state of each SMS. It proves that the answer is
 * from Kashbox and belongs to this request, whatever the HTTP status is; docs/relay.md specifies it.
 * @returns the states of the SMS that were sent, or a text about why the receipt is invalid
 */
function verifyReceipt(answer: AnswerFields, { sent, seal }: SentBatch): readonly MessageResult[] | string {
  const { results = [], receipt } = answer;
  if (receipt === undefined)
    return 'the answer has no receipt; if the server runs an older Kashbox, update it';
  const fields = (Array.isArray(results) ? results : []).map(asObject);
  const pairs = fields.map(({ id = null, state = null }) => [id, state]);
  if (receipt !== seal(`${PURPOSE}${JSON.stringify(pairs)}`))
    return 'the receipt is wrong; something between phone and server changes answers';
  if (fields.length !== sent.length || !fields.every(({ id }, at) => id === sent[at]))
    return 'the receipt is for other SMS than were sent';
  const known = fields.filter(isResult);
  return known.length === fields.length
    ? known
    : 'the server says more than this agent knows; update the agent';
}

function accepted(parsed: AnswerFields, results: readonly MessageResult[], now: number): SyncVerdict {
  const serverTime = instant(parsed.server_time);
  const aheadMs = serverTime === null ? 0 : serverTime - now;
  const dispatches: unknown[] = Array.isArray(parsed.dispatches) ? parsed.dispatches : [];
  return {
    kind: 'accepted',
    results,
    nextPollMs: pollMs(parsed.next_poll_ms),
    serverTime,
    dispatches: dispatches.flatMap((one) => parseDispatch(one, aheadMs)),
    resendSince: instant(parsed.resend_since),
  };
}

/**
 * The end of its time is moved onto the phone's clock, which may be wrong. An unreadable one is left out; the
 * server gets no report for it.
 */
function parseDispatch(value: unknown, aheadMs: number): Dispatch[] {
  const { id, number, message, sim_slot, parts, priority = 0, expires_at } = asObject(value);
  const expiresAt = (instant(expires_at) ?? Number.NaN) - aheadMs;
  const dispatch = { id, number, message, simSlot: sim_slot ?? null, parts, priority, expiresAt };
  return isDispatch(dispatch) ? [dispatch] : [];
}

function instant(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

/** The fields of a body that is a JSON object; none of anything else. */
export function parseFields(body: string): AnswerFields {
  return asObject(parseJson(body));
}

/** True if the answer is an error in the format of Kashbox. The error page of a proxy is not. */
export function isRefusal({ status, message }: AnswerFields): boolean {
  return status === false && typeof message === 'string';
}

/** Formats status and message of an error answer. */
export function refusalText(parsed: AnswerFields, status: number): string {
  if (!isRefusal(parsed)) return `HTTP ${status}, not in the form of Kashbox`;
  const message = shortText(parsed.message);
  return message === undefined ? `HTTP ${status}` : `HTTP ${status}: ${message}`;
}

/** Cut, and without control characters, which could change the terminal. */
export function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return text === '' ? undefined : text.slice(0, MAX_REASON);
}
