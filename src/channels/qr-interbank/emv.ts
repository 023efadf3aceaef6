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
  /** Name of the payee, as payers' apps show it. */
  readonly name: string;
  /** Merchant category, four digits; null if the code has none. */
  readonly category: string | null;
  /** Ids by which an acquirer knows the merchant, at least one; the first is the account's number. */
  readonly merchantIds: readonly string[];
  /** Null for a merchant's code. */
  readonly personal: PersonalAccount | null;
}

/** Personal account, in a code of category 4829 (Bangladesh Bank, P2P specification). */
export interface PersonalAccount {
  /** Two digits; `03` is a mobile wallet. */
  readonly institutionType: string;
  /** Four digits. */
  readonly institution: string;
  /** At most 19 digits; of a wallet its number, perhaps with 880 in front. */
  readonly account: string;
  /** True if the code has a signature. It is not verified: only institutions have the public keys. */
  readonly isSigned: boolean;
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
  city: '60',
  additional: '62',
  checksum: '63',
} as const;
/** Category of the codes of personal accounts. */
const PERSONAL = '4829';
/** In the account and the signature of a personal code. */
const NATIONAL = 'bd.org.bb.npsb';
/** Each has one half of the signature, of 44 characters in base64. */
const SIGNATURE = ['80', '81'];
const STATIC = '11';
const DYNAMIC = '12';
/** Objects with which a payer would add to the amount (tip, convenience fee). */
const ADDED_BY_PAYER = ['55', '56', '57'];
const REFERENCE = '05';
/** In a personal code. */
const LABEL = '06';
/** Of a merchant account, and of a personal one. */
const MERCHANT_ID = '03';
const MAX_ACCOUNT = 19;
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

/** @param typed the text of a code, perhaps with white space around it. */
export function parsePayload(typed: string): ReadPayload {
  const text = typed.trim();
  const read = readCode(text);
  if (!read.ok) return { ok: false, faults: [unreadable(text, read.at)] };
  const { code } = read;
  const personal = personalAccount(code);
  const merchantIds = merchantIdsAmong(code);
  const faults = [
    ...frameFaults(code),
    ...useFaults(code),
    ...(isPersonal(code) ? personalFaults(personal) : accountFaults(code, merchantIds)),
    ...roomFaults(code),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const { objects } = code;
  const name = (findValue(objects, ID.name) ?? '').trim().normalize('NFC');
  const category = findValue(objects, ID.category) ?? null;
  return { ok: true, payload: { text, name, category, merchantIds, personal } };
}

/** @returns true for a text that is meant to be an EMVCo code; wallets also print codes of their own. */
export function beginsAsCode(text: string): boolean {
  return text.trim().startsWith('0002');
}

function unreadable(text: string, at: number): string {
  const what = beginsAsCode(text)
    ? 'It is cut off or damaged'
    : 'It is not the text of an EMVCo QR code such as Bangla QR';
  return `${what}: it cannot be read from character ${at} on`;
}

function frameFaults({ text, objects }: EmvCode): string[] {
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

function useFaults(code: EmvCode): string[] {
  const { objects } = code;
  const faults: string[] = [];
  const initiation = findValue(objects, ID.initiation) ?? STATIC;
  if (initiation === DYNAMIC || findValue(objects, ID.amount) !== undefined) {
    const wanted = isPersonal(code)
      ? 'give the one without an amount that the app shows'
      : 'give the code that is printed for the counter';
    faults.push(`It is the code of one payment: ${wanted}`);
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
  if (name === '') faults.push("The payee's name (object 59) is missing");
  if ([...name].length > MAX_NAME) {
    faults.push(`The payee's name (object 59) has more than ${MAX_NAME} characters`);
  }
  return faults;
}

function personalFaults(personal: PersonalAccount | null): string[] {
  if (personal === null) return [`It names no account of ${NATIONAL} (object 26)`];
  const { institutionType: type, institution, account } = personal;
  const isComplete = /^\d{2}$/.test(type) && /^\d{4}$/.test(institution) && /^\+?\d+$/.test(account);
  if (isComplete && account.length <= MAX_ACCOUNT) return [];
  return [
    'Its account (object 26) must have the type of the institution (01), its id of 4 digits (02) and a number ' +
      `of at most ${MAX_ACCOUNT} digits (03)`,
  ];
}

function accountFaults({ objects, counting }: EmvCode, merchantIds: readonly string[]): string[] {
  const broken = objects.filter(isTemplate).filter(({ value }) => !isSound(parseObjects(value, counting)));
  if (broken.length > 0) return broken.map(({ id }) => `The merchant account in object ${id} cannot be read`);
  if (merchantIds.length > 0) return [];
  return objects.some(isAccount)
    ? ['It names no merchant id (object 03 of the merchant account)']
    : ['It names no merchant account (objects 02 to 51)'];
}

function isSound(read: ReadObjects): boolean {
  return read.ok && read.objects.length > 0 && repeatedId(read.objects) === undefined;
}

const isPersonal = ({ objects }: EmvCode) => findValue(objects, ID.category) === PERSONAL;

function personalAccount(code: EmvCode): PersonalAccount | null {
  if (!isPersonal(code)) return null;
  const own = templatesOf(code, isTemplate).find(
    (template) => findValue(template, ID.format)?.toLowerCase() === NATIONAL,
  );
  if (own === undefined) return null;
  const halves = templatesOf(code, ({ id }) => SIGNATURE.includes(id));
  return {
    institutionType: findValue(own, '01') ?? '',
    institution: findValue(own, '02') ?? '',
    account: findValue(own, MERCHANT_ID)?.trim() ?? '',
    isSigned:
      halves.length === SIGNATURE.length && halves.every((half) => findValue(half, '01')?.length === 44),
  };
}

/** @returns the objects of each template that can be read. */
function templatesOf(
  { objects, counting }: EmvCode,
  isWanted: (object: DataObject) => boolean,
): readonly (readonly DataObject[])[] {
  return objects.filter(isWanted).flatMap(({ value }) => {
    const read = parseObjects(value, counting);
    return read.ok ? [read.objects] : [];
  });
}

/** The national accounts first: acquirers of this country name the merchant by theirs. */
function merchantIdsAmong(code: EmvCode): string[] {
  const national = templatesOf(code, isTemplate).map((template) => findValue(template, MERCHANT_ID) ?? '');
  const cards = code.objects
    .filter((object) => isAccount(object) && !isTemplate(object))
    .map(({ value }) => value);
  return [...new Set([...national, ...cards].map((id) => id.trim()).filter((id) => id !== ''))];
}

/** Checks that amount and reference fit, when the account is set, so that no payment fails because of it. */
function roomFaults(code: EmvCode): string[] {
  const { counting } = code;
  const additional = findValue(code.objects, ID.additional) ?? '';
  if (!isAdditionalSound(code)) return ['Its additional data (object 62) cannot be read'];
  const longest = additionalWith(code, additional, LONGEST_GATEWAY_REFERENCE);
  if (counting.split(longest).length > MAX_VALUE) {
    return ["Its additional data (object 62) leaves no room for a payment's reference"];
  }
  const { length } = counting.split(payloadOf(code, LONGEST_AMOUNT, longest));
  return length > MAX_PAYLOAD ? [`With an amount it would have ${length} of ${MAX_PAYLOAD} characters`] : [];
}

function isAdditionalSound({ objects, counting }: EmvCode): boolean {
  const additional = findValue(objects, ID.additional) ?? '';
  return additional === '' || isSound(parseObjects(additional, counting));
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
 * Builds the code of one payment from the payee's own, the text of a `StaticPayload`: adds amount and
 * reference, removes tips and fees that a payer would add, and keeps everything else. So the signature of a
 * personal code, which covers name and account, stays valid.
 * @throws TypeError for a payload that cannot be parsed or has no room, or a reference that does not consist
 * of 1 to 25 letters and digits.
 */
export function dynamicPayload(payload: string, { amountPaisa, reference }: QrPayment): string {
  const read = readCode(payload);
  if (!read.ok) throw new TypeError('payload was not checked');
  if (!/^[A-Za-z0-9]{1,25}$/.test(reference)) {
    throw new TypeError(`reference must be 1 to ${MAX_REFERENCE} letters and digits`);
  }
  const { code } = read;
  const additional = additionalWith(code, findValue(code.objects, ID.additional) ?? '', reference);
  return payloadOf(code, formatTaka(amountPaisa), additional);
}

function additionalWith(code: EmvCode, additional: string, reference: string): string {
  const read = parseObjects(additional, code.counting);
  if (!read.ok) throw new TypeError('additional data was not checked');
  const label = isPersonal(code) ? LABEL : REFERENCE;
  return writeObjects(withObject(read.objects, label, reference), code.counting);
}

function payloadOf({ objects, counting }: EmvCode, amount: string, additional: string): string {
  const kept = objects.filter(({ id }) => id !== ID.checksum && !ADDED_BY_PAYER.includes(id));
  const initiated = withObject(kept, ID.initiation, DYNAMIC);
  const priced = withObject(initiated, ID.amount, amount);
  const body = `${writeObjects(withObject(priced, ID.additional, additional), counting)}${CRC_HEAD}`;
  return `${body}${checksum(body)}`;
}

/** @returns the payee of an account's code; null for a code that is not personal or cannot be used. */
export function findPersonalAccount(
  qr: string | undefined,
): (PersonalAccount & { readonly name: string }) | null {
  const read = parsePayload(qr ?? '');
  if (!read.ok || read.payload.personal === null) return null;
  return { name: read.payload.name, ...read.payload.personal };
}

/** @returns true for a code of category 4829, whether it can be used or not. */
export function isPersonalCode(text: string): boolean {
  const read = readCode(text.trim());
  return read.ok && isPersonal(read.code);
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
  const read = readCode(account.details.qr ?? '');
  return [...new Set([account.number, ...(read.ok ? merchantIdsAmong(read.code) : [])])];
}

// The notation: objects of a two-digit id, a two-digit length and a value, closed by a checksum.

/**
 * What a length counts. EMVCo's own example counts characters, the platform that issues personal codes counts
 * UTF-8 bytes; they differ for names in Bangla or with an accent.
 */
export interface Counting {
  /** @returns one string for each unit that a length counts. */
  split(text: string): readonly string[];
  join(units: readonly string[]): string;
}

export const CHARACTERS: Counting = { split: (text) => [...text], join: (units) => units.join('') };
export const BYTES: Counting = {
  split: (text) => [...Buffer.from(text, 'utf8').toString('latin1')],
  join: (units) => Buffer.from(units.join(''), 'latin1').toString('utf8'),
};

/** A code that was read, and is written in the same way. */
interface EmvCode {
  readonly text: string;
  readonly counting: Counting;
  readonly objects: readonly DataObject[];
}

type ReadCode =
  | { readonly ok: true; readonly code: EmvCode }
  /** As `ReadObjects`, in the reading that got furthest. */
  | { readonly ok: false; readonly at: number };

/**
 * Keeps the reading that is consistent; if none is, the first that is complete. If both are, the one that has
 * a city, which follows the name and is mandatory; then bytes, because a name that is read too long may end
 * where another object does, but a name that is read too short ends within its letters.
 */
function readCode(text: string): ReadCode {
  const codes: EmvCode[] = [];
  let furthest = 1;
  for (const counting of [BYTES, CHARACTERS]) {
    const read = parseObjects(text, counting);
    if (read.ok) codes.push({ text, counting, objects: read.objects });
    else furthest = Math.max(furthest, read.at);
  }
  const sound = codes.filter(isConsistent);
  const hasCity = ({ objects }: EmvCode) => findValue(objects, ID.city) !== undefined;
  const code = sound.find(hasCity) ?? sound[0] ?? codes[0];
  return code === undefined ? { ok: false, at: furthest } : { ok: true, code };
}

/** True for a right checksum and sound templates. */
function isConsistent(code: EmvCode): boolean {
  const { objects, counting } = code;
  return (
    frameFaults(code).length === 0 &&
    isAdditionalSound(code) &&
    objects.filter(isTemplate).every(({ value }) => isSound(parseObjects(value, counting)))
  );
}

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

/** A length that ends within a character is found, because no object begins there. */
export function parseObjects(text: string, counting = CHARACTERS): ReadObjects {
  const units = counting.split(text);
  const objects: DataObject[] = [];
  let next = 0;
  while (next < units.length) {
    const head = units.slice(next, next + HEAD).join('');
    const length = Number(head.slice(2));
    const start = next + HEAD;
    if (!/^[0-9]{4}$/.test(head) || start + length > units.length) {
      return { ok: false, at: [...counting.join(units.slice(0, next))].length + 1 };
    }
    objects.push({ id: head.slice(0, 2), value: counting.join(units.slice(start, start + length)) });
    next = start + length;
  }
  return { ok: true, objects };
}

/** @throws TypeError for a value that no object can hold; callers keep to `MAX_VALUE`. */
export function writeObjects(objects: readonly DataObject[], counting = CHARACTERS): string {
  return objects
    .map(({ id, value }) => {
      const { length } = counting.split(value);
      if (length > MAX_VALUE) throw new TypeError(`object ${id} is longer than ${MAX_VALUE}`);
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
