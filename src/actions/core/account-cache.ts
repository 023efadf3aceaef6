/**
 * The accounts on which a brand is paid, remembered between requests: they change a few times a year and are
 * asked for with every payment. Never out of date: whoever asks has just read the brand's stamp in the store,
 * which is another one after every change.
 */

import { merchantIdsOf } from '../../channels/qr-interbank/merchant-ids.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';

export interface BrandAccount {
  readonly id: string;
  readonly channel: string;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details). */
  readonly details: Readonly<Record<string, string>>;
  /** By which a bank may name it in a push; read once, since every push and claim asks for them. */
  readonly merchantIds: readonly string[];
}

export interface StampedBrand {
  readonly brand_id: string;
  readonly accounts_stamp: string;
}

/** A session, with its brand as read in this request. */
export interface OpenedSession extends StampedBrand {
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export interface AccountMemory {
  /** @returns the active accounts, in a steady order. @param brand as read in this request. */
  of(db: Db, brand: StampedBrand): Promise<readonly BrandAccount[]>;
  /**
   * What a customer was shown stays due.
   * @returns the active accounts, and those with, behind them, what was active when the session was opened.
   */
  shownIn(db: Db, session: OpenedSession): Promise<ShownAccounts>;
}

export interface ShownAccounts {
  readonly active: readonly BrandAccount[];
  /** The very same list where nothing has changed. */
  readonly shown: readonly BrandAccount[];
}

interface Retired extends BrandAccount {
  readonly from: number;
  readonly until: number;
}

interface Known {
  readonly stamp: string;
  readonly active: readonly BrandAccount[];
  readonly retired: readonly Retired[];
}

/** Brands that are remembered; one takes about a KiB. */
const MAX_BRANDS = 1_000;
/** A session is written a moment after its accounts were read. */
const READ_BEFORE_MS = 60_000;

export function createAccountMemory(): AccountMemory {
  const memory = new Map<string, Known>();
  const know = async (db: Db, { brand_id, accounts_stamp: stamp }: StampedBrand): Promise<Known> => {
    const kept = memory.get(brand_id);
    if (kept?.stamp === stamp) return kept;
    const rows = await accountsOfBrand.all(db, { brand: brand_id });
    const known: Known = {
      stamp,
      active: rows.filter(({ active }) => active === 1).map(accountOf),
      retired: rows.flatMap((row) =>
        row.disabled_at === null ? [] : [{ ...accountOf(row), from: row.created_at, until: row.disabled_at }],
      ),
    };
    if (memory.size >= MAX_BRANDS) memory.clear();
    memory.set(brand_id, known);
    return known;
  };
  return {
    of: async (db, brand) => (await know(db, brand)).active,
    async shownIn(db, session) {
      const { active, retired } = await know(db, session);
      const { created_at: at } = session;
      const before = retired.filter(({ from, until }) => from <= at && at <= until + READ_BEFORE_MS);
      return { active, shown: before.length === 0 ? active : [...active, ...before] };
    },
  };
}

function accountOf(row: AccountRow): BrandAccount {
  const { id, channel, type, number } = row;
  const account = { id, channel, type, number, details: JSON.parse(row.details) as Record<string, string> };
  return { ...account, merchantIds: merchantIdsOf(account) };
}

type AccountRow = Awaited<ReturnType<typeof accountsOfBrand.all>>[number];
