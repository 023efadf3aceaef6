/** Text from outside, made fit for every database, for a shell and for being repeated in an error. */

/**
 * PostgreSQL holds no NUL and UTF-8 no lone surrogate. Both come from broken phones and programs in
 * otherwise good messages, so they are made visible instead of costing the message.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '␀');
}

/**
 * Cleans text that a phone reports about itself, to one line: terminals show it, where control characters are
 * commands and direction marks reorder the words around it.
 * @returns at most `max` characters; empty if nothing remains.
 */
export function echoedLine(text: string, max: number): string {
  return storableText(
    text
      .replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
      .trim()
      .slice(0, max),
  );
}

const LONGEST_ECHO = 60;

/** Shortens user input that an error repeats, so that a file piped in by mistake does not fill the screen. */
export function echoed(named: string): string {
  if (named.length <= LONGEST_ECHO) return named;
  return `${named.slice(0, LONGEST_ECHO - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A name as it must be typed in a shell. */
export const quoted = (name: string) =>
  /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** Bengali digits are digits too: people type them, and their apps show them. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** @returns a small integer as a word, as help and documentation write it; a larger one in digits. */
export const numberWord = (count: number): string => NUMBERS[count] ?? String(count);

/** `1 minute`, `3 minutes` */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the text, or a dash if it is null or empty. */
export const orDash = (text: string | null): string => (text === null || text === '' ? '–' : text);

/** True for a text with a line break or a character that is not visible, except the joiners of Bangla. */
export const hasInvisible = (text: string): boolean => /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u.test(text);
