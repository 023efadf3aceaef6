/**
 * From the body of an acquirer's push to what it says, by the acquirer's field map. Amounts and references
 * never go through a float. Judges nothing but whether the money moved; never throws.
 */
import { isUtf8 } from 'node:buffer';
import { parse } from 'lossless-json';
import { type Paisa, parseTaka, ungrouped } from '../../base/money.js';
import { fullPayer } from '../../domain/payer.js';
import { isPushReference } from '../../domain/reference.js';
import type { PushMap } from './push-map.js';
import { readTime } from './push-time.js';

export interface PushBody {
  readonly bytes: Buffer;
  readonly type: 'json' | 'form';
}

export interface PushFields {
  readonly reference: string;
  /** A number in full is in its 11 digits, any other as the bank shows it. */
  readonly payer: string | null;
  readonly bill: string | null;
  readonly merchant: string | null;
  /** What it says of its state, or null. */
  readonly status: string | null;
  /** Milliseconds since the epoch; null where it gives no time that can be read. */
  readonly paidAt: number | null;
}

export type ReadPush =
  | { readonly outcome: 'paid'; readonly fields: PushFields; readonly amountPaisa: Paisa }
  /** It tells of a payment that is not made, or not yet. */
  | { readonly outcome: 'not_paid'; readonly fields: PushFields }
  | { readonly outcome: 'unreadable'; readonly faults: readonly string[] };

const MAX_TEXT = 64;
const TAKA = ['BDT', '050', '50'];

export function readPush(body: PushBody, map: PushMap): ReadPush {
  const root = readBody(body);
  if (root === null) return { outcome: 'unreadable', faults: [`the body is no ${body.type}`] };
  const at = (path: string | null) => (path === null ? null : textAt(root, path));
  const reference = at(map.reference);
  if (reference === null || !isPushReference(reference)) {
    return { outcome: 'unreadable', faults: [`${map.reference} has no reference of a bank`] };
  }
  const status = cut(at(map.status));
  const payer = cut(at(map.payer));
  const paidAt = at(map.paid_at);
  const fields: PushFields = {
    reference,
    payer: fullPayer(payer) ?? payer,
    bill: cut(at(map.bill))?.toUpperCase() ?? null,
    merchant: cut(at(map.merchant)),
    status,
    paidAt: paidAt === null ? null : readTime(paidAt, map.time_format, map.time_zone),
  };
  if (map.status !== null && !isSuccess(status, map)) return { outcome: 'not_paid', fields };
  const amountPaisa = readAmount(at(map.amount), map);
  const faults = [...amountFaults(amountPaisa, map), ...currencyFaults(at(map.currency), map)];
  if (amountPaisa === null || faults.length > 0) return { outcome: 'unreadable', faults };
  return { outcome: 'paid', fields, amountPaisa };
}

function isSuccess(status: string | null, map: PushMap): boolean {
  const plain = (text: string) => text.trim().toUpperCase();
  return status !== null && map.success.some((word) => plain(word) === plain(status));
}

/** @returns a positive amount, or null. Zeros behind the paisa say nothing and are allowed. */
function readAmount(text: string | null, map: PushMap): Paisa | null {
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

/** Other money of the same amount is not what was asked for. */
function currencyFaults(currency: string | null, map: PushMap): string[] {
  if (map.currency === null || currency === null || TAKA.includes(currency.toUpperCase())) return [];
  return [`${map.currency} is not BDT`];
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_TEXT);
}

/** @returns the text of a leaf without white space around it; null where there is none, or nothing in it. */
function textAt(root: object, path: string): string | null {
  let node: unknown = root;
  for (const name of path.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return null;
    node = (node as Readonly<Record<string, unknown>>)[name];
  }
  if (typeof node !== 'string' && typeof node !== 'boolean') return null;
  const text = String(node).trim();
  return text === '' ? null : text;
}

/** @returns an object or a list with texts where numbers stood, or null. */
function readBody({ bytes, type }: PushBody): object | null {
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return type === 'json' ? readJson(text) : readForm(text);
}

/** A key that comes twice with two values is refused with the rest: nobody knows which of them was meant. */
function readJson(text: string): object | null {
  try {
    const value = parse(text, null, (number) => number);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function readForm(text: string): object | null {
  const entries = [...new URLSearchParams(text)];
  const names = new Set(entries.map(([name]) => name));
  return entries.length === 0 || names.size < entries.length ? null : Object.fromEntries(entries);
}
