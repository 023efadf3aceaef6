/**
 * Parses the body of an acquirer's push by the acquirer's field map. Amounts and references are never
 * converted to a float. Decides only if the money was paid; never throws.
 */
import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import { fullPayer } from '../../domain/matching/payer.js';
import { isPushReference } from '../../domain/matching/reference.js';
import { parseLosslessJson, valueAt } from '../lossless.js';
import { asText, type PushMap, parseTime } from './push-map.js';

interface PushBody {
  readonly bytes: Buffer;
  /** Content type of the request; some acquirers send none, or a wrong one. */
  readonly contentType: string;
}

interface PushFields {
  readonly reference: string;
  /** A number in full is in its 11 digits, any other as the bank shows it. */
  readonly payer: string | null;
  readonly bill: string | null;
  readonly merchant: string | null;
  readonly status: string | null;
  /**
   * Milliseconds since the epoch; null if the push has no time, or has an unreadable one and reports no
   * payment.
   */
  readonly paidAt: number | null;
}

export type ReadPush =
  | { readonly outcome: 'paid'; readonly fields: PushFields; readonly amountPaisa: Paisa }
  /** Push about a payment that is not made, or not yet. */
  | { readonly outcome: 'not_paid'; readonly fields: PushFields }
  | { readonly outcome: 'unreadable'; readonly faults: readonly string[] };

const MAX_TEXT = 64;
const TIME_HINT =
  'correct time_format in the map with `kashbox acquirers update`, or remove paid_at from it so that the arrival ' +
  'counts, then `kashbox pushes reparse`';
const TAKA = ['BDT', '050', '50'];

export function parsePush(body: PushBody, map: PushMap): ReadPush {
  const { type, leafAt } = parseBody(body);
  if (leafAt === null) return { outcome: 'unreadable', faults: [`the body is no ${type}`] };
  const at = (path: string | null) => (path === null ? null : textOf(leafAt(path)));
  const reference = at(map.reference);
  if (reference === null || !isPushReference(reference)) {
    return { outcome: 'unreadable', faults: [`${map.reference} has no reference of a bank`] };
  }
  const status = cut(at(map.status));
  const payer = cut(at(map.payer));
  const time = parsePaidAt(leafAt, map);
  const fields: PushFields = {
    reference,
    payer: fullPayer(payer) ?? payer,
    bill: cut(at(map.bill))?.toUpperCase() ?? null,
    merchant: cut(at(map.merchant)),
    status,
    paidAt: time.outcome === 'time' ? time.at : null,
  };
  if (map.status !== null && !isSuccess(status, map)) return { outcome: 'not_paid', fields };
  const amountPaisa = parseAmount(at(map.amount), map);
  const faults = [
    ...amountFaults(amountPaisa, map),
    ...currencyFaults(at(map.currency), map),
    ...(time.outcome === 'unreadable' ? [time.fault] : []),
  ];
  if (amountPaisa === null || faults.length > 0) return { outcome: 'unreadable', faults };
  return { outcome: 'paid', fields, amountPaisa };
}

function isSuccess(status: string | null, map: PushMap): boolean {
  const plain = (text: string) => text.trim().toUpperCase();
  return status !== null && map.success.some((word) => plain(word) === plain(status));
}

/** @returns a positive amount, or null. Zeros after the paisa are allowed. */
function parseAmount(text: string | null, map: PushMap): Paisa | null {
  if (text === null) return null;
  const plain = ungrouped(text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));
  const isPaisa = map.amount_unit === 'paisa';
  if (isPaisa && !/^\d+$/.test(plain)) return null;
  const amount = parseTaka(isPaisa ? plain.padStart(3, '0').replace(/(?=..$)/, '.') : plain);
  return amount.ok && amount.paisa > 0 ? amount.paisa : null;
}

function amountFaults(amount: Paisa | null, map: PushMap): string[] {
  return amount === null ? [`${map.amount} has no amount in ${map.amount_unit}`] : [];
}

/** Rejects other currencies: the same amount in another currency is not what was requested. */
function currencyFaults(currency: string | null, map: PushMap): string[] {
  if (map.currency === null || currency === null || TAKA.includes(currency.toUpperCase())) return [];
  return [`${map.currency} is not BDT`];
}

type PaidAt =
  | { readonly outcome: 'time'; readonly at: number }
  /** Push without a time. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unreadable'; readonly fault: string };

/**
 * A time that is named and cannot be read is a fault: if it counted as now, a wrong format in a map would let
 * money of any age pay, and nobody would notice.
 */
function parsePaidAt(
  leafAt: LeafAt,
  { paid_at: path, time_format: format, time_zone: zone }: PushMap,
): PaidAt {
  const leaf = path === null ? undefined : leafAt(path);
  if (leaf === undefined || leaf === null) return { outcome: 'none' };
  const text = textOf(leaf);
  if (text === null && typeof leaf === 'string') return { outcome: 'none' };
  const at = text === null ? null : parseTime(text, format, zone);
  if (at !== null) return { outcome: 'time', at };
  const said = text === null ? 'is no text' : `says "${cut(text.replaceAll('"', "'"))}"`;
  return {
    outcome: 'unreadable',
    fault: `${path} ${said}, which is no time as ${asText(format)}: ${TIME_HINT}`,
  };
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_TEXT);
}

/** Returns the value at a dotted path of a body; undefined if absent. */
type LeafAt = (path: string) => unknown;

/** @returns the trimmed text of a leaf; null if it is absent, empty or not a single value. */
function textOf(leaf: unknown): string | null {
  if (typeof leaf !== 'string' && typeof leaf !== 'boolean') return null;
  const text = String(leaf).trim();
  return text === '' ? null : text;
}

interface ReadBody {
  /** Type indicated by the content or by the content type. */
  readonly type: 'json' | 'form';
  /** Lookup in the body; null if the body is not valid. */
  readonly leafAt: LeafAt | null;
}

/** Treats what looks like JSON as JSON: curl and PHP send it as a form by default. */
function parseBody({ bytes, contentType }: PushBody): ReadBody {
  const text = isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
  const looksLikeJson = /^\s*[{[]/.test(text ?? bytes.toString('latin1', 0, 100));
  const isCalledJson = /json/i.test(contentType) && !/urlencoded/i.test(contentType);
  const type = looksLikeJson || isCalledJson ? 'json' : 'form';
  if (text === null) return { type, leafAt: null };
  return { type, leafAt: type === 'json' ? parseObject(text) : parseForm(text) };
}

function parseObject(text: string): LeafAt | null {
  const root = parseLosslessJson(text);
  return typeof root === 'object' && root !== null ? (path) => valueAt(root, path.split('.')) : null;
}

/**
 * A field is found by its path however the form writes it, and one that comes twice is refused as in
 * JSON.
 */
function parseForm(text: string): LeafAt | null {
  const leaves = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = formPath(name);
    if (leaves.has(path)) return null;
    leaves.set(path, value);
  }
  return leaves.size === 0 ? null : (path) => leaves.get(formPath(path));
}

/** Converts `txn[id]`, as PHP writes it, to `txn.id`; other brackets stay unchanged. */
function formPath(name: string): string {
  return /^[^[\]]+(?:\[[^[\]]+\])+$/.test(name) ? name.replaceAll('[', '.').replaceAll(']', '') : name;
}

export interface SignatureRule {
  /** Name of the header, in small letters. */
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  /** Text before the code, such as `sha256=`; often empty. */
  readonly prefix: string;
}

export const USUAL_SIGNATURE: SignatureRule = { header: 'x-signature', encoding: 'hex', prefix: '' };

const FORM = {
  hex: /^[0-9a-f]{64}$/i,
  base64: /^[A-Za-z0-9+/]{43}=?$/,
} as const;

/**
 * @param secret text that is used unchanged as the key.
 * @param given value of the header, if it was sent exactly once.
 */
export function verifySignature(
  secret: string,
  body: Uint8Array,
  given: string | undefined,
  rule: SignatureRule,
): boolean {
  const text = given?.trim() ?? '';
  if (!text.startsWith(rule.prefix)) return false;
  const code = text.slice(rule.prefix.length);
  if (!FORM[rule.encoding].test(code)) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(Buffer.from(code, rule.encoding), expected);
}
