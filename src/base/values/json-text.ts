/**
 * Serializes JSON: keeps the original text of some values (numbers that no float can represent, the
 * merchant's own data), or escapes it for terminals. Knows neither the values nor the readers.
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

/** Escapes control characters, because terminals may show the JSON. @param indent spaces per level. */
export function jsonText(value: unknown, indent = 0): string {
  return escapedControls(JSON.stringify(value, null, indent));
}
