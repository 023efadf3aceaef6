/** One SMS as ModemManager keeps it, and what of it goes to the platform. */
import { createHash } from 'node:crypto';
import { type DeliveryReport, type ModemSms, typeOfSender } from '../modem.js';
import { getText, type MmcliFields, part } from './mmcli.js';

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
  /** TP-Message-Reference of the last part sent, or of a report's part; 0 if mmcli omits it. */
  readonly reference: number;
  readonly deliveryState: string | null;
  /** False if it exists only in the memory of ModemManager. */
  readonly isStored: boolean;
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|([+-]\d\d):?(\d\d)?)?$/;

/** @param fields as `mmcli -J -s` prints them. */
export function parseSmsObject(fields: MmcliFields): SmsObject {
  const sms = part(fields, 'sms');
  const content = part(sms, 'content');
  const properties = part(sms, 'properties');
  const hasData = getText(content, 'data') !== null;
  const type = getText(properties, 'pdu-type');
  const state = getText(properties, 'state');
  return {
    path: getText(sms, 'dbus-path') ?? '',
    type,
    state,
    number: getText(content, 'number'),
    text: getText(content, 'text'),
    hasData,
    smsc: getText(properties, 'smsc'),
    timestamp: getText(properties, 'timestamp'),
    reference: Number(getText(properties, 'message-reference') ?? 0),
    deliveryState: getText(properties, 'delivery-state'),
    isStored: getText(properties, 'storage') !== null,
  };
}

/** Null where it has no text. */
export function toModemSms(sms: SmsObject): ModemSms | null {
  if (sms.text === null) return null;
  const sender = sms.number ?? '';
  return {
    place: formatPlace(sms),
    sender,
    // ModemManager tells no type of an address, but writes the `+` of international numbers only.
    senderType: typeOfSender(sender),
    text: sms.text,
    sentAt: isoTime(sms.timestamp),
    smsc: sms.smsc,
  };
}

/**
 * Identifies an SMS by its object and its content: after a restart ModemManager gives the object's name to
 * another SMS, which must not be removed instead.
 */
export function formatPlace({ path, number, text, timestamp, smsc }: SmsObject): string {
  const content = JSON.stringify([number, text ?? '--', timestamp, smsc]);
  return `${path}#${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

export function pathOfPlace(place: string): string {
  return place.split('#')[0] ?? '';
}

/** Content hash within a place, independent of the object. */
export function contentHash(place: string): string {
  return place.split('#')[1] ?? '';
}

/** Number at the end of an object's name; older objects have lower numbers. */
export function objectIndex(path: string): number {
  return Number(/\d+$/.exec(path)?.[0] ?? 0);
}

/**
 * Adds the minutes of the offset, omitted by ModemManager if 0 (`…+06`); without offset, assumes UTC.
 * @returns null if the SMS has no time, which the standard does not allow
 */
export function isoTime(timestamp: string | null): string | null {
  const found = TIME.exec(timestamp ?? '');
  if (found === null) return null;
  const [, time, hours = '+00', minutes = '00'] = found;
  return `${time}${hours}:${minutes}`;
}

/**
 * True if a received SMS has neither text nor data: it is still being assembled, or its text is `--`, which
 * mmcli also prints for an absent text.
 */
export function isBlank({ type, state, text, hasData }: SmsObject): boolean {
  return type === 'deliver' && state === 'received' && text === null && !hasData;
}

export function isReport(sms: SmsObject): boolean {
  return sms.type === 'status-report';
}

/** Converts a status report (3GPP TS 23.040, 9.2.3.15) as ModemManager prints it. */
export function toDeliveryReport(sms: SmsObject): DeliveryReport {
  return { reference: sms.reference, number: sms.number ?? '', state: deliveryOf(sms.deliveryState ?? '') };
}

function deliveryOf(state: string): DeliveryReport['state'] {
  if (state === 'completed-received') return 'delivered';
  // The network has given up.
  if (state.startsWith('error-') || state.startsWith('temporary-fatal-')) return 'failed';
  // It tries on, or cannot say whether the phone has it.
  return 'pending';
}
