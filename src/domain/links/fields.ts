/** The seller's own fields of a payment link: how they are written, and what customers enter. Pure. */
import type { Read } from '../../base/values/read.js';

export interface LinkField {
  /** By which programs know it: `size`. */
  readonly name: string;
  /** What customers read. */
  readonly label: string;
  readonly isRequired: boolean;
}

/** What customers entered, by the fields' names; what was left empty is not there. */
export type LinkValues = ReadonlyMap<string, string>;

/** Why a value is not taken. */
export type ValueFault = 'empty' | 'too_long' | 'control';

export const MAX_FIELDS = 8;
const MAX_LABEL = 60;
export const MAX_VALUE = 200;
const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** Line breaks and what turns the words around it; joiners belong to Bangla spelling. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

type ReadField = Read<{ field: LinkField }>;

/** @param text `size=Size`, or `name*=Your name` of one that must be filled in. */
export function readField(text: string): ReadField {
  const [, name = '', mark, typed = ''] = /^([^=*]*)(\*?)=(.*)$/su.exec(text) ?? [];
  if (mark === undefined) return { ok: false, fault: `"${text}" has no "="` };
  if (!NAME.test(name)) {
    return { ok: false, fault: `the name "${name}" must be 1 to 32 small letters, digits and _` };
  }
  const label = typed.trim().normalize('NFC');
  const fault = lineFault(label, MAX_LABEL);
  return fault === null
    ? { ok: true, field: { name, label, isRequired: mark === '*' } }
    : { ok: false, fault: `the label of "${name}" ${fault}` };
}

/** @returns what is wrong with a text that is shown to customers in one line, or null. */
export function lineFault(text: string, max: number): string | null {
  const length = [...text].length;
  if (length === 0 || length > max) return `must have 1 to ${max} characters, this has ${length}`;
  return INVISIBLE.test(text) ? 'has a line break or an invisible character' : null;
}

/** @param json text of `payment_links.fields`. */
export function fieldsOf(json: string): readonly LinkField[] {
  return JSON.parse(json) as readonly LinkField[];
}

/** @param typed what a customer entered. @returns it as it is kept, empty where nothing was entered. */
export function readValue(field: LinkField, typed: string): Read<{ value: string }, ValueFault> {
  const value = typed.trim().normalize('NFC');
  if (value === '') return field.isRequired ? { ok: false, fault: 'empty' } : { ok: true, value };
  if ([...value].length > MAX_VALUE) return { ok: false, fault: 'too_long' };
  return INVISIBLE.test(value) || !value.isWellFormed()
    ? { ok: false, fault: 'control' }
    : { ok: true, value };
}

/** @returns the metadata of a payment: JSON text of its link and what was entered there. */
export function linkMeta(link: string, values: LinkValues): string {
  return JSON.stringify({ link, fields: Object.fromEntries(values) });
}

/** @param json metadata of a payment that a link has opened. */
export function valuesIn(json: string | null): LinkValues {
  const { fields } = JSON.parse(json ?? '{"fields":{}}') as { readonly fields: Record<string, string> };
  return new Map(Object.entries(fields));
}
