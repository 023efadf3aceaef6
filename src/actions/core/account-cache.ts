/**
 * The accounts on which a brand is paid, remembered between requests. Never stale: the caller has just read
 * the brand's version, which every change renews.
 */
import { findPersonalAccount, listMerchantIds } from '../../channels/qr-interbank/emv.js';
import { CHANNEL, type PayChannel } from '../../domain/accounts/channels.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfBrand } from '../../store/tables/accounts.js';

export interface BrandAccount {
  readonly id: string;
  readonly channel: PayChannel;
  readonly type: string;
  readonly number: string;
  /** Texts by name (domain/accounts/account-details). */
  readonly details: Readonly<Record<string, string>>;
  /** Merchant ids of the account in a bank's push; parsed once, as every push and claim needs them. */
  readonly merchantIds: readonly string[];
  /** True if each payment gets a QR code of its own, made from the account's. */
  readonly hasCode: boolean;
}

interface BrandVersion {
  readonly brand_id: string;
  readonly accounts_stamp: string;
}

export interface AccountMemory {
  /** @returns the active accounts, in a steady order. @param brand as read in this request. */
  of(db: Db, brand: BrandVersion): Promise<readonly BrandAccount[]>;
  /**
   * Lists the accounts to which a session may be paid: what a customer was shown stays valid.
   * @returns `active`; `shown`: these, then the disabled ones that were active when the session was opened.
   */
  shownIn(db: Db, session: BrandVersion & { readonly created_at: number }): Promise<ShownAccounts>;
}

interface ShownAccounts {
  readonly active: readonly BrandAccount[];
  /** The very same list where nothing has changed. */
  readonly shown: readonly BrandAccount[];
}

interface DisabledAccount extends BrandAccount {
  readonly from: number;
  readonly until: number;
}

interface CachedAccounts {
  readonly stamp: string;
  readonly active: readonly BrandAccount[];
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
    const known: CachedAccounts = {
      stamp: version,
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
      const before = retired.filter(({ from, until }) => from <= at && at <= until);
      return { active, shown: before.length === 0 ? active : [...active, ...before] };
    },
  };
}

function accountOf(row: AccountRow): BrandAccount {
  const { id, channel, type, number } = row;
  const account = { id, channel, type, number, details: JSON.parse(row.details) as Record<string, string> };
  return { ...account, merchantIds: listMerchantIds(account), hasCode: hasCode(account) };
}

function hasCode({ channel, details }: Pick<BrandAccount, 'channel' | 'details'>): boolean {
  const { kind } = CHANNEL[channel];
  return kind === 'push' || (kind === 'sms' && findPersonalAccount(details.qr) !== null);
}

type AccountRow = Awaited<ReturnType<typeof accountsOfBrand.all>>[number];
