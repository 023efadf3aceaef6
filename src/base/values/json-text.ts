/**
 * Writing JSON in which some values stand as the texts that they came as: numbers no float can hold, and the
 * merchant's own data. Knows neither which values those are nor who reads them.
 */

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
