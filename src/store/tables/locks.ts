/**
 * Locks of units of work that could miss each other on PostgreSQL: a claim that finds no proof, a proof that
 * finds no claim. SQLite has one writer, so that none is taken there.
 *
 * Everybody takes them in one order, so that nobody waits for whoever waits for them: the merchant, then the
 * names, then sessions and whatever else is written.
 */
import type { Paisa } from '../../base/values/money.js';
import type { PayChannel } from '../../domain/accounts/channels.js';
import { slotsOf } from '../lock-slots.js';
import type { Db } from '../schema/index.js';

/** What a unit of work is about. A price counts where ids can be guessed: who claimed what for it decides. */
export type LockedName =
  | { readonly reference: string }
  | { readonly channel: PayChannel; readonly paisa: Paisa };

const nameOf = (name: LockedName) => ('reference' in name ? name.reference : `${name.channel} ${name.paisa}`);

/**
 * Makes units of work come one after the other which are about one of these names of a merchant. What is
 * read behind it sees all that the others have written.
 */
export async function lockNames(db: Db, merchant: string, names: readonly LockedName[]): Promise<void> {
  if (db.engine === 'sqlite' || names.length === 0) return;
  await db.lock({ merchant, slots: slotsOf(names.map((name) => `${merchant} ${nameOf(name)}`)) });
}

/** Keeps out all units of work that lock anything of that merchant, or store money or claims for it. */
export async function lockMerchant(db: Db, merchant: string): Promise<void> {
  if (db.engine === 'sqlite') return;
  await db.send('SELECT id FROM merchants WHERE id = $1 FOR UPDATE', [merchant]);
}
