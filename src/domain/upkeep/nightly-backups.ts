/** Which nightly backup is due, by its name alone, and which are old. Knows no folder and no timer. */
import { dhakaIso } from '../../base/values/clock.js';

/** A night ends at three in the morning in Bangladesh: what was sold before belongs to the day before. */
const NIGHT_ENDS_MS = 3 * 3_600_000;

/** A folder may serve several installations. */
const NIGHTLY = /^(kashbox-[0-9a-f]+-)\d{4}-\d{2}-\d{2}\.backup$/;
/** Digits of the fingerprint that stand in a name. */
const DIGITS = 8;

/**
 * @param fingerprint of the installation's secret.key, hex digits
 * @returns the name of the backup that there should be, such as `kashbox-4f0c9a31-2026-08-21.backup`.
 */
export function nightlyName(now: number, fingerprint: string): string {
  return `kashbox-${fingerprint.slice(0, DIGITS)}-${dhakaIso(now - NIGHT_ENDS_MS).slice(0, 10)}.backup`;
}

/**
 * @param own the name of a nightly backup of this installation
 * @returns those of it beyond the newest `keep`; files of other names are somebody else's.
 */
export function surplusBackups(names: readonly string[], own: string, keep: number): string[] {
  const whose = NIGHTLY.exec(own)?.[1];
  return names
    .filter((name) => NIGHTLY.exec(name)?.[1] === whose)
    .sort()
    .reverse()
    .slice(keep);
}
