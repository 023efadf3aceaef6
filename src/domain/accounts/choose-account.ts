/**
 * Chooses the number that a new payment shows, where a brand has several numbers of one wallet and type, and
 * says how far a number has used its limits. Pure: the caller reads the sums (actions/accounts/number-use).
 */
import type { Paisa } from '../../base/values/money.js';

/** Limits of a wallet number, in days and months of Bangladesh; null for no limit. */
export interface NumberLimits {
  readonly dayLimitPaisa: Paisa | null;
  readonly monthLimitPaisa: Paisa | null;
}

/** Money that has come in on a number, by its SMS. */
export interface Income {
  readonly todayPaisa: Paisa;
  readonly monthPaisa: Paisa;
}

export interface Candidate extends NumberLimits, Income {
  readonly id: string;
  /** Sum of the open payments that show this number, and how many they are. */
  readonly openPaisa: Paisa;
  readonly openPayments: number;
  /** True if the phone with the SIM can report the money now. */
  readonly isOnline: boolean;
  /** Newest balance that an SMS stated; null if none did. */
  readonly balancePaisa: Paisa | null;
}

interface NumberChoice {
  readonly id: string;
  /** False if the amount is above the limits of every number. */
  readonly isWithin: boolean;
  /** Amount that may still come in on the chosen number; negative above a limit, infinite without limits. */
  readonly roomPaisa: number;
}

/** Limits with the money that counts towards each. */
function usedLimits({ dayLimitPaisa, monthLimitPaisa, todayPaisa, monthPaisa }: NumberLimits & Income) {
  return [
    { period: 'day' as const, limitPaisa: dayLimitPaisa, usedPaisa: todayPaisa },
    { period: 'month' as const, limitPaisa: monthLimitPaisa, usedPaisa: monthPaisa },
  ].flatMap(({ limitPaisa, ...used }) => (limitPaisa === null ? [] : [{ ...used, limitPaisa }]));
}

const roomOf = (one: Candidate): number =>
  Math.min(...usedLimits(one).map(({ limitPaisa, usedPaisa }) => limitPaisa - usedPaisa - one.openPaisa));

/** Largest share of a limit that is used; 0 without limits. */
const shareOf = (one: Candidate): number =>
  Math.max(0, ...usedLimits(one).map((of) => (of.usedPaisa + one.openPaisa) / of.limitPaisa));

/** Open payments count as if their money had come: they may be paid at any moment. */
const filledOf = ({ balancePaisa, openPaisa }: Candidate): number => (balancePaisa ?? 0) + openPaisa;

/**
 * Numbers within their limits come first, then those whose phone is online, then the least filled, by share
 * of the limits and by balance. Above the limits of all, the number with the most room is shown: a shop must
 * not lose the sale.
 * @param candidates at least one.
 * @param duePaisa amount of the payment.
 */
export function chooseAccount(candidates: readonly Candidate[], duePaisa: Paisa): NumberChoice {
  const rated = candidates.map((one) => ({ one, room: roomOf(one), isWithin: duePaisa <= roomOf(one) }));
  const isAnyWithin = rated.some(({ isWithin }) => isWithin);
  const [best] = rated
    .filter(({ isWithin }) => isWithin === isAnyWithin)
    .sort(
      (a, b) =>
        (isAnyWithin ? 0 : b.room - a.room) ||
        Number(b.one.isOnline) - Number(a.one.isOnline) ||
        shareOf(a.one) - shareOf(b.one) ||
        filledOf(a.one) - filledOf(b.one) ||
        a.one.openPayments - b.one.openPayments ||
        (a.one.id < b.one.id ? -1 : 1),
    );
  if (best === undefined) throw new TypeError('no account to choose from');
  return { id: best.one.id, isWithin: best.isWithin, roomPaisa: best.room };
}

/** Share of a limit from which the operator is warned. */
const NEARLY_FULL = 0.9;

/** @returns the limits of which 90% or more is used. */
export function nearlyUsedLimits(number: NumberLimits & Income) {
  return usedLimits(number).filter(({ usedPaisa, limitPaisa }) => usedPaisa >= limitPaisa * NEARLY_FULL);
}

/** @returns the accounts in groups of one channel and type, in their order. */
export function groupNumbers<Account extends { readonly channel: string; readonly type: string }>(
  accounts: readonly Account[],
): Account[][] {
  const groups = new Map<string, Account[]>();
  for (const account of accounts) {
    const name = `${account.channel} ${account.type}`;
    groups.set(name, [...(groups.get(name) ?? []), account]);
  }
  return [...groups.values()];
}
