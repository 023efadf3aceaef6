/**
 * Completes an identifier of which an operator typed the beginning. Only commands use this; callers of the
 * API give complete identifiers. Names are never completed.
 */
import { refuse } from '../../base/errors/refuse.js';
import type { Db } from '../../store/schema/index.js';
import { type IdRange, idsBetween, referencesBetween } from '../../store/tables/id-prefix.js';

/** Fewer characters would fit by chance. */
const LEAST = 4;
const ROW_DIGITS = 24;
const SESSION_DIGITS = 32;
const REFERENCE_LENGTH = 12;
const MOST_SHOWN = 10;

const ROW_PREFIX = new RegExp(`^([a-z]{3})_([0-9a-f]{${LEAST},${ROW_DIGITS - 1}})$`);
const PAYMENT_PREFIX = new RegExp(`^[0-9a-z]{${LEAST},${SESSION_DIGITS - 1}}$`, 'i');
const SESSION_PREFIX = /^[0-9a-f]+$/i;

/** The rest is filled up with the last digit or letter that there is. */
const rangeOf = (from: string, length: number, last: string): IdRange => ({
  from,
  to: from.padEnd(length, last),
});

/** True if the text can be the beginning of an identifier, but not a complete one. */
export function isBeginning(typed: string, ofPayments: boolean): boolean {
  const text = typed.trim();
  if (ROW_PREFIX.test(text)) return true;
  return ofPayments && text.length !== REFERENCE_LENGTH && PAYMENT_PREFIX.test(text);
}

/**
 * @param typed at least 4 characters after the prefix (`dev_01a2`), or of a payment's number.
 * @param ofPayments true if a text without a prefix may be a payment's number.
 * @returns the only complete identifier that begins with the text; the typed text if none does.
 * @throws KashboxError `invalid_input` that lists the matches if there are several
 */
export async function wholeId(db: Db, typed: string, ofPayments: boolean): Promise<string> {
  if (!isBeginning(typed, ofPayments)) return typed;
  const text = typed.trim();
  const [only, ...others] = await beginningWith(db, text, MOST_SHOWN + 1);
  if (only === undefined) return typed;
  if (others.length === 0) return only;
  const shown = [only, ...others].slice(0, MOST_SHOWN).join(', ');
  const more = others.length >= MOST_SHOWN ? ', and more' : '';
  refuse(`Several begin with "${text}": ${shown}${more}`, 'Type more of the one that you mean.');
}

async function beginningWith(db: Db, text: string, limit: number): Promise<readonly string[]> {
  const [, kind] = ROW_PREFIX.exec(text) ?? [];
  if (kind !== undefined) {
    return (await idsBetween(db, kind, rangeOf(text, kind.length + 1 + ROW_DIGITS, 'f'), limit)) ?? [];
  }
  const reference = rangeOf(text.toUpperCase(), REFERENCE_LENGTH, 'Z');
  const session = SESSION_PREFIX.test(text) ? rangeOf(text.toLowerCase(), SESSION_DIGITS, 'f') : null;
  return referencesBetween(db, reference, session, limit);
}
