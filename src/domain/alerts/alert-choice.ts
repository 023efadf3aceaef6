/** Which kinds of alert a target wants, as an operator chooses them by names and groups. Pure. */
import { ALERT_GROUPS, ALERT_KINDS, type AlertKind, kindFacts } from './alert.js';

/** What stands for every kind, and for those that are told unless something was chosen. */
const ALL = 'all';
export const USUAL = 'default';

/** Words that may be chosen. */
export const CHOICES: readonly string[] = [USUAL, ALL, ...ALERT_GROUPS, ...ALERT_KINDS];

/** @param chosen words with spaces between, as they are kept. */
export function isChosen(chosen: string, kind: AlertKind): boolean {
  const { group, usual } = kindFacts(kind);
  const words = chosen.split(' ');
  const named = words.includes(kind) || (group !== null && (words.includes(group) || words.includes(ALL)));
  return named || (usual && words.includes(USUAL));
}

/** @returns the words as they are kept, each once; or the first that is none of `CHOICES`. */
export function readChoice(typed: string): { readonly chosen: string } | { readonly unknown: string } {
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const unknown = words.length === 0 ? '' : words.find((word) => !CHOICES.includes(word));
  return unknown === undefined ? { chosen: [...new Set(words)].join(' ') } : { unknown };
}
