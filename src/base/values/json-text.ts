/**
 * Writing JSON: with some values as the texts that they came as (numbers no float can hold, the merchant's
 * own data), or for people's terminals. Knows neither which values those are nor who reads them.
 */
import { escapedControls } from './cells.js';

/** A value that is JSON text already. A class, because nothing that is parsed can be an instance of it. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** @param value what `JSON.parse` can give, with `JsonText` anywhere in it. @returns its JSON text. */
export function writeJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  let fields = '';
  for (const [name, inner] of Object.entries(value)) {
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${writeJson(inner)}`;
  }
  return `{${fields}}`;
}

/** What programs read and terminals show: no sign in it is a command. @param indent spaces a level. */
export function jsonText(value: unknown, indent = 0): string {
  return escapedControls(JSON.stringify(value, null, indent));
}
