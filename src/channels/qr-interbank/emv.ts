/**
 * Bangla QR payloads (EMVCo merchant-presented mode with the national merchant account): checked as an
 * operator gives them, and made into the code of one payment. Knows nothing of pictures and of the store.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import {
  CRC_HEAD,
  checksum,
  type DataObject,
  findValue,
  MAX_VALUE,
  type ReadObjects,
  readObjects,
  repeatedId,
  withObject,
  writeObjects,
} from './tlv.js';

/** A payload that can be used for an account: complete, consistent and for any number of payments. */
export interface StaticPayload {
  readonly text: string;
  readonly merchantName: string;
  /** Ids by which an acquirer knows the merchant, at least one; the first is the account's number. */
  readonly merchantIds: readonly string[];
}

export type ReadPayload =
  | { readonly ok: true; readonly payload: StaticPayload }
  /** Sentences for the operator who gave it, at least one. */
  | { readonly ok: false; readonly faults: readonly string[] };

const ID = {
  format: '00',
  initiation: '01',
  currency: '53',
  amount: '54',
  country: '58',
  name: '59',
  additional: '62',
  checksum: '63',
} as const;
const STATIC = '11';
const DYNAMIC = '12';
/** What a payer would add to the amount. */
const ADDED_BY_PAYER = ['55', '56', '57'];
const REFERENCE = '05';
const MERCHANT_ID = '03';
const MAX_REFERENCE = 25;
const MAX_NAME = 25;
/** EMVCo's limit of a payload. */
const MAX_PAYLOAD = 512;
/** Room for what one payment adds: the amount, and the gateway reference of 12 characters. */
const LONGEST_AMOUNT = '1000000.00';
const LONGEST_GATEWAY_REFERENCE = 'X'.repeat(12);

/** A merchant account is a plain card number up to 25, and a template of its own objects from 26 on. */
const isAccount = ({ id }: DataObject) => id >= '02' && id <= '51';
const isTemplate = ({ id }: DataObject) => id >= '26' && id <= '51';

/** @param typed the text of a printed code, perhaps with white space around it. */
export function readPayload(typed: string): ReadPayload {
  const text = typed.trim();
  const read = readObjects(text);
  if (!read.ok) {
    const fault = `It is not the text of an EMVCo QR code: it cannot be read from character ${read.at} on`;
    return { ok: false, faults: [fault] };
  }
  const { objects } = read;
  const merchantIds = merchantIdsOf(objects);
  const faults = [
    ...frameFaults(text, objects),
    ...useFaults(objects),
    ...accountFaults(objects, merchantIds),
    ...roomFaults(objects),
  ];
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, payload: { text, merchantName: findValue(objects, ID.name) ?? '', merchantIds } };
}

function frameFaults(text: string, objects: readonly DataObject[]): string[] {
  const faults: string[] = [];
  const [first] = objects;
  if (first?.id !== ID.format || first.value !== '01') faults.push('It must begin with 000201');
  const twice = repeatedId(objects);
  if (twice !== undefined) faults.push(`Object ${twice} comes twice`);
  const last = objects.at(-1);
  const body = text.slice(0, -4);
  if (last?.id !== ID.checksum || !body.endsWith(CRC_HEAD)) {
    faults.push('It must end with its checksum (object 63): part of it may be missing');
  } else if (last.value.toUpperCase() !== checksum(body)) {
    faults.push(`Its checksum is ${last.value} and should be ${checksum(body)}: a character of it is wrong`);
  }
  return faults;
}

function useFaults(objects: readonly DataObject[]): string[] {
  const faults: string[] = [];
  const initiation = findValue(objects, ID.initiation) ?? STATIC;
  if (initiation === DYNAMIC || findValue(objects, ID.amount) !== undefined) {
    faults.push('It is the code of one payment: give the code that is printed for the counter');
  } else if (initiation !== STATIC) {
    faults.push(`Object 01 must be 11 or 12, this has ${initiation}`);
  }
  const country = findValue(objects, ID.country);
  if (country !== 'BD') faults.push(`Its country (object 58) must be BD, this has ${country ?? 'none'}`);
  const currency = findValue(objects, ID.currency);
  if (currency !== '050') {
    faults.push(`Its currency (object 53) must be 050, taka, this has ${currency ?? 'none'}`);
  }
  const name = findValue(objects, ID.name)?.trim() ?? '';
  if (name === '') faults.push("The merchant's name (object 59) is missing");
  if ([...name].length > MAX_NAME) {
    faults.push(`The merchant's name (object 59) has more than ${MAX_NAME} characters`);
  }
  return faults;
}

function accountFaults(objects: readonly DataObject[], merchantIds: readonly string[]): string[] {
  const broken = objects.filter(isTemplate).filter(({ value }) => !isSound(readObjects(value)));
  if (broken.length > 0) return broken.map(({ id }) => `The merchant account in object ${id} cannot be read`);
  if (merchantIds.length > 0) return [];
  return objects.some(isAccount)
    ? ['It names no merchant id (object 03 of the merchant account)']
    : ['It names no merchant account (objects 02 to 51)'];
}

function isSound(read: ReadObjects): boolean {
  return read.ok && read.objects.length > 0 && repeatedId(read.objects) === undefined;
}

/** @returns the ids of `StaticPayload` in a payload that was checked; none where there is no such payload. */
export function merchantIdsIn(payload: string): readonly string[] {
  const read = readObjects(payload);
  return read.ok ? merchantIdsOf(read.objects) : [];
}

/** The national accounts first: acquirers of this country name the merchant by theirs. */
function merchantIdsOf(objects: readonly DataObject[]): string[] {
  const national = objects.filter(isTemplate).flatMap(({ value }) => {
    const read = readObjects(value);
    return read.ok ? [findValue(read.objects, MERCHANT_ID) ?? ''] : [];
  });
  const cards = objects
    .filter((object) => isAccount(object) && !isTemplate(object))
    .map(({ value }) => value);
  return [...new Set([...national, ...cards].map((id) => id.trim()).filter((id) => id !== ''))];
}

/** Found when the account is set, so that no payment meets it. */
function roomFaults(objects: readonly DataObject[]): string[] {
  const additional = findValue(objects, ID.additional) ?? '';
  if (!isAdditionalSound(additional)) return ['Its additional data (object 62) cannot be read'];
  const longest = additionalWith(additional, LONGEST_GATEWAY_REFERENCE);
  if ([...longest].length > MAX_VALUE) {
    return ["Its additional data (object 62) leaves no room for a payment's reference"];
  }
  const { length } = [...payloadOf(objects, LONGEST_AMOUNT, longest)];
  return length > MAX_PAYLOAD ? [`With an amount it would have ${length} of ${MAX_PAYLOAD} characters`] : [];
}

function isAdditionalSound(additional: string): boolean {
  return additional === '' || isSound(readObjects(additional));
}

export interface QrPayment {
  readonly amountPaisa: Paisa;
  /** At most 25 letters and digits; acquirers that give it back let the payment settle by itself. */
  readonly reference: string;
}

/**
 * The code of one payment from the merchant's own: amount and reference stand in it, tips and fees that a
 * payer would add do not, all else stays as it was.
 * @param payload text of a `StaticPayload`.
 * @throws TypeError for a payload that `readPayload` refuses, or a reference that no code can hold.
 */
export function dynamicPayload(payload: string, { amountPaisa, reference }: QrPayment): string {
  const read = readObjects(payload);
  if (!read.ok) throw new TypeError('payload was not checked');
  if (!/^[A-Za-z0-9]{1,25}$/.test(reference)) {
    throw new TypeError(`reference must be 1 to ${MAX_REFERENCE} letters and digits`);
  }
  const additional = additionalWith(findValue(read.objects, ID.additional) ?? '', reference);
  return payloadOf(read.objects, formatTaka(amountPaisa), additional);
}

function additionalWith(additional: string, reference: string): string {
  const read = readObjects(additional);
  if (!read.ok) throw new TypeError('additional data was not checked');
  return writeObjects(withObject(read.objects, REFERENCE, reference));
}

function payloadOf(objects: readonly DataObject[], amount: string, additional: string): string {
  const kept = objects.filter(({ id }) => id !== ID.checksum && !ADDED_BY_PAYER.includes(id));
  const initiated = withObject(kept, ID.initiation, DYNAMIC);
  const priced = withObject(initiated, ID.amount, amount);
  const body = `${writeObjects(withObject(priced, ID.additional, additional))}${CRC_HEAD}`;
  return `${body}${checksum(body)}`;
}
