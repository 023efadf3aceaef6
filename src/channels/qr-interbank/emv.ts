/**
 * Bangla QR payloads (EMVCo merchant-presented mode with the national merchant account): checked as an
 * operator gives them, and made into the code of one payment. Knows nothing of pictures and of the store.
 */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import type { AccountDetails } from '../../domain/accounts/account-details.js';
import { type PayChannel, QR } from '../../domain/accounts/channels.js';

/** A payload that can be used for an account: complete, consistent and for any number of payments. */
interface StaticPayload {
  readonly text: string;
  readonly merchantName: string;
  /** Ids by which an acquirer knows the merchant, at least one; the first is the account's number. */
  readonly merchantIds: readonly string[];
}

export type ReadPayload =
  | { readonly ok: true; readonly payload: StaticPayload }
  /** Sentences for the operator who entered the payload, at least one. */
  | { readonly ok: false; readonly faults: readonly string[] };

const ID = {
  format: '00',
  initiation: '01',
  category: '52',
  currency: '53',
  amount: '54',
  country: '58',
  name: '59',
  additional: '62',
  checksum: '63',
} as const;
/** Category of the codes of personal accounts. */
const PERSONAL = '4829';
const STATIC = '11';
const DYNAMIC = '12';
/** Objects with which a payer would add to the amount (tip, convenience fee). */
const ADDED_BY_PAYER = ['55', '56', '57'];
const REFERENCE = '05';
/** In a personal code. */
const LABEL = '06';
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
export function parsePayload(typed: string): ReadPayload {
  const text = typed.trim();
  const read = parseObjects(text);
  if (!read.ok) {
    const fault = `It is not the text of an EMVCo QR code: it cannot be read from character ${read.at} on`;
    return { ok: false, faults: [fault] };
  }
  const { objects } = read;
  const merchantIds = merchantIdsAmong(objects);
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
  const broken = objects.filter(isTemplate).filter(({ value }) => !isSound(parseObjects(value)));
  if (broken.length > 0) return broken.map(({ id }) => `The merchant account in object ${id} cannot be read`);
  if (merchantIds.length > 0) return [];
  return objects.some(isAccount)
    ? ['It names no merchant id (object 03 of the merchant account)']
    : ['It names no merchant account (objects 02 to 51)'];
}

function isSound(read: ReadObjects): boolean {
  return read.ok && read.objects.length > 0 && repeatedId(read.objects) === undefined;
}

/** The national accounts first: acquirers of this country name the merchant by theirs. */
function merchantIdsAmong(objects: readonly DataObject[]): string[] {
  const national = objects.filter(isTemplate).flatMap(({ value }) => {
    const read = parseObjects(value);
    return read.ok ? [findValue(read.objects, MERCHANT_ID) ?? ''] : [];
  });
  const cards = objects
    .filter((object) => isAccount(object) && !isTemplate(object))
    .map(({ value }) => value);
  return [...new Set([...national, ...cards].map((id) => id.trim()).filter((id) => id !== ''))];
}

/** Checks that amount and reference fit, when the account is set, so that no payment fails because of it. */
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
  return additional === '' || isSound(parseObjects(additional));
}

interface QrPayment {
  readonly amountPaisa: Paisa;
  /**
   * At most 25 letters and digits, in 62.05 of a merchant's code and 62.06 of a personal one; if the acquirer
   * or the SMS returns it, it names the payment.
   */
  readonly reference: string;
}

/**
 * Builds the code of one payment from the merchant's own, the text of a `StaticPayload`: adds amount and
 * reference, removes tips and fees that a payer would add, and keeps everything else.
 * @throws TypeError for a payload that cannot be parsed or has no room, or a reference that does not consist
 * of 1 to 25 letters and digits.
 */
export function dynamicPayload(payload: string, { amountPaisa, reference }: QrPayment): string {
  const read = parseObjects(payload);
  if (!read.ok) throw new TypeError('payload was not checked');
  if (!/^[A-Za-z0-9]{1,25}$/.test(reference)) {
    throw new TypeError(`reference must be 1 to ${MAX_REFERENCE} letters and digits`);
  }
  const label = findValue(read.objects, ID.category) === PERSONAL ? LABEL : REFERENCE;
  const additional = additionalWith(findValue(read.objects, ID.additional) ?? '', reference, label);
  return payloadOf(read.objects, formatTaka(amountPaisa), additional);
}

function additionalWith(additional: string, reference: string, label = REFERENCE): string {
  const read = parseObjects(additional);
  if (!read.ok) throw new TypeError('additional data was not checked');
  return writeObjects(withObject(read.objects, label, reference));
}

function payloadOf(objects: readonly DataObject[], amount: string, additional: string): string {
  const kept = objects.filter(({ id }) => id !== ID.checksum && !ADDED_BY_PAYER.includes(id));
  const initiated = withObject(kept, ID.initiation, DYNAMIC);
  const priced = withObject(initiated, ID.amount, amount);
  const body = `${writeObjects(withObject(priced, ID.additional, additional))}${CRC_HEAD}`;
  return `${body}${checksum(body)}`;
}

/**
 * @param text the text of a code that an operator has set for an account.
 * @returns true for the code of a personal account: category 4829 (Bangladesh Bank, P2P specification).
 */
export function isPersonalCode(text: string): boolean {
  const read = parseObjects(text);
  return read.ok && findValue(read.objects, ID.category) === PERSONAL;
}

/**
 * Lists the ids by which a bank may name the payee of a QR code, whichever merchant account of it was used.
 * @returns an empty list for an account of another channel.
 */
export function listMerchantIds(account: {
  readonly channel: PayChannel;
  readonly number: string;
  readonly details: AccountDetails;
}): readonly string[] {
  if (account.channel !== QR) return [];
  const read = parseObjects(account.details.qr ?? '');
  return [...new Set([account.number, ...(read.ok ? merchantIdsAmong(read.objects) : [])])];
}

// The notation: objects of a two-digit id, a two-digit length and a value, closed by a checksum.

export interface DataObject {
  /** Two digits. */
  readonly id: string;
  readonly value: string;
}

type ReadObjects =
  | { readonly ok: true; readonly objects: readonly DataObject[] }
  /** `at` is the position of the first character that cannot be parsed, counted from 1. */
  | { readonly ok: false; readonly at: number };

const HEAD = 4;
const MAX_VALUE = 99;

/** Parses objects. Lengths count characters, not bytes, because these codes also contain names in Bangla. */
export function parseObjects(text: string): ReadObjects {
  const characters = [...text];
  const objects: DataObject[] = [];
  let next = 0;
  while (next < characters.length) {
    const head = characters.slice(next, next + HEAD).join('');
    const length = Number(head.slice(2));
    const start = next + HEAD;
    if (!/^[0-9]{4}$/.test(head) || start + length > characters.length) return { ok: false, at: next + 1 };
    objects.push({ id: head.slice(0, 2), value: characters.slice(start, start + length).join('') });
    next = start + length;
  }
  return { ok: true, objects };
}

/** @throws TypeError for a value that no object can hold; callers keep to `MAX_VALUE`. */
export function writeObjects(objects: readonly DataObject[]): string {
  return objects
    .map(({ id, value }) => {
      const { length } = [...value];
      if (length > MAX_VALUE) throw new TypeError(`object ${id} has ${length} characters`);
      return `${id}${String(length).padStart(2, '0')}${value}`;
    })
    .join('');
}

export function findValue(objects: readonly DataObject[], id: string): string | undefined {
  return objects.find((object) => object.id === id)?.value;
}

/** The objects with one of them set: where it stood, or before the first of a higher id. */
function withObject(objects: readonly DataObject[], id: string, value: string): DataObject[] {
  const there = objects.findIndex((object) => object.id === id);
  if (there !== -1) return objects.with(there, { id, value });
  const after = objects.findIndex((object) => object.id > id);
  return objects.toSpliced(after === -1 ? objects.length : after, 0, { id, value });
}

/** @returns the first id that comes twice, or undefined. */
function repeatedId(objects: readonly DataObject[]): string | undefined {
  return objects.find(({ id }, index) => objects.findIndex((other) => other.id === id) !== index)?.id;
}

const CRC_HEAD = '6304';

/** CRC-16/CCITT-FALSE (polynomial 0x1021, from 0xFFFF) of the UTF-8 bytes, as four upper-case hex digits. */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
