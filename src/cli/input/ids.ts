/**
 * Collects the ids that a command processes: arguments, and stdin for `-`, one id per line or the output of a
 * list command.
 */
import { createInterface } from 'node:readline';
import { refuse } from '../../base/errors/refuse.js';

/** Maximum number of ids; a larger input is assumed to be a mistake. */
const MAX_IDS = 100_000;

/**
 * Parses a line: an id, a name, or a JSON object with an `id` as `list --ndjson` prints it.
 * @returns the trimmed text, or null for an empty line.
 * @throws KashboxError `invalid_input`
 */
export function idOfLine(line: string): string | null {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text === '') return null;
  // The head of what list commands print with --csv.
  if (text.startsWith('id,')) unreadable('CSV on stdin is not read; list with --ndjson instead');
  if (!text.startsWith('{')) return text;
  const id = idOf(parsedOrNull(text));
  if (id === null) unreadable('A line on stdin is neither an identifier nor a JSON object with an "id"');
  return id;
}

/** @param text a JSON array of objects with an `id`: the output of `list --json`. */
function idsOfArray(text: string): string[] {
  const parsed = parsedOrNull(text.replace(/^\ufeff/, ''));
  const ids = Array.isArray(parsed) ? parsed.map(idOf) : [null];
  return ids.map((id) => {
    if (id === null) unreadable('What is on stdin is no JSON array of objects with an "id"');
    return id;
  });
}

/** @returns the parsed JSON; null if the text is not valid JSON. */
function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function idOf(parsed: unknown): string | null {
  const hasId = typeof parsed === 'object' && parsed !== null && 'id' in parsed;
  return hasId && typeof parsed.id === 'string' ? parsed.id : null;
}

function unreadable(message: string): never {
  refuse(message, 'Pipe in one identifier a line, or the output of a list command with --ndjson or --json.');
}

/**
 * @param given arguments; each `-` is replaced by the ids read from `input`.
 * @throws KashboxError `invalid_input`
 */
export async function collectIds(given: readonly string[], input: NodeJS.ReadableStream): Promise<string[]> {
  const ids: string[] = [];
  for (const named of given) {
    for (const id of named === '-' ? await readIds(input) : [named]) ids.push(id);
  }
  return ids;
}

async function readIds(input: NodeJS.ReadableStream): Promise<string[]> {
  const ids: string[] = [];
  // An array may be written over many lines.
  const array: string[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (array.length > 0 || (ids.length === 0 && line.trimStart().startsWith('['))) {
      array.push(line);
      continue;
    }
    const id = idOfLine(line);
    if (id !== null) ids.push(id);
    if (ids.length > MAX_IDS) tooMany();
  }
  const all = array.length === 0 ? ids : idsOfArray(array.join('\n'));
  if (all.length > MAX_IDS) tooMany();
  return all;
}

function tooMany(): never {
  refuse(`More than ${MAX_IDS} identifiers on stdin`, 'Work in smaller portions.');
}
