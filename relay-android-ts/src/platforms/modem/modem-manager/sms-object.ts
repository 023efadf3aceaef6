/** One SMS as ModemManager keeps it, and what of it goes to the platform. */
import { createHash } from 'node:crypto';
import type { SenderType } from '../../../core/ports.js';
import type { DeliveryReport, StoredSms } from '../modem.js';
import { type Fields, part, textIn } from './mmcli.js';

export interface SmsObject {
  /** D-Bus object. ModemManager counts them up, and begins again at its start. */
  readonly path: string;
  /** `deliver`, `submit`, `status-report`, or a type of CDMA. */
  readonly type: string | null;
  /** `receiving`, `received`, `stored`, `sending`, `sent`; null for one that was created only. */
  readonly state: string | null;
  readonly number: string | null;
  readonly text: string | null;
  readonly hasData: boolean;
  readonly smsc: string | null;
  readonly timestamp: string | null;
  /** Of the last part that was sent, or of the part that is reported on. mmcli does not tell 0. */
  readonly reference: number;
  readonly deliveryState: string | null;
  /** False for what lies in the memory of ModemManager alone. */
  readonly isStored: boolean;
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d)?)?$/;

/** @param fields as `mmcli -J -s` prints them. */
export function smsObjectOf(fields: Fields): SmsObject {
  const sms = part(fields, 'sms');
  const content = part(sms, 'content');
  const properties = part(sms, 'properties');
  const hasData = textIn(content, 'data') !== null;
  const type = textIn(properties, 'pdu-type');
  const state = textIn(properties, 'state');
  return {
    path: textIn(sms, 'dbus-path') ?? '',
    type,
    state,
    number: textIn(content, 'number'),
    text: textIn(content, 'text'),
    hasData,
    smsc: textIn(properties, 'smsc'),
    timestamp: textIn(properties, 'timestamp'),
    reference: Number(textIn(properties, 'message-reference') ?? 0),
    deliveryState: textIn(properties, 'delivery-state'),
    isStored: textIn(properties, 'storage') !== null,
  };
}

/** Null where it has no text. */
export function storedSmsOf(sms: SmsObject): StoredSms | null {
  if (sms.text === null) return null;
  const sender = sms.number ?? '';
  return {
    place: placeOf(sms),
    sender,
    senderType: senderTypeOf(sender),
    text: sms.text,
    sentAt: isoTime(sms.timestamp),
    smsc: sms.smsc,
  };
}

/**
 * Names the object and what is in it: when ModemManager starts again, it gives the object's name to another
 * SMS, which must not be removed for this one.
 */
export function placeOf({ path, number, text, timestamp, smsc }: SmsObject): string {
  const content = JSON.stringify([number, text ?? '--', timestamp, smsc]);
  return `${path}#${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

export function pathOfPlace(place: string): string {
  return place.split('#')[0] ?? '';
}

/** The part of a place that names what is in the SMS, whatever its object is. */
export function contentOf(place: string): string {
  return place.split('#')[1] ?? '';
}

/** The number at the end of an object's name, by which older ones come first. */
export function indexOf(path: string): number {
  return Number(/\d+$/.exec(path)?.[0] ?? 0);
}

/** ModemManager does not tell the type of an address, but writes the `+` of international numbers only. */
function senderTypeOf(sender: string): SenderType {
  if (sender === '') return 'unknown';
  if (/^\+\d+$/.test(sender)) return 'international';
  if (!/^[\d*#]+$/.test(sender)) return 'alphanumeric';
  return sender.length <= 6 ? 'short_code' : 'national';
}

/**
 * ISO 8601 with the minutes of its offset, which ModemManager leaves out where they are 0: `…+06`. A time
 * without offset counts as UTC. Null for an SMS that tells none, which the standard does not allow.
 */
export function isoTime(timestamp: string | null): string | null {
  const found = TIME.exec(timestamp ?? '');
  if (found === null) return null;
  const [, time, hours = '+00', minutes = '00'] = found;
  return `${time}${hours}:${minutes}`;
}

/**
 * Whether neither text nor data is told of an SMS that should be whole: it is being put together, or its text
 * is `--`, by which mmcli says that there is none.
 */
export function isBlank({ type, state, text, hasData }: SmsObject): boolean {
  return type === 'deliver' && state === 'received' && text === null && !hasData;
}

export function isReport(sms: SmsObject): boolean {
  return sms.type === 'status-report';
}

/** What a status report says (3GPP TS 23.040, 9.2.3.15, in the words of ModemManager). */
export function reportOf(sms: SmsObject): DeliveryReport {
  return { reference: sms.reference, number: sms.number ?? '', state: deliveryOf(sms.deliveryState ?? '') };
}

function deliveryOf(state: string): DeliveryReport['state'] {
  if (state === 'completed-received') return 'delivered';
  // The network has given up.
  if (state.startsWith('error-') || state.startsWith('temporary-fatal-')) return 'failed';
  // It tries on, or cannot say whether the phone has it.
  return 'pending';
}
