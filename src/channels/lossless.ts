/**
 * JSON of other programs whose numbers stay the texts that they were: ids of 18 digits and more, and amounts,
 * do not survive `JSON.parse`.
 */
import { parse } from 'lossless-json';

export type Json = string | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** @returns undefined for invalid JSON and for a duplicate key, of which either value could be meant. */
export function parseLosslessJson(text: string): Json | undefined {
  try {
    return parse(text, null, (number) => number) as Json;
  } catch {
    return undefined;
  }
}

/** @returns the value at that path of names, undefined if absent. */
export function valueAt(json: Json | undefined, names: readonly string[]): Json | undefined {
  let value = json;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as { readonly [name: string]: Json })[name];
  }
  return value;
}
