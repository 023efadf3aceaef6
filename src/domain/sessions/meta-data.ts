/** `meta_data` of a session: the merchant's own object, kept as it came and given back. */
import { parseJson } from '../../base/values/fields.js';
import type { Read } from '../../base/values/read.js';

const MAX_BYTES = 8 * 1024;
const MAX_LEVELS = 8;

export type ReadMetaData = Read<{ json: string | null }>;

/**
 * @param value the parsed body's `meta_data` (or `metadata`): an object, a JSON text of one, or nothing.
 * @returns its JSON text, or null when there is none. A text is kept as it came, because a number in it may
 *   be one that no float holds. Limits: 8 KiB and 8 levels.
 */
export function readMetaData(value: unknown): ReadMetaData {
  if (value === undefined || value === null || value === '') return { ok: true, json: null };
  const object = typeof value === 'string' ? parseJson(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { ok: false, fault: 'meta_data must be an object' };
  }
  if (!isShallow(object, MAX_LEVELS))
    return { ok: false, fault: `meta_data may be at most ${MAX_LEVELS} levels deep` };
  const json = typeof value === 'string' ? storable(value) : JSON.stringify(object);
  if (Buffer.byteLength(json) > MAX_BYTES) return { ok: false, fault: 'meta_data may be at most 8 KiB' };
  return { ok: true, json };
}

/** Half a character cannot be stored, but spelt as JSON spells it, as `JSON.stringify` does of itself. */
function storable(json: string): string {
  return json.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}
