/** Which nightly backup is due, by its name alone, and which are old. Knows no folder and no timer. */
import { dhakaIso } from '../../base/values/clock.js';

/** A night ends at three in the morning in Bangladesh: what was sold before belongs to the day before. */
const NIGHT_ENDS_MS = 3 * 3_600_000;

const NIGHTLY = /^kashbox-\d{4}-\d{2}-\d{2}\.backup$/;
/** What a run that was killed has left of one. */
const DRAFT = /^kashbox-\d{4}-\d{2}-\d{2}\.backup\.part-/;

/** @returns the name of the backup that there should be, such as `kashbox-2026-08-21.backup`. */
export function nightlyName(now: number): string {
  return `kashbox-${dhakaIso(now - NIGHT_ENDS_MS).slice(0, 10)}.backup`;
}

/** @returns those beyond the newest `keep`; files of other names are somebody else's. */
export function surplusBackups(names: readonly string[], keep: number): string[] {
  return names
    .filter((name) => NIGHTLY.test(name))
    .sort()
    .reverse()
    .slice(keep);
}

export function isBackupDraft(name: string): boolean {
  return DRAFT.test(name);
}
