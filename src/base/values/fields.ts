/** Access to fields of values of unknown shape, without an error for missing ones. */

/** @returns the fields of an object; none for a value of any other kind. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** @returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
