/**
 * The accounts on which a brand is paid, remembered between requests. Never stale: the caller has just read
 * the brand's version, which every change renews.
 */
import type { Paisa } from '../../base/values/money.js';
import { findPersonalAccount, listMerchantIds } from '../../channels/qr-interbank/emv.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import { groupNumbers } from '../../domain/accounts/choose-account.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';
import { chosenAccounts } from '../../store/tables/number-use.js';

export interface BrandAccount {
  readonly id: string;
  readonly channel: PayChannel;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details). */
  readonly details: Readonly<Record<string, string>>;
  /** Merchant ids of the account in a bank's push; parsed once, as every push and claim needs them. */
  readonly merchantIds: readonly string[];
  readonly dayLimitPaisa: Paisa | null;
  readonly monthLimitPaisa: Paisa | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** True if each payment gets a QR code of its own, made from the account's. */
  readonly hasCode: boolean;
}

interface BrandVersion {
  readonly brand_id: string;
  readonly accounts_stamp: string;
}

type SessionOfBrand = BrandVersion & { readonly id: string; readonly created_at: number };

export interface AccountMemory {
  /** @returns the active accounts, in a steady order. @param brand as read in this request. */
  of(db: Db, brand: BrandVersion): Promise<readonly BrandAccount[]>;
  /**
   * Lists the accounts that the customer of a session is shown now: the active ones, of several numbers of
   * one wallet and type the one that was chosen for the session.
   */
  shownIn(db: Db, session: SessionOfBrand): Promise<readonly BrandAccount[]>;
  /**
   * Lists the accounts on which money counts for a session: all active ones, also numbers that it does not
   * show, then the disabled ones that were active when it was opened. What a customer was shown stays valid.
   */
  countingIn(db: Db, session: SessionOfBrand): Promise<readonly BrandAccount[]>;
}

interface DisabledAccount extends BrandAccount {
  readonly until: number;
}

interface CachedAccounts {
  readonly stamp: string;
  readonly active: readonly BrandAccount[];
  /** Numbers of which a payment shows one: those of one channel and type, at least two each. */
  readonly choices: readonly (readonly BrandAccount[])[];
  readonly retired: readonly DisabledAccount[];
}

/** Brands that are remembered; one takes about a KiB. */
const MAX_BRANDS = 1_000;
export function createAccountMemory(): AccountMemory {
  const memory = new Map<string, CachedAccounts>();
  const know = async (
    db: Db,
    { brand_id, accounts_stamp: version }: BrandVersion,
  ): Promise<CachedAccounts> => {
    const kept = memory.get(brand_id);
    if (kept?.stamp === version) return kept;
    const rows = await accountsOfBrand.all(db, { brand: brand_id });
    const active = rows.filter((row) => row.active === 1).map(accountOf);
    const known: CachedAccounts = {
      stamp: version,
      active,
      choices: groupNumbers(active).filter((numbers) => numbers.length > 1),
      retired: rows.flatMap((row) =>
        row.disabled_at === null ? [] : [{ ...accountOf(row), until: row.disabled_at }],
      ),
    };
    if (memory.size >= MAX_BRANDS) memory.clear();
    memory.set(brand_id, known);
    return known;
  };
  return {
    of: async (db, brand) => (await know(db, brand)).active,
    async shownIn(db, session) {
      const { active, choices } = await know(db, session);
      if (choices.length === 0) return active;
      const chosen = await chosenAccounts.all(db, { session: session.id });
      const shown = choices.map((numbers) => shownNumber(numbers, chosen, session.created_at));
      const hidden = new Set(choices.flat().filter((account) => !shown.includes(account)));
      return active.filter((account) => !hidden.has(account));
    },
    async countingIn(db, session) {
      const { active, retired } = await know(db, session);
      const { created_at: at } = session;
      const before = retired.filter(({ createdAt, until }) => createdAt <= at && at <= until);
      return before.length === 0 ? active : [...active, ...before];
    },
  };
}

/**
 * @param numbers newest first.
 * @returns the chosen one. A session for which none was chosen, or whose number was disabled, shows the
 * newest that was there when it was opened: its only one, if there was only one.
 */
function shownNumber(
  numbers: readonly BrandAccount[],
  chosen: readonly { readonly id: string }[],
  openedAt: number,
): BrandAccount | undefined {
  return (
    numbers.find(({ id }) => chosen.some((one) => one.id === id)) ??
    numbers.find(({ createdAt }) => createdAt <= openedAt) ??
    numbers.at(-1)
  );
}

function accountOf(row: AccountRow): BrandAccount {
  const { id, channel, type, number } = row;
  const account = { id, channel, type, number, details: JSON.parse(row.details) as Record<string, string> };
  return {
    ...account,
    merchantIds: listMerchantIds(account),
    hasCode: hasCode(account),
    dayLimitPaisa: row.day_limit_paisa,
    monthLimitPaisa: row.month_limit_paisa,
    createdAt: row.created_at,
  };
}

function hasCode({ channel, details }: Pick<BrandAccount, 'channel' | 'details'>): boolean {
  const { kind } = CHANNEL[channel];
  return kind === 'push' || (kind === 'sms' && findPersonalAccount(details.qr) !== null);
}

type AccountRow = Awaited<ReturnType<typeof accountsOfBrand.all>>[number];
