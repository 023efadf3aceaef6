/**
 * Whose a payment at an exchange is, as far as its ids say (domain/matching/weak-ids, `isStrangersOrder`).
 */
import type { SeenPayment } from '../../channels/channel.js';
import { creditedName, readShopNumber } from '../../domain/matching/reference.js';
import { isStrangersOrder } from '../../domain/matching/weak-ids.js';
import type { Db } from '../../store/schema/index.js';
import { sessionNumbered } from '../../store/tables/seen-proofs.js';
import type { ClaimingSession } from '../settlement/settle-claim.js';

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
  let isAnothers = false;
  for (const number of numbers) {
    const other = await sessionNumbered.first(db, { id: number.toLowerCase(), reference: number });
    isAnothers ||= other !== undefined && other.id !== session.id;
  }
  return isStrangersOrder({ typed: creditedName('exchange_pay', typed), numbers, session, isAnothers });
}
