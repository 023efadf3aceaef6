/** What is shown of the one thing that is open, read again as long as it is. Knows no window and no keys. */
import { isKashboxError } from '../base/errors/errors.js';
import type { PanelId } from './panel.js';
import type { Source } from './snapshot.js';

export interface Details {
  readonly key: string;
  readonly thing: object;
  /** What the operator must know before believing it; null for nothing. */
  readonly note: string | null;
}

/** What is known of the thing before it is asked for. */
export interface Known {
  readonly panel: PanelId;
  readonly key: string;
  /** What its panel says of it now; null where it is not in the panel any more. */
  readonly row: object | null;
  /** What was shown last. */
  readonly last: object;
}

const GONE = 'It is not in the list any more. This was read last.';

/** Never throws: what could not be read is said in the note. */
export async function readDetails(source: Source, { panel, key, row, last }: Known): Promise<Details> {
  const known = row ?? last;
  try {
    const more = await source.details(panel, key);
    if (more !== null) return { key, thing: more, note: null };
  } catch (error) {
    const isGone = isKashboxError(error) && error.exit === 3;
    if (!isGone) return { key, thing: known, note: `The rest could not be read: ${reasonOf(error)}` };
  }
  return { key, thing: known, note: row === null ? GONE : null };
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
