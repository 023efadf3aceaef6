/**
 * Whose a payment at an exchange is, as far as its ids say. The exchange shows its own ids to the payer only.
 * A number that the shop gave to its order is one that others can guess: it is the number after theirs.
 */
import type { SeenPayment } from '../channels/channel.js';
import { creditedName, readShopNumber } from '../domain/reference.js';
import type { Db } from '../store/schema.js';
import { sessionNumbered } from '../store/tables/seen-proofs.js';
import type { ClaimingSession } from './settle-claim.js';

/**
 * @param typed by which of its ids the payment is claimed.
 * @returns whether strangers could claim it in this way for this session as well.
 */
export async function isAnybodys(
  db: Db,
  session: Pick<ClaimingSession, 'id' | 'gateway_reference'>,
  typed: string,
  { aliases }: Pick<SeenPayment, 'aliases'>,
): Promise<boolean> {
  const numbers = aliases.flatMap((alias) => readShopNumber(alias)?.number ?? []);
  // Orders that are called as we call the session were made for it: what we give out is random.
  if (numbers.some((number) => number === session.gateway_reference || number === session.id.toUpperCase())) {
    return false;
  }
  if (numbers.includes(creditedName('exchange_pay', typed))) return true;
  for (const number of numbers) {
    const other = await sessionNumbered.first(db, { id: number.toLowerCase(), reference: number });
    if (other !== undefined) return true;
  }
  return false;
}
