/** Finds money that its payer has probably sent twice: other money of the same amount has paid. */
import { DAY_MS } from '../../base/values/clock.js';
import { mobileNumber } from '../../domain/accounts/channels.js';
import type { Db } from '../../store/schema/index.js';
import { creditsOfPayers, newestUnclaimed } from '../../store/tables/money.js';

/** Customers notice within days that they have paid twice; later, the same amount is a new order. */
const WITHIN_MS = 3 * DAY_MS;

interface PaidMoney {
  readonly id: string;
  readonly merchant_id: string;
  readonly payer: string | null;
  readonly amount_paisa: number | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The payment that other money of the same payer and amount has paid. */
export interface PaidBefore {
  /** Gateway reference. */
  readonly payment: string;
  readonly session: string;
  readonly reference: string;
  readonly at: number;
  /** True if it takes parts and a rest is due: the money may be its next part. */
  readonly isOpen: boolean;
}

/**
 * @param money without a payment, or with a doubtful one, which is `except`.
 * @returns by the id of the money.
 */
export async function findPaidBefore(
  db: Db,
  money: readonly PaidMoney[],
  except: string | null = null,
): Promise<ReadonlyMap<string, PaidBefore>> {
  // A masked number is that of many.
  const known = money.filter(({ payer }) => payer !== null && mobileNumber(payer) !== null);
  if (known.length === 0) return new Map();
  const times = known.map(({ at }) => at);
  // A text may come a day after its money.
  const span = { from: Math.min(...times) - WITHIN_MS, to: Math.max(...times) + WITHIN_MS + DAY_MS };
  const credits = await creditsOfPayers(db, span, [...new Set(known.map(({ payer }) => payer ?? ''))]);
  return new Map(
    known.flatMap((one) => {
      const found = credits.find(
        (credit) =>
          credit.merchant_id === one.merchant_id &&
          credit.payer === one.payer &&
          credit.amount_paisa === one.amount_paisa &&
          Math.abs(credit.at - one.at) <= WITHIN_MS &&
          credit.session !== except,
      );
      return found === undefined ? [] : [[one.id, { ...found, isOpen: found.status === 'PENDING' }] as const];
    }),
  );
}

/** Unclaimed money that is looked through. */
const MOST_UNCLAIMED = 1_000;

/** @returns transaction ids of unclaimed money that the payers of these sessions have probably sent twice. */
export async function findPaidAgain(db: Db, sessions: readonly string[]): Promise<string[]> {
  if (sessions.length === 0) return [];
  const unclaimed = await newestUnclaimed.all(db, { limit: MOST_UNCLAIMED });
  const before = await findPaidBefore(db, unclaimed);
  return unclaimed.flatMap(({ id, reference }) =>
    sessions.includes(before.get(id)?.session ?? '') ? [reference] : [],
  );
}
