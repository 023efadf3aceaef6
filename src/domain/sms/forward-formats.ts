/**
 * Conversion of messages that Android SMS forwarder apps post to our format, and of the phone data that they
 * contain. The four formats are identified by the names of their two main fields; if those are empty, the
 * names that other apps use are accepted. Times and SIMs are written in many ways; only unambiguous ones are
 * parsed. Knows neither phone nor store.
 */
import { asRecord } from '../../base/values/fields.js';
import { parseInstant, parseSimSlot } from './incoming-sms.js';

/** Names of the fields in which each format has sender and text, the first that is filled counts. */
const FIELDS = {
  'from-text': { sender: ['from'], body: ['text', 'content', 'message'] },
  'sender-message': { sender: ['sender'], body: ['message'] },
  'address-message': { sender: ['address'], body: ['message', 'body'] },
  'sender-body': { sender: ['sender'], body: ['body'] },
} as const satisfies Record<string, { sender: readonly string[]; body: readonly string[] }>;

/** Field names of apps that do not let users choose; the first one that is filled is used. */
const ANY = {
  sender: ['from', 'sender', 'address', 'contact', 'originatingAddress'],
  body: ['text', 'body', 'message', 'content', 'messageBody', 'msg'],
} as const;

export type ForwardFormat = keyof typeof FIELDS;

export const FORWARD_FORMATS = Object.keys(FIELDS) as readonly ForwardFormat[];

/** @returns the format of that name, or null. */
export function forwardFormat(name: string): ForwardFormat | null {
  return FORWARD_FORMATS.find((format) => format === name) ?? null;
}

/** A message as `readIncomingSms` takes it. */
interface ForwardedMessage {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  /** Milliseconds since the epoch, or the raw value if it is not a valid time; null if there is none. */
  readonly received_at: unknown;
  /** 1 for the first SIM; null where the app did not say so that it is certain. */
  readonly sim_slot: number | null;
}

/**
 * `notification`: text of an app's notification, which some forwarders send in place of SMS that they did not
 * see. Its title is sent as the sender, and anyone who can message the phone chooses that title, so it could
 * report money that was never paid.
 */
type ReadForwarded =
  | { readonly kind: 'message'; readonly message: ForwardedMessage }
  /** Accepted names of each missing field, ours first. */
  | { readonly kind: 'incomplete'; readonly missing: readonly (readonly string[])[] }
  | { readonly kind: 'notification' }
  /** An event of httpSMS that reports no SMS received, such as one that was sent; its name. */
  | { readonly kind: 'other_event'; readonly event: string };

type PostedFields = Readonly<Record<string, unknown>>;

/** Time fields. Receipt is preferred: senders' clocks are less reliable than the phone's. */
const TIMES = [
  'receivedStamp',
  'receivedAtInMillis',
  'received_at',
  'receivedAt',
  'timestamp',
  'sentStamp',
  'sent_timestamp',
];

/** @param fields body of the request, JSON or form; may contain fields that are not in the format. */
export function parseForwardedSms(format: ForwardFormat, posted: PostedFields): ReadForwarded {
  const names = FIELDS[format];
  const event = eventOf(posted);
  if (event !== null && event !== RECEIVED) return { kind: 'other_event', event };
  const fields = event === null ? posted : asRecord(posted.data);
  const sender = firstText(fields, [...names.sender, ...ANY.sender]);
  const body = firstText(fields, [...names.body, ...ANY.body]);
  if (sender === null || body === null) {
    return {
      kind: 'incomplete',
      missing: [...(sender === null ? [names.sender] : []), ...(body === null ? [names.body] : [])],
    };
  }
  if (isNotification(fields.sim)) return { kind: 'notification' };
  const times = TIMES.map((name) => fields[name]).filter((time) => time !== undefined);
  const readable = times.map(parseTimestamp).find((ms) => ms !== null);
  const received_at = readable ?? (times.length === 0 ? null : (times[0] ?? ''));
  const sim_slot = parseSim(fields.sim) ?? parseSim(fields.simSlot) ?? parseSimSlot(fields.sim_slot);
  const message = { id: 'forwarded', sender, body, received_at, sim_slot };
  return { kind: 'message', message: takenApart(message) };
}

/** Type of the CloudEvent by which httpSMS reports a received SMS. */
const RECEIVED = 'message.phone.received';

/** @returns the type of a CloudEvent; null if the body is not a CloudEvent. */
function eventOf({ type, data }: PostedFields): string | null {
  return typeof type === 'string' && typeof data === 'object' && data !== null ? type : null;
}

/** The last three lines of what SmsForwarder writes where nobody has changed its template. */
const SIM_LINE = /^SIM[1-8](?:[_ ].{0,40})?$/;
const TIME_LINE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** A body of exactly this form: sender, text, SIM, time, device, each on lines of its own. */
function takenApart(message: ForwardedMessage): ForwardedMessage {
  const lines = message.body.trim().split(/\r?\n/);
  const [first = '', ...rest] = lines;
  const [sim = '', time = '', device = ''] = rest.slice(-3);
  const text = rest.slice(0, -3).join('\n').trim();
  const isForm = SIM_LINE.test(sim) && TIME_LINE.test(time) && device !== '' && text !== '';
  if (!isForm || first.trim() !== message.sender.trim()) return message;
  return {
    ...message,
    body: text,
    received_at: message.received_at ?? parseInstant(time),
    sim_slot: message.sim_slot ?? parseSim(sim),
  };
}

function firstText(fields: PostedFields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return null;
}

/** "Incoming SMS to URL forwarder" names the SIM so where the text was a notification's. */
function isNotification(sim: unknown): boolean {
  return typeof sim === 'string' && sim.trim().toLowerCase() === 'notification';
}

const SECONDS = /^\d{10}$/;

/** Milliseconds or seconds since the epoch, as a number or as digits, or ISO 8601. */
function parseTimestamp(value: unknown): number | null {
  const text = typeof value === 'number' ? String(Math.trunc(value)) : value;
  if (typeof text !== 'string') return null;
  return parseInstant(SECONDS.test(text.trim()) ? Number(text) * 1000 : text);
}

/** "sim1", "SIM 2" and "SIM_1" count from one wherever written; bare numbers begin with 0 in some. */
function parseSim(value: unknown): number | null {
  const named = typeof value === 'string' ? /^\s*sim[ _]?([1-8])(?:_.*)?\s*$/i.exec(value) : null;
  return named === null ? null : Number(named[1]);
}

/** Undefined fields were missing or not readable; they leave the stored values of the phone unchanged. */
interface ForwardHealth {
  /** Percent, 0 to 100. */
  readonly battery: number | undefined;
  readonly charging: boolean | undefined;
  readonly network: string | undefined;
  readonly appVersion: string | undefined;
}

const CHARGING: Readonly<Record<string, boolean>> = { ac: true, usb: true, wireless: true, unplugged: false };
const NETWORKS = ['wifi', 'mobile', 'ethernet', 'none'];
const VERSION = /^[\w.+-]{1,60}$/;

/** @param fields the body as it came. */
export function forwardHealth(fields: Readonly<Record<string, unknown>>): ForwardHealth {
  const { battery, power, network, version } = fields;
  return {
    battery: parsePercent(battery),
    charging: typeof power === 'string' ? CHARGING[power.trim().toLowerCase()] : undefined,
    network: NETWORKS.find((name) => name === network),
    appVersion: typeof version === 'string' && VERSION.test(version) ? version : undefined,
  };
}

/** The app writes -1 where it does not know. */
function parsePercent(value: unknown): number | undefined {
  const percent = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? Math.round(percent) : undefined;
}
