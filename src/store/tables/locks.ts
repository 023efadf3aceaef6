/**
 * Locks for database transactions that could otherwise miss each other on PostgreSQL: a claim that finds no
 * proof, a proof that finds no claim. SQLite has a single writer, so it needs none.
 *
 * All transactions take the locks in one order, to prevent deadlocks: the merchant, then the names, then
 * sessions and all other rows.
 */
import { createHash } from 'node:crypto';
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../schema/index.js';

/**
 * Number of lock rows. A name maps to one of them, so that no row is inserted per name or deleted later; two
 * names that share a row only wait for each other. Of two batches of 50 names one pair in thirteen shares a
 * row. The rows take 2 MiB.
 */
const SLOTS = 32_768;

/** @returns the slots of these names, each once. */
const slotsOf = (names: readonly string[]) => [
  ...new Set(names.map((name) => createHash('sha256').update(name).digest().readUInt32BE() % SLOTS)),
];

/** Name to lock. A price if ids can be guessed: the decision depends on the other claims for it. */
export type LockedName =
  | { readonly reference: string }
  | { readonly channel: PayChannel; readonly paisa: Paisa };

/** Locks in one order for all, to prevent deadlocks. */
const LOCK_SLOTS = 'SELECT slot FROM lock_slots WHERE slot = ANY ($1::int[]) ORDER BY slot FOR NO KEY UPDATE';

const nameOf = (name: LockedName) => ('reference' in name ? name.reference : `${name.channel} ${name.paisa}`);

/**
 * Serializes database transactions that use one of these names of a merchant. Reads after it see everything
 * that the others have written.
 */
export async function lockNames(db: Db, merchant: string, names: readonly LockedName[]): Promise<void> {
  if (db.engine === 'sqlite' || names.length === 0) return;
  const slots = slotsOf(names.map((name) => `${merchant} ${nameOf(name)}`));
  await Promise.all([
    db.execute('SELECT id FROM merchants WHERE id = $1 FOR KEY SHARE', [merchant]),
    db.execute(LOCK_SLOTS, [slots]),
  ]);
}

/** Excludes database transactions that lock a name of the merchant, or store its money or claims. */
export async function lockMerchant(db: Db, merchant: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.execute('SELECT id FROM merchants WHERE id = $1 FOR UPDATE', [merchant]);
}
