/** How the demo's lines are made to fit a terminal. Pure: text in, text out. */

import { quoted } from '../base/values/text.js';

const LONGEST_WORD = 20;
const KEPT = 8;

/**
 * @returns JSON on one line for people: keys, ids and other long words are cut, and what is empty or off is
 * left out, except for `status`, which always counts.
 */
export function shortJson(value: unknown): string {
  return JSON.stringify(value, (name, item: unknown) => {
    if (typeof item === 'string' && item !== '') return shortWord(item);
    const isOff = item === '' || item === null || item === false;
    return isOff && name !== 'status' ? undefined : item;
  });
}

/** Sentences stay whole; a word that nobody reads to its end does not. */
function shortWord(text: string): string {
  return text.length > LONGEST_WORD && !text.includes(' ') ? `${text.slice(0, KEPT)}…` : text;
}

/** @returns "12 ms" or "1.24 s". */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** @returns a word as it must be typed in a shell. */
export function shellWord(text: string): string {
  return /^[\w=:/.-]+$/.test(text) ? text : quoted(text);
}
