/**
 * Payment links: their state, the amounts that they accept, the identity of an opener, and the seller's own
 * fields. Pure.
 */
import { createHash } from 'node:crypto';
import { type Paisa, parseTaka, ungrouped } from '../../base/values/money.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { asciiDigits } from '../../base/values/text.js';

/** `PAID`: as often as it may be. `ENDED`: its time is over. `SUSPENDED`: its merchant is. */
const LINK_STATES = ['ACTIVE', 'DISABLED', 'ENDED', 'PAID', 'SUSPENDED'] as const;
export type LinkState = (typeof LINK_STATES)[number];

interface LinkFacts {
  /** Milliseconds since the epoch, or null. */
  readonly ends_at: number | null;
  readonly disabled_at: number | null;
  readonly max_payments: number | null;
  readonly merchant_status: 'ACTIVE' | 'SUSPENDED';
}

/**
 * Computes the state. Only completed payments (`paid`) count: most open ones are never paid.
 * @param now milliseconds since the epoch.
 */
export function linkStateAt(link: LinkFacts, paid: number, now: number): LinkState {
  if (link.disabled_at !== null) return 'DISABLED';
  if (link.ends_at !== null && now >= link.ends_at) return 'ENDED';
  if (link.max_payments !== null && paid >= link.max_payments) return 'PAID';
  return link.merchant_status === 'SUSPENDED' ? 'SUSPENDED' : 'ACTIVE';
}

/** Range of amounts that a customer may pay. */
export interface LinkAmounts {
  readonly minPaisa: Paisa;
  /** Equal to `minPaisa` if the amount is fixed. */
  readonly maxPaisa: Paisa;
}

export const hasFixedAmount = ({ minPaisa, maxPaisa }: LinkAmounts) => minPaisa === maxPaisa;

export type AmountFault = 'empty' | 'unreadable' | 'too_many_decimals' | 'too_low' | 'too_high';

/** Currency signs before and after an amount; with them it has at most `MAX_WRITTEN` characters. */
const BEFORE = /^(?:৳|tk\.?|bdt|টাকা)/i;
const BEHIND = /(?:\/[-=]|৳|tk\.?|taka|bdt|টাকা)$/i;
const MAX_WRITTEN = 40;

function bareAmount(typed: string): string {
  const text = asciiDigits(typed).trim();
  if (text.length > MAX_WRITTEN) return text;
  const behind = text.replace(BEFORE, '').trim().replace(BEHIND, '').trim();
  // `500/- taka` has two of them.
  return behind.replace(BEHIND, '').trim();
}

/**
 * @param typed what a customer entered, also in Bangla digits, with commas, `৳` or `/-`; unread where it is
 *   fixed.
 */
export function parseLinkAmount(
  link: LinkAmounts,
  typed: string,
): ParseResult<{ paisa: Paisa }, AmountFault> {
  if (hasFixedAmount(link)) return { ok: true, paisa: link.minPaisa };
  const bare = bareAmount(typed);
  if (bare === '') return { ok: false, fault: 'empty' };
  const amount = parseTaka(ungrouped(bare));
  if (!amount.ok) {
    const faults = { not_a_decimal: 'unreadable', too_large: 'too_high' } as const;
    return {
      ok: false,
      fault: amount.reason === 'too_many_decimals' ? amount.reason : faults[amount.reason],
    };
  }
  if (amount.paisa < link.minPaisa) return { ok: false, fault: 'too_low' };
  return amount.paisa > link.maxPaisa ? { ok: false, fault: 'too_high' } : { ok: true, paisa: amount.paisa };
}

/**
 * Same key for the same browser and entries: a customer who submits again is sent to the open payment.
 * @param browser random id of the browser.
 */
export function openerMark(browser: string, paisa: Paisa, values: LinkValues): string {
  const entries = [...values].sort(([one], [next]) => (one < next ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([browser, paisa, entries]))
    .digest('base64url');
}

export interface LinkField {
  /** Name for programs, such as `size`. */
  readonly name: string;
  /** Label for customers. */
  readonly label: string;
  readonly isRequired: boolean;
}

/** Values that customers entered, by field name; empty fields are absent. */
export type LinkValues = ReadonlyMap<string, string>;

export type ValueFault = 'empty' | 'too_long' | 'control';

export const MAX_FIELDS = 8;
const MAX_LABEL = 60;
export const MAX_VALUE = 200;
const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** Line breaks and what turns the words around it; joiners belong to Bangla spelling. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

type ReadField = ParseResult<{ field: LinkField }>;

/** @param text `size=Size`, or `name*=Your name` of one that must be filled in. */
export function parseLinkField(text: string): ReadField {
  const [, name = '', mark, typed = ''] = /^([^=*]*)(\*?)=(.*)$/su.exec(text) ?? [];
  if (mark === undefined) return { ok: false, fault: `"${text}" has no "="` };
  if (!NAME.test(name)) {
    return { ok: false, fault: `the name "${name}" must be 1 to 32 lower-case letters, digits and _` };
  }
  const label = typed.trim().normalize('NFC');
  const fault = lineFault(label, MAX_LABEL);
  return fault === null
    ? { ok: true, field: { name, label, isRequired: mark === '*' } }
    : { ok: false, fault: `the label of "${name}" ${fault}` };
}

/** @returns the error in a text that customers see on one line, or null if it is valid. */
export function lineFault(text: string, max: number): string | null {
  const length = [...text].length;
  if (length === 0 || length > max) return `must have 1 to ${max} characters, this has ${length}`;
  return INVISIBLE.test(text) ? 'has a line break or an invisible character' : null;
}

/** @returns the error in a text that may have line breaks and be empty, or null if it is valid. */
export function textFault(text: string, max: number): string | null {
  const length = [...text].length;
  if (length > max) return `may have at most ${max} characters, this has ${length}`;
  return INVISIBLE.test(text.replaceAll('\n', '')) || !text.isWellFormed()
    ? 'has an invisible character'
    : null;
}

/** @param json text of `payment_links.fields`. */
export function parseLinkFields(json: string): readonly LinkField[] {
  return JSON.parse(json) as readonly LinkField[];
}

/** @param typed what a customer entered. @returns it as it is kept, empty where nothing was entered. */
export function parseFieldValue(field: LinkField, typed: string): ParseResult<{ value: string }, ValueFault> {
  const value = typed.trim().normalize('NFC');
  if (value === '') return field.isRequired ? { ok: false, fault: 'empty' } : { ok: true, value };
  if ([...value].length > MAX_VALUE) return { ok: false, fault: 'too_long' };
  return INVISIBLE.test(value) || !value.isWellFormed()
    ? { ok: false, fault: 'control' }
    : { ok: true, value };
}

/** @returns the metadata of a payment: JSON text of its link and the values that were entered. */
export function linkMeta(link: string, values: LinkValues): string {
  return JSON.stringify({ link, fields: Object.fromEntries(values) });
}

/** @param json metadata of a payment that a link has opened. */
export function parseLinkValues(json: string | null): LinkValues {
  const { fields } = JSON.parse(json ?? '{"fields":{}}') as { readonly fields: Record<string, string> };
  return new Map(Object.entries(fields));
}
