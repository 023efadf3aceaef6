/**
 * SMS that name an id in their text alone, such as forgeries. No index says which, so they are looked for
 * among the newest: a store of a million SMS answers as fast as a small one.
 */
import type { Db } from '../schema/index.js';
import { holds } from './list-position.js';
import { NEWEST } from './why.js';

/** As many ids as one payment may have claims. */
const WORDS = 30;
/** For what is read again every few seconds. */
const NEWEST_ON_BOARD = 5_000;

const COLUMNS = [
  ...(['id', 'merchant_id', 'channel', 'kind', 'settle'] as const),
  ...(['sender', 'body', 'received_at', 'stored_at'] as const),
] as const;

/**
 * SMS among the newest that are no money and hold one of these words somewhere, the newest first: under which
 * id a forgery stands is in its text alone.
 */
export async function textsHolding(
  db: Db,
  given: { readonly merchants: readonly string[]; readonly words: readonly string[]; readonly since: number },
) {
  const { merchants, words, since } = given;
  if (words.length === 0) return [];
  const newest = db.query
    .selectFrom('sms')
    .where('stored_at', '>=', since)
    .orderBy('stored_at', 'desc')
    .limit(NEWEST)
    .select(COLUMNS);
  const found = await db.query
    .selectFrom(newest.as('s'))
    .where('s.settle', '=', 'never')
    .where((is) => is.or(words.slice(0, WORDS).map((word) => holds('s.body', word))))
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
  return found.filter(({ merchant_id }) => merchants.includes(merchant_id));
}

/**
 * SMS among the newest of which no amount was read and that hold one of these words somewhere, whatever they
 * count as and whoever sent them, the newest first.
 */
export async function textsWithoutAmount(
  db: Db,
  given: { readonly merchants: readonly string[]; readonly words: readonly string[]; readonly since: number },
) {
  const { merchants, words, since } = given;
  const newest = db.query
    .selectFrom('sms')
    .where('stored_at', '>=', since)
    .orderBy('stored_at', 'desc')
    .limit(NEWEST)
    .select([...COLUMNS, 'amount_paisa']);
  const found = await db.query
    .selectFrom(newest.as('s'))
    .where('s.amount_paisa', 'is', null)
    .where((is) => is.or(words.map((word) => holds('s.body', word))))
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
  return found.filter(({ merchant_id }) => merchants.includes(merchant_id));
}

/** Forgeries among the newest SMS, the newest first: few, and looked for every few seconds. */
export function newestForgeries(db: Db) {
  const newest = db.query
    .selectFrom('sms')
    .orderBy('stored_at', 'desc')
    .limit(NEWEST_ON_BOARD)
    .select(COLUMNS);
  return db.query
    .selectFrom(newest.as('s'))
    .where('s.kind', '=', 'spoofed')
    .orderBy('s.stored_at', 'desc')
    .selectAll('s')
    .execute();
}
