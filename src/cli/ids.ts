/** The things that a command is to work on: named as arguments, or one a line on stdin where `-` stands. */
import { createInterface } from 'node:readline';
import { KashboxError } from '../base/errors.js';

/** More than anybody means to change at once. */
const MAX_IDS = 100_000;

/**
 * A line is an identifier or name, or a JSON object with an `id`: the output of `list --ndjson` as it stands.
 * @returns the trimmed text, or null for an empty line.
 * @throws KashboxError `invalid_input`
 */
export function idOfLine(line: string): string | null {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text === '') return null;
  if (!text.startsWith('{')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'id' in parsed && typeof parsed.id === 'string') {
      return parsed.id;
    }
  } catch {
    // Told below like an object without an id.
  }
  throw new KashboxError('invalid_input', {
    message: 'A line on stdin is neither an identifier nor a JSON object with an "id"',
    hint: 'Pipe in one identifier a line, or the output of a list command with --ndjson.',
  });
}

/**
 * @param given arguments; each `-` stands for the lines of `input`.
 * @throws KashboxError `invalid_input`
 */
export async function idsFrom(given: readonly string[], input: NodeJS.ReadableStream): Promise<string[]> {
  const ids: string[] = [];
  for (const named of given) {
    if (named !== '-') {
      ids.push(named);
      continue;
    }
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const id = idOfLine(line);
      if (id !== null) ids.push(id);
      if (ids.length > MAX_IDS) {
        throw new KashboxError('invalid_input', {
          message: `More than ${MAX_IDS} identifiers on stdin`,
          hint: 'Work in smaller portions.',
        });
      }
    }
  }
  return ids;
}
