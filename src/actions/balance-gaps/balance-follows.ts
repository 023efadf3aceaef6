/** Checks if the balance of one SMS follows from the SMS before it. */
import { followsTrusted } from '../../domain/balance-gaps/balance-link.js';
import type { Db, SmsTable } from '../../store/schema/index.js';
import { chainUpTo, type WalletRef } from '../../store/tables/gaps.js';
import { toSmsText } from './scan-wallet.js';

/** SMS before the one in question: since the last one that came in, money may have gone out a few times. */
const LOOK_BACK = 20;

/**
 * True if the balance of an SMS follows from an earlier SMS that counts as money by rule. A stranger who
 * forges a text does not know that balance.
 * @param beside rows that are stored in the same database transaction.
 */
export async function balanceFollows(
  db: Db,
  wallet: WalletRef,
  { id, at }: Pick<SmsTable, 'id' | 'at'>,
  beside: readonly SmsTable[],
): Promise<boolean> {
  if (at === null) return false;
  const { merchant_id, recipient, channel } = wallet;
  const own = beside.filter(
    (row) =>
      row.merchant_id === merchant_id &&
      row.recipient === recipient &&
      row.channel === channel &&
      row.at !== null &&
      row.at <= at,
  );
  const stored = (await chainUpTo(db, wallet, at, LOOK_BACK)).reverse();
  const rows = new Map([...stored, ...own].map((row) => [row.id, row]));
  const texts = [...rows.values()].map(toSmsText).sort((one, other) => one.atMs - other.atMs);
  const text = texts.find((one) => one.id === id);
  if (text === undefined) return false;
  const earlier = texts.filter((one) => one !== text && one.trxId !== text.trxId);
  return followsTrusted(text, earlier, (earlierId) => rows.get(earlierId)?.settle === 'auto');
}
