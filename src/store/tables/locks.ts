/**
 * Locks of units of work that could miss each other on PostgreSQL: a claim that finds no proof, a proof that
 * finds no claim. SQLite has one writer, so that none is taken there.
 *
 * Everybody takes them in one order, so that nobody waits for whoever waits for them: the merchant, then the
 * names, then sessions and whatever else is written.
 */
import { createHash } from 'node:crypto';
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';

/**
 * A name has one of so many rows, so that nothing is written for it and nothing has to be cleared away; two
 * names that share a row by chance only wait for each other. Of two batches of 50 names one pair in thirteen
 * shares a row. The rows take 2 MiB.
 */
const SLOTS = 32_768;

/** @returns the slots of these names, each once. */
const slotsOf = (names: readonly string[]) => [
  ...new Set(names.map((name) => createHash('sha256').update(name).digest().readUInt32BE() % SLOTS)),
];

/** What a unit of work is about. A price counts where ids can be guessed: who claimed what for it decides. */
export type LockedName =
  | { readonly reference: string }
  | { readonly channel: PayChannel; readonly paisa: Paisa };

/** In the order that all keep, so that nobody waits for whoever waits for them. */
const LOCK_SLOTS = 'SELECT slot FROM lock_slots WHERE slot = ANY ($1::int[]) ORDER BY slot FOR NO KEY UPDATE';

const nameOf = (name: LockedName) => ('reference' in name ? name.reference : `${name.channel} ${name.paisa}`);

/**
 * Makes units of work come one after the other which are about one of these names of a merchant. What is
 * read behind it sees all that the others have written.
 */
export async function lockNames(db: Db, merchant: string, names: readonly LockedName[]): Promise<void> {
  if (db.engine === 'sqlite' || names.length === 0) return;
  const slots = slotsOf(names.map((name) => `${merchant} ${nameOf(name)}`));
  await Promise.all([
    db.execute('SELECT id FROM merchants WHERE id = $1 FOR KEY SHARE', [merchant]),
    db.execute(LOCK_SLOTS, [slots]),
  ]);
}

/** Keeps out all units of work that lock anything of that merchant, or store money or claims for it. */
export async function lockMerchant(db: Db, merchant: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.execute('SELECT id FROM merchants WHERE id = $1 FOR UPDATE', [merchant]);
}
